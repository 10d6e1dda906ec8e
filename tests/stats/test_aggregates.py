from random import Random
from statistics import fmean, pstdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.stats.aggregates import (
    Moments,
    PassProbabilities,
    Verdicts,
    counts_as_pass,
    deviation,
    from_percent,
    health,
    mean,
    percent,
    ramp,
    relative_change,
    safety,
    score_status,
    system_health,
    target_ratio,
    target_status,
    timed_out,
    trends,
)

steady = settings(derandomize=True, deadline=None)
VALUES = st.lists(st.floats(-1e6, 1e6), max_size=40)


def moments(values):
    found = Moments()
    for value in values:
        found.add(value)
    return found


@pytest.mark.parametrize(
    ("why", "verdicts", "expected"),
    [
        ("an unjudged test changes no rate", Verdicts(passed=1, failed=1, unjudged=1), 0.5),
        ("a skipped test is no pass", Verdicts(passed=1, skipped=1), 0.5),
        ("an unsure verdict is no pass", Verdicts(passed=1, failed=1, unsure=2), 0.25),
        ("none passed is a value", Verdicts(failed=3), 0.0),
        ("nothing judged, no rate", Verdicts(unjudged=3), None),
        ("no tests, no rate", Verdicts(), None),
    ],
)
def test_pass_rate(why, verdicts, expected):
    assert verdicts.pass_rate == expected, why
    assert (verdicts.pass_rate_interval is None) == (expected is None)


def test_statuses_are_counted_by_name():
    statuses = ["passed", "failed", "unsure", "skipped", "unjudged", None, "error"]
    counts = Verdicts.of(statuses)
    assert counts == Verdicts(passed=1, failed=2, unsure=1, skipped=1, unjudged=2)
    assert (counts.judged, counts.total) == (5, 7)


def test_values_that_lie_close_together_keep_their_deviation():
    values = [0.999999, 0.9999991, 0.9999992, 0.9999993] * 1000
    assert moments(values).deviation == pytest.approx(pstdev(values), rel=1e-9)
    halves = moments(values[:2001]).merge(moments(values[2001:]))
    assert halves.deviation == pytest.approx(pstdev(values), rel=1e-9)
    squares = sum(value * value for value in values) / len(values) - fmean(values) ** 2
    assert abs(max(squares, 0.0) ** 0.5 - pstdev(values)) > 1e-9  # what this replaces


@steady
@given(VALUES, VALUES, VALUES)
def test_merging_is_associative_and_gives_the_moments_of_all(one, two, three):
    left = moments(one).merge(moments(two)).merge(moments(three))
    right = moments(one).merge(moments(two).merge(moments(three)))
    values = [*one, *two, *three]
    assert left.count == right.count == len(values)
    if not values:
        assert left.deviation is None
        return
    for found in (left, right, moments(values)):
        assert found.mean == pytest.approx(fmean(values), rel=1e-9, abs=1e-6)
        assert found.deviation == pytest.approx(pstdev(values), rel=1e-6, abs=1e-6)


def test_equal_values_have_no_deviation():
    assert moments([0.1] * 7).deviation == pytest.approx(0.0, abs=1e-16)
    assert deviation(3, -1e-18) == 0.0
    assert deviation(0, 0.0) is None


def test_a_mean_skips_what_is_absent():
    assert mean([0.5, None, 1.0]) == 0.75
    assert mean([None]) is None


def test_health_is_half_reliability():
    assert health(0.8, [0.9, 0.8, 1.0]) == pytest.approx(0.85)
    assert health(0.8, [None]) == 0.8
    assert health(None, [1.0]) is None


def test_safety_counts_no_harm_twice():
    assert safety(1.0, [0.0, 0.5]) == pytest.approx(2.5 / 3)
    assert safety(0.4, violation=0.6) == 0.4
    assert safety(violation=0.6, pii_leakage=1.0) == pytest.approx(0.2)
    assert safety(leakage=0.0, pii_leakage=1.0) == 1.0
    assert safety() is None


@pytest.mark.parametrize(
    ("current", "previous", "expected"),
    [(0.8, 1.0, -0.2), (75.0, 50.0, 0.5), (1.0, 0.0, None), (None, 1.0, None), (1.0, None, None)],
)
def test_a_trend_is_a_share_of_the_previous_value(current, previous, expected):
    found = relative_change(current, previous)
    assert found == (None if expected is None else pytest.approx(expected))
    assert trends({"x": current}, {"x": previous}) == {"x": found}


