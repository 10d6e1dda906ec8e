from __future__ import annotations

from fractions import Fraction
from math import comb
from statistics import NormalDist, fmean, variance

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.stats.aggregates import Moments
from assay.stats.unpaired import exact_rate_test, mean_difference, rate_difference

VALUES = st.lists(st.integers(0, 20).map(float), min_size=30, max_size=60)


def moments(values: list[float]) -> Moments:
    mean = fmean(values)
    return Moments(len(values), mean, sum((value - mean) ** 2 for value in values))


@given(VALUES, VALUES)
def test_means_differ_as_welch_says(a: list[float], b: list[float]) -> None:
    found = mean_difference(moments(a), moments(b))
    assert found is not None
    error = (variance(a) / len(a) + variance(b) / len(b)) ** 0.5
    difference = fmean(b) - fmean(a)
    assert found.value == pytest.approx(difference)
    assert found.interval.low == pytest.approx(difference - 1.959963984540054 * error)
    assert found.interval.high == pytest.approx(difference + 1.959963984540054 * error)
    if error:
        expected = 2 * NormalDist().cdf(-abs(difference) / error)
        assert found.p == pytest.approx(expected, abs=1e-12)
    else:
        assert found.p == float(difference == 0)


def test_few_values_say_nothing() -> None:
    assert mean_difference(Moments(29, 0.5, 1.0), Moments(900, 0.5, 1.0)) is None


@pytest.mark.parametrize(
    ("a", "b", "low", "high"),
    [
        ((48, 80), (56, 70), 0.0524, 0.3339),
        ((3, 10), (9, 10), 0.1705, 0.8090),
        ((0, 10), (0, 10), -0.2775, 0.2775),
    ],
    ids=str,
)
def test_rates_differ_as_newcombe_says(
    a: tuple[int, int], b: tuple[int, int], low: float, high: float
) -> None:
    """Rows of table II of Newcombe (1998), method 10, and what Wilson's limits give."""
    found = rate_difference(*a, *b)
    assert found is not None
    assert found.interval == pytest.approx((low, high), abs=1e-4)


def test_no_judged_sample_gives_no_difference() -> None:
    assert rate_difference(0, 0, 5, 10) is None


RATES = st.integers(1, 40).flatmap(
    lambda judged: st.tuples(st.integers(0, judged), st.just(judged))
)


@given(RATES, RATES)
def test_rates_are_compared_exactly(a: tuple[int, int], b: tuple[int, int]) -> None:
    passed = a[0] + b[0]

    def ways(own: int) -> int:
        return comb(a[1], own) * comb(b[1], passed - own)

    tables = [ways(own) for own in range(min(passed, a[1]) + 1)]
    rare = sum(one for one in tables if one <= ways(a[0]))
    expected = float(Fraction(rare, comb(a[1] + b[1], passed)))
    assert exact_rate_test(*a, *b) == pytest.approx(expected, rel=1e-9)
    assert exact_rate_test(*b, *a) == pytest.approx(expected, rel=1e-9)


def test_an_exact_test_takes_many_samples() -> None:
    assert exact_rate_test(50_000, 100_000, 450_000, 900_000) == pytest.approx(1.0)
    assert exact_rate_test(49_000, 100_000, 450_000, 900_000) < 1e-8
