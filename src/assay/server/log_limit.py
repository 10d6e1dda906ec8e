"""Keeps the log small when the same thing goes wrong again and again."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from time import monotonic

WINDOW = 60.0
"""Seconds over which lines are counted."""
ALIKE = 5
"""Lines of one kind in a window; the rest are counted, not written."""
ALL = 300
"""Lines of all kinds in a window."""
MAX_KINDS = 1000
"""Kinds that are remembered."""


@dataclass(slots=True)
class _Window:
    began: float
    lines: int = 0
    left_out: int = 0


class LogLimit(logging.Filter):
    """Lets a few lines of each kind pass in a minute; the next one says how many were left out.

    Lines are of one kind when the same statement wrote them for an error from the same place.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._kinds: OrderedDict[object, _Window] = OrderedDict()
        self._all = _Window(clock())
        self._lock = Lock()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the line is written."""
        with self._lock:
            window = self._window(_kind(record))
            if window.lines >= ALIKE or self._all.lines >= ALL:
                window.left_out += 1
                return False
            window.lines += 1
            self._all.lines += 1
            left_out, window.left_out = window.left_out, 0
        if left_out:
            record.msg = f"{record.getMessage()} ({left_out} more like this were left out)"
            record.args = None
        return True

    def _window(self, kind: object) -> _Window:
        now = self._clock()
        if now - self._all.began >= WINDOW:
            self._all = _Window(now)
        window = self._kinds.setdefault(kind, _Window(now))
        if now - window.began >= WINDOW:
            window.began, window.lines = now, 0
        self._kinds.move_to_end(kind)
        while len(self._kinds) > MAX_KINDS:
            self._kinds.popitem(last=False)
        return window


def _kind(record: logging.LogRecord) -> object:
    place: tuple[str, int] | None = None
    error = record.exc_info[1] if record.exc_info else None
    trace = error.__traceback__ if error else None
    while trace:
        place = (trace.tb_frame.f_code.co_filename, trace.tb_lineno)
        trace = trace.tb_next
    return record.name, record.pathname, record.lineno, type(error), place
