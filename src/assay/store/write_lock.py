"""The lock file behind which programs that write to one SQLite file queue up."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Lock, Thread

from assay.core.errors import StoreBusyError


def store_busy(url: str) -> StoreBusyError:
    """The error of a program that waited for another one for too long."""
    return StoreBusyError(f"the store {url!r} is held by another program; try again later")


@contextmanager
def write_lock(path: Path | None, wait: float, url: str) -> Iterator[None]:
    """Wait for this process's turn to write, but not for ever; not at all without a path."""
    if path is None or sys.platform == "win32":  # there BEGIN IMMEDIATE alone must do
        yield
        return
    import fcntl

    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:  # a folder that cannot be written to: SQLite itself says what is wrong
        yield
        return
    turn = None
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            turn = _Turn(file)
            if not turn.comes_within(wait):
                raise store_busy(url) from None
        yield
    finally:  # also where a signal ends the wait
        if turn:
            turn.leave()
        else:
            os.close(file)


class _Turn:
    """A place in the queue of a lock file; asking again and again would let others pass by.

    The system call that waits knows no deadline, so a thread makes it. Where nobody waits for it
    any more, the thread gives the lock back as soon as it has it.
    """

    def __init__(self, file: int) -> None:
        self._file = file
        self._came = Event()
        self._guard = Lock()
        self._is_given_up = False
        Thread(target=self._queue_up, name="store lock", daemon=True).start()

    def comes_within(self, seconds: float) -> bool:
        """Wait for the lock; whether it is ours in time."""
        return self._came.wait(max(0.0, seconds))

    def leave(self) -> None:
        """Give the lock back, or the place in the queue."""
        with self._guard:
            if self._came.is_set():
                os.close(self._file)
            else:
                self._is_given_up = True

    def _queue_up(self) -> None:
        import fcntl

        fcntl.flock(self._file, fcntl.LOCK_EX)
        with self._guard:
            self._came.set()
            if self._is_given_up:
                os.close(self._file)
