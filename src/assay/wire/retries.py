"""The one layer that repeats calls: how many at a time, how quickly, how often, until when."""

from __future__ import annotations

import asyncio
import time
from asyncio import CancelledError, Future
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Generic, TypeVar

from assay.wire.budget import Budget
from assay.wire.call_errors import CallError, Fault
from assay.wire.call_quota import CallQuota
from assay.wire.circuit import DOWN, Circuit
from assay.wire.concurrency import ConcurrencyLimit
from assay.wire.rate_limiter import RateLimiter

T = TypeVar("T")

FIRST_WAIT = 0.5
LONGEST_WAIT = 30.0
"""Seconds before a repetition: doubled from the first to the longest, with as much again of
chance added."""
NOBODY = 10.0
BUSY = 30.0
"""Seconds that a side which never answered is waited for: where nobody listens, and where somebody
does, such as a server that is still loading its model."""
BELIEVED = 86_400.0
"""A longer Retry-After than a day is taken for a mistake, as if none was given."""
DENIALS = 3
"""As many 403 in a row end everything once answers have come; a single one may be about one
question, such as a firewall's."""


@dataclass(frozen=True, slots=True)
class CallOutcome(Generic[T]):
    """What a call gave, and what it took."""

    value: T
    attempts: int
    waited: float
    """Seconds spent waiting for a turn, a pause or a repetition; not those of the call."""


