"""Pace, repetitions, budgets and giving up, in a time of their own."""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Callable
from email.utils import formatdate
from random import Random

import pytest
from tests.wire.virtual import answers, now, pacer, run

from assay.wire.budget import Budget, CallSpending
from assay.wire.call_errors import CallError, Fault
from assay.wire.fault_classes import retry_after
from assay.wire.retries import BELIEVED, CallOutcome

EPOCH = 1_700_000_000.25
"""The time of day at second 0 of a test; dates have no fractions, so it is none."""

HEADERS: dict[str, Callable[[float], str | None]] = {
    "whole seconds": lambda wait: str(math.ceil(wait)),
    "fractions": lambda wait: f"{wait:.3f}",
    "date": lambda wait: formatdate(math.ceil(EPOCH + now() + wait), usegmt=True),
    "date without a zone": lambda wait: formatdate(math.ceil(EPOCH + now() + wait))[:-6],
    "past date": lambda wait: formatdate(EPOCH + now() - 3600, usegmt=True),
    "nought": lambda wait: "0",
    "negative": lambda wait: "-3",
    "thirty years": lambda wait: "1000000000",
    "garbage": lambda wait: "soon; drop table",
    "absent": lambda wait: None,
}


class Bucket:
    """A side that bears `rate` calls a second, with as many saved up at most."""

    def __init__(self, header: Callable[[float], str | None], rate: float = 50.0) -> None:
        self.starts: list[float] = []
        self.first_refusal = math.inf
        self.too_early = 0
        self._header = header
        self._rate = self._tokens = rate
        self._at = 0.0
        self._closed_until = 0.0
        self._random = Random(7)  # noqa: S311 -- the same every time

    async def ask(self) -> str:
        """Answers, or refuses and says when to come again."""
        self.starts.append(now())
        self.too_early += now() < self._closed_until
        await asyncio.sleep(self._random.uniform(0.02, 0.08))
        self._tokens = min(self._rate, self._tokens + (now() - self._at) * self._rate)
        self._at = now()
        has_room = self._tokens >= 1
        self._tokens -= has_room
        wait = (1 - self._tokens) / self._rate
        await asyncio.sleep(self._random.uniform(0.02, 0.08))
        if has_room:
            return "yes"
        header = self._header(wait)
        seconds = None if header is None else retry_after(header, EPOCH + now())
        if seconds is not None and seconds <= BELIEVED:
            self._closed_until = max(self._closed_until, now() + seconds)
        self.first_refusal = min(self.first_refusal, now())
        raise CallError("too many calls", Fault.RATE, status=429, retry_after=seconds)


@pytest.mark.parametrize("name", HEADERS)
def test_a_storm_of_refusals_is_sat_out(name: str) -> None:
    async def main() -> tuple[Bucket, list[object], float]:
        bucket, shared = Bucket(HEADERS[name]), pacer(concurrency=64)
        given = await answers([shared.call(bucket.ask) for _ in range(5_000)])
        return bucket, list(given), now()

    bucket, given, seconds = run(main)
    assert [type(one) for one in given] == [CallOutcome] * 5_000
    assert bucket.too_early == 0
    assert len(bucket.starts) <= 1.2 * 5_000
    assert 5_000 / seconds >= 0.8 * 50
    later = [start for start in bucket.starts if start > bucket.first_refusal]
    assert _most_within(later, 0.1) <= 2 * 50 * 0.1


def _most_within(times: list[float], seconds: float) -> int:
    most = first = 0
    for last, time in enumerate(times):
        while time - times[first] > seconds:
            first += 1
        most = max(most, last - first + 1)
    return most


def test_a_given_rate_is_never_exceeded() -> None:
    starts: list[float] = []

    async def ask() -> None:
        starts.append(now())

    async def main() -> None:
        shared = pacer(rate=10, concurrency=64)
        await answers([shared.call(ask) for _ in range(100)])

    run(main)
    assert len(starts) == 100
    assert _most_within(starts, 0.99) <= 10
    assert starts[-1] == pytest.approx(9.9)


def test_concurrency_starts_low_grows_and_is_halved() -> None:
    seen: list[int] = []

    async def main() -> None:
        shared = pacer(concurrency=32)
        active = 0

        async def ask() -> None:
            nonlocal active
            active += 1
            seen.append(active)
            await asyncio.sleep(1)
            active -= 1

        async def fail() -> None:
            raise CallError("overloaded", Fault.SERVER)

        await answers([shared.call(ask) for _ in range(200)])
        assert seen[:5] == [1, 2, 3, 4, 1]
        assert max(seen) == 32
        before = shared.concurrency
        with pytest.raises(CallError):
            await shared.call(fail)
        assert shared.concurrency <= before // 2

    run(main)


