"""A limit on the time of work that somebody waits for.

Set at the edge, looked at between the steps of the work, which may take seconds each on huge data.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from assay.core.errors import TimeLimitError

_limit: ContextVar[tuple[float, float]] = ContextVar("time_limit", default=(float("inf"), 0.0))


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Let what is done inside take this long."""
    token = _limit.set((time.monotonic() + seconds, seconds))
    try:
        yield
    finally:
        _limit.reset(token)


def check_time() -> None:
    """Raise `TimeLimitError` where the time is over; called between steps."""
    end, seconds = _limit.get()
    if time.monotonic() > end:
        raise TimeLimitError(f"it took longer than {seconds:g} seconds")