class RetryPolicy:
    """Makes calls at the pace that the other side tolerates, and repeats what may succeed later.

    All calls of one destination go through one pacer, in one event loop: they share its concurrency
    (which adapts between 1 and `concurrency`), its pace (`rate` calls a second at most), a
    Retry-After, the news that the other side is down, and the budget. A call is tried `attempts`
    times at most and waits `max_wait` seconds at most for pauses and repetitions. Faults that do
    not pass are not repeated; one that concerns all ends every call. Policies of several
    destinations keep to one `quota`, and to one budget, where they are given it.
    """

    def __init__(
        self,
        *,
        concurrency: int = 8,
        rate: float | None = None,
        attempts: int = 4,
        budget: Budget | None = None,
        quota: CallQuota | None = None,
        max_wait: float = 120.0,
        random: Random | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self.budget = budget or Budget(clock=clock)
        self._quota = quota
        self._attempts = attempts
        self._max_wait = max_wait
        self._random = random or Random()  # noqa: S311 -- spreads calls, guards nothing
        self._clock = clock
        self._sleep = sleep
        self._gate = ConcurrencyLimit(concurrency)
        self._pace = RateLimiter(rate, clock())
        self._circuit = Circuit()
        self._paused_until = float("-inf")
        self._refusals = 0
        self._denials = 0
        self._cut_at = float("-inf")
        self._end: CallError | None = None
        self._naps: set[Future[Any]] = set()
        self._running: set[Future[Any]] = set()

    @property
    def concurrency(self) -> int:
        """Calls that may go on at a time just now."""
        return int(min(self._gate.limit, 1_000_000))

    async def call(
        self, ask: Callable[[], Awaitable[T]], *, goes_on: bool = False, order: float = 0.0
    ) -> CallOutcome[T]:
        """What `ask` gives, repeated where that makes sense.

        One that `goes_on` with something begun has its turn before those that begin; of these, the
        lowest `order` first. Raises the last `CallError`, with its `attempts`; those that never got
        a turn have 0.
        """
        began = self._clock()
        calling = held = 0.0
        for attempt in range(1, self._attempts + 1):
            await self._gate.enter(is_first=goes_on, order=order)
            started = None
            try:
                held = await self._turn(held, attempt - 1)
                started = self._clock()
                value = await self._run(ask)
                self._went_well(started)
                calling += self._clock() - started
                return CallOutcome(value, attempt, self._clock() - began - calling)
            except CallError as error:
                if started is None:
                    raise
                calling += self._clock() - started
                error.attempts = attempt
                self._went_wrong(error, started)
                wait = self._wait_before(attempt, error)
                if attempt == self._attempts or held + wait > self._max_wait:
                    raise
                if self._end or not error.fault.is_passing:
                    raise
            finally:
                if started is not None:
                    self._leave_quota()
                self._gate.leave()
            held += await self._nap(wait)
        raise AssertionError("the last attempt returns or raises")

    @property
    def ended(self) -> CallError | None:
        """Why no further call is made; None while calls are."""
        return self._end

    def finish(self, error: CallError) -> None:
        """Let no further call begin; those that go on may end."""
        self._end = self._end or error
        self._gate.let_all_in()
        self._wake()

    def stop(self, error: CallError) -> None:
        """End every call with this error: those that wait, those to come, those that go on."""
        self.finish(error)
        for running in list(self._running):
            running.cancel()

    async def _run(self, ask: Callable[[], Awaitable[T]]) -> T:
        running = asyncio.ensure_future(ask())
        self._running.add(running)
        try:
            return await running
        except CancelledError:
            if self._end and not _is_cancelled():
                raise self._ended() from None
            running.cancel()
            raise
        finally:
            self._running.discard(running)

    async def _turn(self, held: float, attempts: int) -> float:
        """Wait until a call may be made; gives the seconds held up so far."""
        while True:
            if self._end:
                raise self._ended(attempts)
            now = self._clock()
            if (wait := self._paused_until - now) > 0:
                self._refuse_long(held + wait, attempts)
                held += await self._nap(wait + self._random.random() * min(1.0, 0.1 + wait / 4))
            elif (wait := self._circuit.wait(now)) > 0:
                self._refuse_dead(now, held + wait, attempts)
                held += await self._nap(wait)
            elif await self._reached(self._pace.reserve(now)):
                self._admit(attempts)
                return held

    async def _reached(self, start: float) -> bool:
        """Wait for the reserved time; whether the call may be made then.

        A pause that came in between has given that time to another.
        """
        pause = self._paused_until
        while (wait := start - self._clock()) > 0 and self._is_free(pause):
            await self._nap(wait)
        if not self._is_free(pause):
            return False
        if self._quota:
            await self._quota.enter()
        if self._is_free(pause) and self._circuit.pass_through(self._clock()):
            return True
        self._leave_quota()
        return False

    def _leave_quota(self) -> None:
        if self._quota:
            self._quota.leave()

    def _is_free(self, pause: float) -> bool:
        is_same = self._end is None and self._paused_until == pause
        return is_same and self._circuit.wait(self._clock()) <= 0

    def _admit(self, attempts: int) -> None:
        try:
            self.budget.admit()
        except CallError as error:
            error.attempts = attempts
            self._leave_quota()
            self.finish(error)
            raise

    def _refuse_long(self, held: float, attempts: int) -> None:
        if held > self._max_wait:
            message = f"too many calls; the pause is longer than the {self._max_wait:g} s allowed"
            raise _error(CallError(message, Fault.RATE), attempts)

    def _refuse_dead(self, now: float, held: float, attempts: int) -> None:
        """Give up where the other side has been down for too long."""
        last, opened_at = self._circuit.last, self._circuit.opened_at
        assert last is not None
        assert opened_at is not None
        patience = self._max_wait
        if not self._circuit.has_lived:
            patience = min(NOBODY if last.fault is Fault.CONNECTION else BUSY, patience)
        if now - opened_at > patience or held > self._max_wait:
            raise _error(last, attempts)

    def _went_well(self, started: float) -> None:
        now = self._clock()
        self._refusals = self._denials = 0
        self._circuit.has_lived = True
        if self._circuit.close():
            self._wake()
        self._pace.speed_up(now)
        if started >= self._cut_at:
            self._gate.grow()

    def _went_wrong(self, error: CallError, started: float) -> None:
        now = self._clock()
        if error.fault in DOWN:
            self._circuit.fault(error, started, now)
        elif self._circuit.close():
            self._wake()
        if error.fault.is_passing and error.fault is not Fault.CONNECTION:
            self._ease(error, started, now)
        if error.fault is Fault.RATE or _requested_wait(error) is not None:
            self._pause(error, now)
        if error.fault.concerns_all and self._is_end(error):
            self.stop(error)

    def _is_end(self, error: CallError) -> bool:
        self._denials += 1
        return error.status != 403 or not self._circuit.has_lived or self._denials >= DENIALS

    def _ease(self, error: CallError, started: float, now: float) -> None:
        """Take it slower, once for all calls that were on their way together.

        Too many calls at a time and too many a second are two things: once a pace is learned, a
        refusal lowers that alone.
        """
        if started < self._cut_at:
            return
        self._cut_at = now
        if error.fault is not Fault.RATE or self._pace.rate is None:
            self._gate.halve()
        if error.fault is Fault.RATE:
            self._refusals += 1
            self._pace.slow_down(now)

    def _pause(self, error: CallError, now: float) -> None:
        """Hold all calls back for as long as was asked, never less."""
        own = _doubled(self._refusals) if error.fault is Fault.RATE else 0.0
        until = now + max(_requested_wait(error) or 0.0, own)
        if until > self._paused_until:
            self._paused_until = until
            self._pace.hold(now, until)

    def _wait_before(self, attempt: int, error: CallError) -> float:
        """The call's own wait before its next attempt; a pause for all is waited for anyway."""
        if error.fault is Fault.RATE:
            return 0.0
        return _doubled(attempt) * (1 + self._random.random())

    async def _nap(self, seconds: float) -> float:
        """Sleep, until something changes at the earliest; gives the seconds slept."""
        if seconds <= 0 or self._end:
            return 0.0
        began = self._clock()
        nap = asyncio.ensure_future(self._sleep(seconds))
        self._naps.add(nap)
        try:
            await nap
        except CancelledError:
            if _is_cancelled() or not nap.cancelled():
                nap.cancel()
                raise
        finally:
            self._naps.discard(nap)
        return self._clock() - began

    def _wake(self) -> None:
        for nap in list(self._naps):
            nap.cancel()

    def _ended(self, attempts: int = 0) -> CallError:
        assert self._end is not None
        return _error(self._end, attempts)


def _is_cancelled() -> bool:
    """Whether it is the caller's own task that is being cancelled."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _error(last: CallError, attempts: int) -> CallError:
    """The same error for another call."""
    error = CallError(str(last), last.fault, status=last.status)
    error.attempts = attempts
    return error


def _requested_wait(error: CallError) -> float | None:
    seconds = error.retry_after
    return seconds if seconds is not None and 0 <= seconds <= BELIEVED else None


def _doubled(times: int) -> float:
    return float(min(FIRST_WAIT * 2 ** max(times - 1, 0), LONGEST_WAIT))
