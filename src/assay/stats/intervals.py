"""95 % intervals: Wilson for rates, the bootstrap for means (BCa, widened for few samples)."""

from __future__ import annotations

import random
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import lru_cache
from math import sqrt
from typing import Any, NamedTuple

from assay.core import Interval
from assay.stats.student import normal_quantile, student_quantile

Array = Any
"""A numpy array."""
Z = 1.959963984540054
"""The 97.5 % point of the normal distribution."""
REPLICATES = 1000
"""Resamples of a bootstrap; 1,000 put the ends of a 95 % interval within a few per cent."""


class Estimate(NamedTuple):
    """A figure with its 95 % interval."""

    value: float | None
    interval: Interval | None

    def to_json(self) -> dict[str, Any]:
        """The figure as plain data."""
        return {"value": self.value, "interval": self.interval}


def wilson(successes: float, total: float, quantile: float = Z) -> Interval | None:
    """The 95 % interval of a rate (Wilson 1927), which holds at 0, at 1 and for few samples.

    Neither needs to be whole: a rate that rests on unlike samples has an effective number of them.
    `quantile` is Student's where that number is itself estimated.
    """
    if not total:
        return None
    rate = successes / total
    share = quantile * quantile / total
    centre = (rate + share / 2) / (1 + share)
    half = quantile * sqrt(rate * (1 - rate) / total + share / (4 * total)) / (1 + share)
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == total else min(1.0, centre + half)
    return Interval(low, high)


def mean_of_equals(
    value: float, samples: int, range: tuple[float | None, float | None]
) -> Interval | None:
    """The 95 % interval of the mean of samples that all have the same value.

    They show no spread, which is not certainty: others may differ. How many others there may be is
    Wilson's bound for a rate of which nothing was seen, and they may lie anywhere in the range.
    None where the range is open, since how far off they may be is unknown.
    """
    low, high = range
    unseen = wilson(0, samples)
    if low is None or high is None or unseen is None:
        return None
    return Interval(value - (value - low) * unseen.high, value + (high - value) * unseen.high)


def bootstrap_mean(
    sums: Sequence[float], weights: Sequence[float], seed: int = 0, *, for_skew: bool = True
) -> Interval | None:
    """The 95 % bootstrap interval of `sum(sums) / sum(weights)`.

    Each place holds a group of samples: their sum and their total weight. With one sample a group
    and weights of 1 it is the bootstrap of the mean. None below two groups of some weight, where
    there is nothing to resample.

    The ends are percentiles of resampled means, moved for bias and skewness (BCa, Efron 1987) and
    outwards for few groups as Student's t is wider than the normal (Hesterberg 2015). Samples that
    know two values only are a rate, and have Wilson's interval between the two. Without `for_skew`
    bias and skewness are left alone.
    """
    filled = [(s, w) for s, w in zip(sums, weights, strict=True) if w]
    ratios = [total / weight for total, weight in filled]
    if len(ratios) < 2:
        return None
    low, high = min(ratios), max(ratios)
    if low == high:
        return Interval(low, low)
    is_even = min(weights) == max(weights)
    if is_even and all(ratio in (low, high) for ratio in ratios):
        rate = wilson(sum(ratio == high for ratio in ratios), len(ratios))
        assert rate
        return Interval(low + (high - low) * rate.low, low + (high - low) * rate.high)
    means = _resampled_means(sums, weights, seed, is_even=is_even)
    below, above = _shares(filled, means, for_skew=for_skew)
    last = len(means) - 1
    return Interval(means[round(below * last)], means[round(above * last)])


def _resampled_means(
    sums: Sequence[float], weights: Sequence[float], seed: int, *, is_even: bool
) -> list[float]:
    """The means of all resamples that have some weight, in order.

    Each sum adds the picks one after the other, so that a machine's way of adding a whole row
    changes no digit.
    """
    import numpy as np

    picks = _picks(len(sums), seed)
    with np.errstate(over="ignore", invalid="ignore"):
        totals = np.take(np.asarray(sums, float), picks).sum(axis=0)
        if is_even:
            means = totals / (weights[0] * len(weights))
        else:
            drawn = np.take(np.asarray(weights, float), picks).sum(axis=0)
            means = totals[drawn != 0] / drawn[drawn != 0]
    ordered: list[float] = np.sort(means).tolist()
    return ordered


def _shares(
    filled: Sequence[tuple[float, float]], means: Sequence[float], *, for_skew: bool
) -> tuple[float, float]:
    """Which percentiles of the resampled means are the interval's ends."""
    from statistics import NormalDist

    normal, groups = NormalDist(), len(filled)
    wide = sqrt(groups / (groups - 1)) * student_quantile(0.975, groups - 1)
    bias, skew = _bias_and_skew(filled, means) if for_skew else (0.0, 0.0)
    moved = (bias + (bias + end) / max(0.1, 1 - skew * (bias + end)) for end in (-wide, wide))
    below, above = map(normal.cdf, moved)
    return below, above


def _bias_and_skew(
    filled: Sequence[tuple[float, float]], means: Sequence[float]
) -> tuple[float, float]:
    """The corrections of BCa: how far the resampled means lie to one side, and the acceleration."""
    whole = sum(total for total, _ in filled)
    mean = whole / sum(weight for _, weight in filled)
    # Shares of exactly 0 or 1 have no quantile; half a resample is the nearest that can be told.
    near = abs(mean) * 1e-12
    under = bisect_left(means, mean - near) + bisect_right(means, mean + near)
    half = 0.5 / len(means)
    bias = normal_quantile(min(max(under / 2 / len(means), half), 1 - half))
    strays = [total - mean * weight for total, weight in filled]
    largest = max(map(abs, strays)) or 1.0  # powers of very small or large strays have no float
    squares = sum((stray / largest) ** 2 for stray in strays) or 1.0
    skew = sum((stray / largest) ** 3 for stray in strays) / (6 * squares**1.5)
    return bias, skew


@lru_cache(maxsize=4)
def _picks(size: int, seed: int) -> Array:
    """The resamples' choices, one in each column, the same for every metric of a run.

    They are those of `random.Random(seed).choices`, all drawn at once: the same generator in the
    same state, whose numbers from 0 to 1 are rounded down to places.
    """
    import numpy as np

    _, (*state, place), _ = random.Random(seed).getstate()  # noqa: S311 -- statistics, not secrets
    generator = np.random.RandomState()
    generator.set_state(("MT19937", np.array(state, np.uint32), place, 0, 0.0))
    drawn = generator.random_sample(REPLICATES * size).reshape(REPLICATES, size)
    return np.ascontiguousarray((drawn * size).astype(np.intp).T)
