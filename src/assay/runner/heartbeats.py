"""Notices workers that are stuck: stopped, or held up in code that never lets go.

Each worker says that it lives, a few times a minute, from a thread of its own, so one that computes
or waits for long is not taken for stuck. Silence is counted in looks, not in seconds: when the
whole machine sleeps, or this program is stopped, nobody looks.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.connection import Connection
from threading import Event, Thread
from typing import NamedTuple

INTERVAL = 5.0
"""Seconds between two signs of life, and between two looks."""
MAX_SILENCE = 12
"""So many looks without a sign of life, a minute, and a worker is taken for stuck."""
_PID_BYTES = 8


class Heart(NamedTuple):
    """What a worker tells its signs of life by."""

    writer: Connection
    interval: float

    def beat_while_parent_lives(self) -> None:
        """Say again and again that this process lives; ends it when its parent is gone."""
        parent = parent_process()
        assert parent is not None
        while parent.is_alive():
            with suppress(OSError):  # nobody listens any more
                self.writer.send_bytes(os.getpid().to_bytes(_PID_BYTES, "big"))
            parent.join(self.interval)
        os._exit(1)


class SilenceCount:
    """Who was silent, and for how many looks."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._silent: dict[int, int] = {}

    def look(self, heard: set[int]) -> list[int]:
        """Count one look at which those were heard; gives who is stuck, and forgets them."""
        self._silent = {pid: count + 1 for pid, count in self._silent.items()}
        self._silent |= dict.fromkeys(heard, 0)
        stuck = [pid for pid, count in self._silent.items() if count >= self._limit]
        for pid in stuck:
            del self._silent[pid]
        return stuck


class Heartbeats:
    """Listens to all workers of a run, and kills those that are stuck.

    The pool notices that one ended, and all that it had to do is done again elsewhere: a worker
    writes nothing itself, so a batch that it had half done cannot count twice.
    """

    def __init__(self) -> None:
        self._reader, writer = get_context("spawn").Pipe(duplex=False)
        self.heart = Heart(writer, INTERVAL)
        self._is_ended = Event()
        self._thread = Thread(target=self._listen, name="heartbeats", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening."""
        self._is_ended.set()
        self.heart.writer.send_bytes(b"")  # wakes the thread up
        self._thread.join()
        self._reader.close()
        self.heart.writer.close()

    def _listen(self) -> None:
        silence = SilenceCount(MAX_SILENCE)
        while not self._is_ended.is_set():
            stuck = silence.look(self._heard())
            for process in active_children() if stuck else ():
                if process.pid in stuck:
                    process.kill()

    def _heard(self) -> set[int]:
        """Who gave a sign of life until the next look."""
        heard: set[int] = set()
        end = time.monotonic() + self.heart.interval
        while not self._is_ended.is_set() and self._reader.poll(max(0.0, end - time.monotonic())):
            heard.add(int.from_bytes(self._reader.recv_bytes(), "big"))
        return heard