@pytest.mark.parametrize("rate", [0.0, 0.1, 0.5, 0.9, 1.0])
def test_no_record_is_tried_more_often_than_configured(rate: float) -> None:
    tried: Counter[int] = Counter()
    chance = Random(5)  # noqa: S311 -- the same every time

    async def ask(record: int) -> str:
        tried[record] += 1
        await asyncio.sleep(0.01)
        if chance.random() < rate:
            raise CallError("failed", Fault.SERVER)
        return "yes"

    async def main() -> list[object]:
        shared = pacer(attempts=3, concurrency=16)
        calls = [shared.call(lambda n=n: ask(n)) for n in range(300)]  # type: ignore[misc]
        return list(await answers(calls))

    given = run(main)
    assert len(given) == 300
    assert max(tried.values()) <= 3
    for record, one in enumerate(given):
        assert isinstance(one, CallOutcome | CallError)
        assert one.attempts == tried[record]


@pytest.mark.parametrize("fault", [fault for fault in Fault if not fault.is_passing])
def test_what_does_not_pass_is_tried_once(fault: Fault) -> None:
    tries = 0

    async def ask() -> None:
        nonlocal tries
        tries += 1
        raise CallError("no", fault)

    async def main() -> None:
        with pytest.raises(CallError) as caught:
            await pacer().call(ask)
        assert (caught.value.fault, caught.value.attempts) == (fault, 1)

    run(main)
    assert tries == 1


def test_no_call_is_made_beyond_the_cap() -> None:
    made = 0

    async def ask() -> None:
        nonlocal made
        made += 1
        await asyncio.sleep(1)

    async def main() -> list[object]:
        shared = pacer(concurrency=8, budget=Budget(max_calls=10, clock=now))
        return list(await answers([shared.call(ask) for _ in range(50)]))

    given = run(main)
    assert made == 10
    assert sum(isinstance(one, CallOutcome) for one in given) == 10
    faults = {one.fault for one in given if isinstance(one, CallError)}
    assert faults == {Fault.BUDGET}


@pytest.mark.parametrize("cap", ["max_tokens", "max_spend"])
def test_costs_exceed_their_cap_by_the_calls_on_their_way_at_most(cap: str) -> None:
    async def main() -> CallSpending:
        budget = Budget(clock=now, **{cap: 100})
        shared = pacer(concurrency=8, budget=budget)

        async def ask() -> None:
            await asyncio.sleep(1)
            budget.add(tokens=7, spend=7.0)

        await answers([shared.call(ask) for _ in range(200)])
        return budget.spent

    spent = run(main)
    assert 100 <= spent.tokens == spent.spend <= 100 + 8 * 7


def test_time_is_a_budget_too() -> None:
    async def main() -> list[object]:
        shared = pacer(concurrency=1, budget=Budget(max_seconds=10, clock=now))
        return list(await answers([shared.call(lambda: asyncio.sleep(3)) for _ in range(9)]))

    given = run(main)
    assert [isinstance(one, CallOutcome) for one in given] == [True] * 4 + [False] * 5


@pytest.mark.parametrize("status", [401, 404, 407])
def test_a_wrong_key_ends_everything_at_once(status: int) -> None:
    made = 0

    async def main() -> tuple[list[object], float]:
        shared = pacer(concurrency=8)

        async def ask() -> None:
            nonlocal made
            made += 1
            if made == 20:
                raise CallError("no entry", Fault.ACCESS, status=status)
            await asyncio.sleep(5)

        given = await answers([shared.call(ask) for _ in range(500)])
        with pytest.raises(CallError, match="no entry"):
            await shared.call(ask)
        return list(given), now()

    given, seconds = run(main)
    assert made <= 20
    assert seconds <= 15
    faults = Counter(one.fault for one in given if isinstance(one, CallError))
    assert faults[Fault.ACCESS] == 500 - sum(isinstance(one, CallOutcome) for one in given)


