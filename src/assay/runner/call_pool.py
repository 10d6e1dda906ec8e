"""Where systems are called: one event loop, and the limits that all calls in it share."""

from __future__ import annotations

import asyncio
import time
from asyncio import AbstractEventLoop
from threading import Lock, Thread
from typing import TYPE_CHECKING

from assay.wire.budget import Budget
from assay.wire.call_quota import CallQuota
from assay.wire.retries import RetryPolicy

if TYPE_CHECKING:
    from assay.runner.answer_collector import TargetCallOptions

ABANDON = 2.0
"""Seconds after which a blocked event loop is abandoned."""


class CallPool:
    """An event loop in a thread of its own, for the calls of one run or of several.

    Runs that share a pool share the calls at a time, the calls a second, and the caps on calls and
    time. Each system has one policy: what it tolerates, when it asks for a pause and whether it is
    down is learned once for all runs that call it, and ends only those.
    """

    def __init__(self, options: TargetCallOptions, runs: int = 1) -> None:
        self.runs = runs
        """Runs that share it."""
        self._options = options
        self._budget = Budget(max_calls=options.max_calls)
        is_shared = runs > 1
        self._quota = (
            CallQuota(concurrency=options.concurrency, rate=options.rate) if is_shared else None
        )
        self._policies: dict[str, RetryPolicy] = {}
        self._lock = Lock()
        self._began: float | None = None
        self._loop: AbstractEventLoop | None = None
        self._thread = Thread(target=self._run, name="asking", daemon=True)

    @property
    def loop(self) -> AbstractEventLoop:
        """The event loop, once the pool runs."""
        assert self._loop is not None
        return self._loop

    def policy(self, system: str) -> RetryPolicy:
        """The policy for all calls of one system."""
        with self._lock:
            if system not in self._policies:
                self._policies[system] = RetryPolicy(
                    concurrency=self._options.concurrency,
                    rate=None if self._quota else self._options.rate,
                    attempts=self._options.attempts,
                    budget=self._budget,
                    quota=self._quota,
                )
            return self._policies[system]

    def start(self) -> None:
        """Begin to run; time counts from here."""
        self._began = time.monotonic()
        self._loop = asyncio.new_event_loop()
        self._thread.start()

    def seconds_left(self) -> float | None:
        """Seconds that calls may still take; None without a cap."""
        if self._options.max_time is None or self._began is None:
            return self._options.max_time
        return max(0.0, self._began + self._options.max_time - time.monotonic())

    def close(self, patience: float = ABANDON) -> None:
        """End what is left; a loop that a target blocks is left behind."""
        ended = asyncio.run_coroutine_threadsafe(self._end_tasks(), self.loop)
        ended.add_done_callback(lambda _: self.loop.call_soon_threadsafe(self.loop.stop))
        self._thread.join(patience)

    async def _end_tasks(self) -> None:
        own = asyncio.current_task()
        tasks = [task for task in asyncio.all_tasks() if task is not own]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.get_running_loop().shutdown_asyncgens()

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        try:
            self.loop.run_forever()
        finally:
            self.loop.close()
