"""Differences of means and rates of two sets of samples that are not paired, from their sums."""

from __future__ import annotations

from math import erfc, exp, hypot, lgamma, log1p, sqrt
from typing import NamedTuple

from assay.core import Interval
from assay.stats.aggregates import Moments
from assay.stats.intervals import Z, wilson

MIN_VALUES = 30
"""Values of each side with which the normal distribution is near enough."""


TIE = 1e-7
"""By how much of itself a probability may exceed another and still be the same, as in R."""


class Difference(NamedTuple):
    """B − A with its 95 % interval, and how likely chance alone gives one as large."""

    value: float
    interval: Interval
    p: float


def mean_difference(a: Moments, b: Moments) -> Difference | None:
    """The difference of two means with unequal variances (Welch), by the normal distribution.

    None with fewer than `MIN_VALUES` on a side.
    """
    if min(a.count, b.count) < MIN_VALUES:
        return None
    return by_errors(b.mean - a.mean, a.error, b.error)


def by_errors(value: float, error_a: float, error_b: float) -> Difference:
    """A difference of two estimates whose standard errors are known."""
    error = hypot(error_a, error_b)
    interval = Interval(value - Z * error, value + Z * error)
    return Difference(value, interval, _two_sided(value, error))


def rate_difference(
    passed_a: int, judged_a: int, passed_b: int, judged_b: int
) -> Difference | None:
    """The difference of two rates: Newcombe's interval (1998, method 10), and the pooled z test."""
    own_a, own_b = wilson(passed_a, judged_a), wilson(passed_b, judged_b)
    if own_a is None or own_b is None:
        return None
    a, b = passed_a / judged_a, passed_b / judged_b
    low = hypot(own_a.high - a, b - own_b.low)
    high = hypot(a - own_a.low, own_b.high - b)
    pooled = (passed_a + passed_b) / (judged_a + judged_b)
    error = sqrt(pooled * (1 - pooled) * (1 / judged_a + 1 / judged_b))
    return Difference(b - a, Interval(b - a - low, b - a + high), _two_sided(b - a, error))


def exact_rate_test(passed_a: int, judged_a: int, passed_b: int, judged_b: int) -> float:
    """Fisher's exact test of two rates: the two-sided p, for any number of samples.

    The chance of all tables with the same sums that are no likelier than this one.
    """
    passed, judged = passed_a + passed_b, judged_a + judged_b

    def chance(own: int) -> float:
        """The logarithm of the chance that `own` of the passes are in A."""
        return (
            _log_choices(judged_a, own)
            + _log_choices(judged_b, passed - own)
            - _log_choices(judged, passed)
        )

    bound = chance(passed_a) + log1p(TIE)
    tables = range(max(0, passed - judged_b), min(passed, judged_a) + 1)
    chances = map(chance, tables)
    return min(1.0, sum(exp(one) for one in chances if one <= bound))


def _log_choices(n: int, k: int) -> float:
    """The logarithm of the number of ways to choose k of n."""
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


def _two_sided(value: float, error: float) -> float:
    if not error:
        return float(value == 0)
    return erfc(abs(value) / error / sqrt(2))
