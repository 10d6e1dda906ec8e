"""An event loop in which time passes only while everybody waits: quick, and the same every time."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Awaitable, Callable, Coroutine
from random import Random
from typing import Any, TypeVar

from assay.wire.retries import RetryPolicy

T = TypeVar("T")


class _Jumping(selectors.SelectSelector):
    """Waits for nothing: moves the clock on instead."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[Any]:
        assert timeout is not None, "everybody waits for something that never comes"
        self.now += timeout
        return super().select(0)


class VirtualLoop(asyncio.SelectorEventLoop):
    """Begins at second 0."""

    def __init__(self) -> None:
        self._jumping = _Jumping()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now


def run(main: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """What the coroutine gives, in no time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(main())


def now() -> float:
    """The time in the running loop."""
    return asyncio.get_running_loop().time()


def pacer(**options: Any) -> RetryPolicy:
    """A pacer on the clock of the running loop."""
    chance = Random(1)  # noqa: S311 -- the same every time
    return RetryPolicy(**{"random": chance, "clock": now, "sleep": asyncio.sleep} | options)


async def answers(calls: list[Awaitable[T]]) -> list[T | BaseException]:
    """What each call gave or raised."""
    return await asyncio.gather(*calls, return_exceptions=True)