def test_one_question_that_is_forbidden_ends_nothing_once_answers_came() -> None:
    made = 0

    async def ask() -> None:
        nonlocal made
        made += 1
        await asyncio.sleep(0.1)
        if made % 10 == 0:
            raise CallError("forbidden", Fault.ACCESS, status=403)

    async def main() -> list[object]:
        shared = pacer(concurrency=1)
        return list(await answers([shared.call(ask) for _ in range(50)]))

    assert sum(isinstance(one, CallOutcome) for one in run(main)) == 45


def test_forbidden_from_the_start_ends_everything() -> None:
    made = 0

    async def ask() -> None:
        nonlocal made
        made += 1
        raise CallError("forbidden", Fault.ACCESS, status=403)

    async def main() -> None:
        shared = pacer(concurrency=4)
        await answers([shared.call(ask) for _ in range(50)])

    run(main)
    assert made <= 4


def test_while_the_other_side_is_down_few_calls_are_wasted_and_none_is_lost() -> None:
    wasted = 0

    async def ask() -> str:
        nonlocal wasted
        await asyncio.sleep(0.05)
        if 20 <= now() < 80:
            wasted += now() > 21
            raise CallError("connection refused", Fault.CONNECTION)
        return "yes"

    async def main() -> list[object]:
        shared = pacer(concurrency=16)
        return list(await answers([shared.call(ask) for _ in range(10_000)]))

    given = run(main)
    assert wasted <= 10
    assert all(isinstance(one, CallOutcome) for one in given)


def test_a_side_that_never_answers_is_given_up() -> None:
    made = 0

    async def ask() -> None:
        nonlocal made
        made += 1
        raise CallError("connection refused", Fault.CONNECTION)

    async def main() -> tuple[list[object], float]:
        shared = pacer(concurrency=8)
        return list(await answers([shared.call(ask) for _ in range(5_000)])), now()

    given, seconds = run(main)
    assert made <= 20
    assert seconds <= 60
    assert {one.fault for one in given if isinstance(one, CallError)} == {Fault.CONNECTION}
    assert len(given) == 5_000


def test_a_longer_pause_than_allowed_is_not_waited_for() -> None:
    made = 0

    async def ask() -> None:
        nonlocal made
        made += 1
        raise CallError("tomorrow", Fault.RATE, retry_after=3_600)

    async def main() -> tuple[list[object], float]:
        shared = pacer(concurrency=2)
        return list(await answers([shared.call(ask) for _ in range(100)])), now()

    given, seconds = run(main)
    assert made <= 2
    assert seconds == 0
    assert {one.fault for one in given if isinstance(one, CallError)} == {Fault.RATE}


def test_repetitions_do_not_come_in_step() -> None:
    starts: list[float] = []

    async def ask() -> None:
        starts.append(now())
        if len(starts) <= 4:
            raise CallError("failed", Fault.SERVER)

    async def main() -> None:
        shared = pacer(concurrency=4)
        await answers([shared.call(ask) for _ in range(4)])

    run(main)
    repeated = starts[4:]
    assert len(set(repeated)) == 4
    assert min(repeated) >= 0.5


def test_a_cancelled_caller_leaves_its_place() -> None:
    async def main() -> None:
        shared = pacer(concurrency=1)
        stuck = asyncio.ensure_future(shared.call(lambda: asyncio.sleep(1e6)))
        waiting = asyncio.ensure_future(shared.call(lambda: asyncio.sleep(1e6)))
        await asyncio.sleep(1)
        waiting.cancel()
        stuck.cancel()
        given = await answers([stuck, waiting])
        assert [type(one) for one in given] == [asyncio.CancelledError] * 2
        assert (await shared.call(lambda: asyncio.sleep(1, "yes"))).value == "yes"

    run(main)


def test_an_unforeseen_exception_leaves_its_place_too() -> None:
    async def broken() -> None:
        raise ValueError("a bug")

    async def main() -> None:
        shared = pacer(concurrency=1)
        for _ in range(3):
            with pytest.raises(ValueError, match="a bug"):
                await shared.call(broken)

    run(main)


def test_waiting_is_told_apart_from_the_call() -> None:
    tries = 0

    async def ask() -> str:
        nonlocal tries
        tries += 1
        await asyncio.sleep(2)
        if tries == 1:
            raise CallError("later", Fault.RATE, retry_after=10)
        return "yes"

    async def main() -> CallOutcome[str]:
        return await pacer().call(ask)

    paced = run(main)
    assert (paced.value, paced.attempts) == ("yes", 2)
    assert 10 <= paced.waited <= 11