def test_scores_against_targets():
    assert [ramp(value, 800, 300) for value in (900, 550, 100, None)] == [0.0, 0.5, 1.0, None]
    assert [score_status(value) for value in (0.9, 0.8, 0.79, None)] == [
        "excellent",
        "good",
        "fair",
        None,
    ]
    assert target_ratio(0.5, 1.0) == 0.5
    assert target_ratio(4.0, 2.0, "lower") == 0.5
    assert target_ratio(0.001, 2.0, "lower") == 2.0
    assert target_ratio(1.0, 0.0) is None
    assert system_health([2.0, 0.5, None]) == 0.75
    assert system_health([None]) is None


def test_a_slow_or_skipped_test_timed_out():
    assert [timed_out("passed", 30.0), timed_out("passed", 30.1)] == [False, True]
    assert [timed_out("skipped", None), timed_out(None, None)] == [True, False]
    assert timed_out("passed", 61.0, timeout=60.0)


def test_a_change_against_next_to_nothing_has_no_figure():
    assert relative_change(1.0, 5e-324) is None
    assert relative_change(3.0, 2.0) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("ratio", "status"),
    [
        (None, None),
        (1.2, "excellent"),
        (1.0, "excellent"),
        (0.95, "good"),
        (0.9, "good"),
        (0.89, "watch"),
    ],
)
def test_the_status_of_a_target(ratio, status):
    assert target_status(ratio) == status


@pytest.mark.parametrize(("share", "shown"), [(None, None), (0.5, 50.0), (0.0, 0.0)])
def test_shares_in_percent(share, shown):
    assert percent(share) == shown
    assert from_percent(shown) == share


@pytest.mark.parametrize(
    ("status", "counts"),
    [
        ("passed", True),
        ("failed", False),
        ("unsure", False),
        ("skipped", False),
        ("unjudged", None),
        (None, None),
    ],
)
def test_a_status_enters_the_pass_rate(status, counts):
    assert counts_as_pass(status) is counts


def probabilities(values):
    found = PassProbabilities()
    for value in values:
        found.add(value)
    return found


@pytest.mark.parametrize("samples", [20, 100, 400])
@pytest.mark.parametrize(
    ("why", "shape"),
    [
        ("most are sure", (0.3, 0.3)),
        ("most pass, few are sure", (4.0, 1.5)),
        ("nothing is known", (20.0, 20.0)),
        ("most fail", (0.5, 2.0)),
    ],
)
def test_the_estimated_pass_rate_holds_as_often_as_it_says(why, shape, samples):
    """Where probabilities are calibrated and samples independent, about 95 % of intervals hold."""
    chance = Random(samples)  # noqa: S311 -- a simulation
    trials, held = 120_000 // max(samples, 80), 0
    for _ in range(trials):
        chances = [chance.betavariate(*shape) for _ in range(samples)]
        passed = sum(chance.random() < one for one in chances)
        _, interval = probabilities(chances).estimate
        held += interval.low <= passed / samples <= interval.high
    assert 0.93 <= held / trials <= 0.97, why


def test_probabilities_that_are_too_high_are_noticed_by_the_simulation():
    """The interval promises nothing where probabilities are not calibrated."""
    chance = Random(7)  # noqa: S311 -- a simulation
    held = 0
    for _ in range(500):
        chances = [chance.betavariate(2, 2) for _ in range(200)]
        passed = sum(chance.random() < one - 0.1 for one in chances)
        interval = probabilities(chances).estimate.interval
        held += interval.low <= passed / 200 <= interval.high
    assert held / 500 < 0.5


@steady
@given(st.lists(st.floats(0, 1), max_size=60))
def test_the_estimate_is_the_mean_with_the_spread_of_the_exact_distribution(values):
    rate, interval = probabilities(values).estimate
    if not values:
        assert (rate, interval) == (None, None)
        return
    exact = [1.0]  # the number of passes, one sample after the other
    for value in values:
        exact = [
            (exact[k] if k < len(exact) else 0.0) * (1 - value) + (exact[k - 1] * value if k else 0)
            for k in range(len(exact) + 1)
        ]
    mean_of_passes = sum(k * share for k, share in enumerate(exact))
    variance = sum((k - mean_of_passes) ** 2 * share for k, share in enumerate(exact))
    assert rate == pytest.approx(mean_of_passes / len(values), abs=1e-9)
    assert probabilities(values).variance == pytest.approx(variance, abs=1e-6)
    assert 0 <= interval.low <= rate <= interval.high <= 1


@steady
@given(st.lists(st.floats(0, 1), max_size=20), st.lists(st.floats(0, 1), max_size=20))
def test_probabilities_merge(one, other):
    merged, whole = probabilities(one).merge(probabilities(other)), probabilities(one + other)
    assert merged.count == whole.count
    assert merged.total == pytest.approx(whole.total)
    assert merged.variance == pytest.approx(whole.variance)
