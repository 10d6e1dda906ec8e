"""Keeps code that is not ours from ending the program: it would end before any gate decides."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from threading import local
from typing import NoReturn


class _Calls(local):
    """How many calls of code that is not ours a thread is in, and in which process."""

    depth = 0
    process = 0


_calls = _Calls()
_exit = os._exit


@contextmanager
def may_not_leave() -> Iterator[None]:
    """Let `os._exit` raise `SystemExit` in this thread meanwhile.

    Processes that are started meanwhile end as they should. What ends the process in native code
    cannot be stopped.
    """
    os._exit = _exit_unless_called
    _calls.process = os.getpid()
    _calls.depth += 1
    try:
        yield
    finally:
        _calls.depth -= 1


def _exit_unless_called(status: int) -> NoReturn:
    if _calls.depth and _calls.process == os.getpid():
        raise SystemExit(status)
    _exit(status)
