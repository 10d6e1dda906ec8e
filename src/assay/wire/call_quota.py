"""Limits that the calls to several systems keep together."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from assay.wire.rate_limiter import RateLimiter


class CallQuota:
    """Calls at a time and calls a second, over all policies that are given it.

    What a policy learns of its own system stays with that policy; nothing here is learned. To be
    used in one event loop.
    """

    def __init__(
        self,
        *,
        concurrency: int,
        rate: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._places = asyncio.Semaphore(concurrency)
        self._pace = RateLimiter(rate, clock())
        self._clock = clock
        self._sleep = sleep

    async def enter(self) -> None:
        """Wait for a place and for the time of the next call; whoever came first goes first."""
        await self._places.acquire()
        try:
            wait = self._pace.reserve(self._clock()) - self._clock()
            if wait > 0:
                await self._sleep(wait)
        except BaseException:
            self._places.release()
            raise

    def leave(self) -> None:
        """Give the place back."""
        self._places.release()
