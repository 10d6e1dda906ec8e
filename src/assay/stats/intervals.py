"""95 % intervals: Wilson for rates, percentile bootstrap for means."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from math import sqrt
from operator import itemgetter
from typing import Any

from assay.core import Interval

Z = 1.959963984540054
"""The 97.5 % point of the normal distribution."""
REPLICATES = 1000
"""Resamples of a bootstrap; 1,000 put the ends of a 95 % interval within a few per cent."""


def wilson(successes: int, total: int) -> Interval | None:
    """The 95 % interval of a rate (Wilson 1927), which holds at 0, at 1 and for few samples."""
    if not total:
        return None
    rate = successes / total
    share = Z * Z / total
    centre = (rate + share / 2) / (1 + share)
    half = Z * sqrt(rate * (1 - rate) / total + share / (4 * total)) / (1 + share)
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == total else min(1.0, centre + half)
    return Interval(low, high)


def bootstrap_mean(
    sums: Sequence[float], weights: Sequence[float], seed: int = 0
) -> Interval | None:
    """The 95 % percentile-bootstrap interval of `sum(sums) / sum(weights)`.

    Each place holds a group of samples: their sum and their total weight. With one sample a group
    and weights of 1 it is the plain bootstrap of the mean. None below two groups of some
    weight, where there is nothing to resample.
    """
    ratios = [total / weight for total, weight in zip(sums, weights, strict=True) if weight]
    if len(ratios) < 2:
        return None
    if min(ratios) == max(ratios):
        return Interval(ratios[0], ratios[0])
    picks = _picks(len(sums), seed)
    if min(weights) == max(weights):
        total = weights[0] * len(weights)
        means = sorted([sum(pick(sums)) / total for pick in picks])
    else:
        means = sorted([sum(pick(sums)) / sum(pick(weights)) for pick in picks])
    last = len(means) - 1
    return Interval(means[round(0.025 * last)], means[round(0.975 * last)])


@lru_cache(maxsize=4)
def _picks(size: int, seed: int) -> list[itemgetter[Any]]:
    """The resamples' choices, the same for every metric of a run."""
    generator = random.Random(seed)  # noqa: S311 -- statistics, not secrets
    places = range(size)
    return [itemgetter(*generator.choices(places, k=size)) for _ in range(REPLICATES)]
