"""An event loop whose clock stands still until something has happened, however long that takes.

For tests of time limits: the time of the limit is spent on what is tested, not on a busy machine.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class HeldClock(asyncio.SelectorEventLoop):
    """Begins at second 0 when `has_happened` is first true."""

    def __init__(self, has_happened: Callable[[], bool]) -> None:
        self._has_happened = has_happened
        self._began: float | None = None
        super().__init__()

    def time(self) -> float:
        now = super().time()
        if self._began is None and self._has_happened():
            self._began = now
        return 0.0 if self._began is None else now - self._began


def run_held(main: Coroutine[Any, Any, T], has_happened: Callable[[], bool]) -> T:
    """`asyncio.run` with such a clock."""
    with asyncio.Runner(loop_factory=lambda: HeldClock(has_happened)) as runner:
        return runner.run(main)
