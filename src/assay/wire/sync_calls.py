"""The door for code that is not asynchronous: many calls at once, made in a thread of their own.

Features and metrics are plain functions. They hand a list of things to ask to `Calls`, which runs
them in the one event loop of this process that belongs to calls, whatever loop the caller may be
in, and gives the answers back in order. All repetition is the pacer's.
"""

from __future__ import annotations

import asyncio
import os
import time
import weakref
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from contextlib import suppress
from functools import partial
from random import Random
from threading import Lock, Thread, current_thread
from typing import Any, TypeVar

from assay.wire.budget import Budget
from assay.wire.call_errors import CallError, Fault
from assay.wire.exchange import Request
from assay.wire.http_client import Reply, Wire
from assay.wire.limits import CallLimits
from assay.wire.retries import RetryPolicy

T = TypeVar("T")
R = TypeVar("R")

REST_SECONDS = 30.0
"""How long a side that refused access is left alone: a key may be mended while a server runs."""


class Calls:
    """The calls to one destination: its connections, its pace and its budget."""

    def __init__(
        self,
        limits: CallLimits | None = None,
        *,
        secrets: Iterable[str] = (),
        concurrency: int = 8,
        attempts: int = 4,
        budget: Budget | None = None,
        random: Random | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self.budget = budget or Budget(clock=clock)
        self._wire = Wire(limits, secrets=[secret for secret in secrets if secret])
        self._clock = clock
        self._new_pacer = partial(
            RetryPolicy,
            concurrency=concurrency,
            attempts=attempts,
            budget=self.budget,
            random=random,
            clock=clock,
            sleep=sleep,
        )
        self._pacer = self._new_pacer()
        self._denied_at: float | None = None
        weakref.finalize(self, _close, self._wire)

    def ask_all(self, requests: Iterable[Request]) -> list[Reply | CallError]:
        """The answer to each request in order, or why there is none."""
        return self.map(self.send, requests)

    def map(self, ask: Callable[[T], Awaitable[R]], items: Iterable[T]) -> list[R | CallError]:
        """What `ask` gives for each item in order; it may `send` as often as it likes."""

        async def one(item: T) -> R | CallError:
            try:
                return await ask(item)
            except CallError as error:
                return error

        async def every() -> list[R | CallError]:
            return list(await asyncio.gather(*map(one, items)))

        return _loop().run(every())

    async def send(self, request: Request) -> Reply:
        """One request at its turn, repeated where that makes sense; only from inside `map`."""
        if self._denied_at is not None and self._clock() - self._denied_at > REST_SECONDS:
            self._pacer, self._denied_at = self._new_pacer(), None
        try:
            return (await self._pacer.call(lambda: self._wire.send(request))).value
        except CallError as error:
            if error.fault is Fault.ACCESS and self._denied_at is None:
                self._denied_at = self._clock()
            raise


class _Loop:
    """An event loop in a thread that ends with the process."""

    def __init__(self) -> None:
        self.process = os.getpid()
        self.loop = asyncio.new_event_loop()
        self.thread = Thread(target=self.loop.run_forever, name="assay-calls", daemon=True)
        self.thread.start()

    def run(self, work: Coroutine[Any, Any, R]) -> R:
        """What the work gives; an interruption of the caller ends it too."""
        assert current_thread() is not self.thread, "calls are not made from inside a call"
        future = asyncio.run_coroutine_threadsafe(work, self.loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise


_STARTING = Lock()
_loops: list[_Loop] = []


def _loop() -> _Loop:
    """The loop of this process; a forked process starts its own."""
    with _STARTING:
        if not _loops or _loops[-1].process != os.getpid():
            _loops[:] = [_Loop()]
        return _loops[-1]


def _close(wire: Wire) -> None:
    """Close connections that nobody uses any more, when the loop gets to it."""
    if _loops and _loops[-1].process == os.getpid():
        closing = wire.aclose()
        try:
            asyncio.run_coroutine_threadsafe(closing, _loops[-1].loop)
        except RuntimeError:  # the process is ending
            with suppress(RuntimeError):
                closing.close()
