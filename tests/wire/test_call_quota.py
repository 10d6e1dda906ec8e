"""Policies of several systems keep to one quota and one budget, and to nothing else together."""

import asyncio

import pytest
from tests.wire.virtual import answers, now, pacer, run

from assay.wire.budget import Budget
from assay.wire.call_errors import CallError, Fault
from assay.wire.call_quota import CallQuota
from assay.wire.concurrency import ConcurrencyLimit


class System:
    """Takes a second for each call, and knows how many it had at a time."""

    def __init__(self, busy, error=None):
        self.starts = []
        self.busy = busy
        self._error = error

    async def ask(self):
        self.starts.append(now())
        self.busy.append(+1)
        try:
            await asyncio.sleep(1.0)
        finally:
            self.busy.append(-1)
        if self._error:
            raise self._error
        return "yes"


def most(busy):
    active, found = 0, 0
    for step in busy:
        active += step
        found = max(found, active)
    return found


def test_calls_at_a_time_are_counted_over_all_systems():
    async def main():
        quota = CallQuota(concurrency=5, clock=now)
        busy = []
        systems = [System(busy) for _ in range(3)]
        calls = []
        for system in systems:
            policy = pacer(concurrency=5, quota=quota)
            calls += [policy.call(system.ask) for _ in range(20)]
        assert {outcome.value for outcome in await answers(calls)} == {"yes"}
        return most(busy), [len(system.starts) for system in systems], now()

    assert run(main) == (5, [20, 20, 20], 12.0)


def test_calls_a_second_are_counted_over_all_systems():
    async def main():
        quota = CallQuota(concurrency=50, rate=2.0, clock=now)
        systems = [System([]) for _ in range(2)]
        calls = []
        for system in systems:
            policy = pacer(concurrency=50, quota=quota)
            calls += [policy.call(system.ask) for _ in range(10)]
        await answers(calls)
        return sorted(start for system in systems for start in system.starts)

    starts = run(main)
    assert starts == pytest.approx([n / 2 for n in range(20)])


def test_a_system_with_a_wrong_key_ends_its_own_calls_alone():
    async def main():
        quota = CallQuota(concurrency=2, clock=now)
        good, bad = System([]), System([], CallError("no key", Fault.ACCESS, status=401))
        one, other = pacer(quota=quota), pacer(quota=quota)
        calls = [one.call(good.ask) for _ in range(10)] + [other.call(bad.ask) for _ in range(10)]
        outcomes = await answers(calls)
        return [getattr(outcome, "value", None) for outcome in outcomes], len(bad.starts)

    values, asked = run(main)
    assert values == ["yes"] * 10 + [None] * 10
    assert asked <= 2


def test_a_pause_of_one_system_does_not_hold_the_places_of_others():
    async def main():
        quota = CallQuota(concurrency=2, clock=now)
        busy_error = CallError("slowly", Fault.RATE, status=429, retry_after=60.0)
        paused, free = System([], busy_error), System([])
        one, other = pacer(quota=quota, attempts=2), pacer(quota=quota)
        calls = [one.call(paused.ask) for _ in range(4)]
        calls += [other.call(free.ask) for _ in range(10)]
        outcomes = await answers(calls)
        assert [getattr(outcome, "value", None) for outcome in outcomes[4:]] == ["yes"] * 10
        return max(free.starts), [start for start in paused.starts if 3.0 < start < 61.0]

    last, early = run(main)
    assert last < 60
    assert early == []


def test_the_budget_is_one_for_all():
    async def main():
        budget = Budget(max_calls=7, clock=now)
        quota = CallQuota(concurrency=3, clock=now)
        systems = [System([]) for _ in range(3)]
        calls = []
        for system in systems:
            policy = pacer(quota=quota, budget=budget)
            calls += [policy.call(system.ask) for _ in range(5)]
        outcomes = await answers(calls)
        faults = {str(o.fault) for o in outcomes if isinstance(o, CallError)}
        return sum(len(system.starts) for system in systems), faults

    assert run(main) == (7, {"budget"})


def test_a_caller_that_gives_up_gives_its_place_back():
    async def main():
        quota = CallQuota(concurrency=1, rate=0.1, clock=now)
        await quota.enter()
        quota.leave()
        waiting = asyncio.ensure_future(quota.enter())  # has the place, waits for its time
        await asyncio.sleep(1.0)
        waiting.cancel()
        await answers([waiting])
        await quota.enter()
        return now()

    assert run(main) == pytest.approx(20.0)


def test_the_lowest_order_goes_first_and_what_is_begun_before_all():
    async def main():
        gate = ConcurrencyLimit(1)
        await gate.enter()
        entered = []

        async def caller(name, **turn):
            await gate.enter(**turn)
            entered.append(name)
            gate.leave()

        names = [("b", 2.0), ("c", 3.0), ("a", 1.0), ("b2", 2.0)]
        callers = [asyncio.ensure_future(caller(name, order=order)) for name, order in names]
        callers.append(asyncio.ensure_future(caller("begun", is_first=True)))
        await asyncio.sleep(0)
        gate.leave()
        await asyncio.gather(*callers)
        return entered

    assert run(main) == ["begun", "a", "b", "b2", "c"]
