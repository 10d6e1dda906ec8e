"""Tests and intervals for pairs: the same samples, scored in two runs.

All of them look at differences, second minus first, and say the same when the runs are exchanged,
with the sign turned. Nothing depends on how often it is asked: chance comes from a seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, lgamma, log, sqrt
from typing import Any

import numpy as np

from assay.core import Interval
from assay.stats.intervals import Z, bootstrap_mean
from assay.stats.student import student_quantile

Array = Any
"""A numpy array of floats."""
EXACT = 12
"""Up to this many differences other than 0, all 2¹² choices of signs are tried."""
FLIPS = 9_999
"""Random choices of signs beyond that; the smallest p is then 1 / 10,000."""
GROUPS = 1_000
"""More differences than this are summed up in this many groups, which are flipped as a whole."""
_AT_ONCE = 1_000
_TIE = 1e-9
"""Sums that differ by less than this share of the largest count as equal."""


def mcnemar(lost: int, gained: int) -> float:
    """The p-value of the exact McNemar test for pass/fail pairs.

    `lost` pairs passed in the first run alone, `gained` ones in the second alone; without a change
    both are equally likely, so the fewer of them are compared with a fair coin, two-sided.
    """
    if lost == gained:
        return 1.0
    return min(1.0, 2 * _few_heads(min(lost, gained), lost + gained))


def mcnemar_worse(lost: int, gained: int) -> float:
    """The one-sided p-value of the same test: of losing at least this many of the changed pairs."""
    return (
        1.0 - _few_heads(lost - 1, lost + gained)
        if lost <= gained
        else _few_heads(gained, lost + gained)
    )


def _few_heads(few: int, total: int) -> float:
    """The chance of at most `few` heads in `total` throws of a fair coin; `few` below half."""
    if few < 0:
        return 0.0
    chance = exp(lgamma(total + 1) - lgamma(few + 1) - lgamma(total - few + 1) - total * log(2))
    tail = 0.0
    while chance > tail * 1e-17 and few >= 0:
        tail += chance
        chance *= few / (total - few + 1)
        few -= 1
    return tail


def sign_flips(columns: Sequence[Array], seed: int = 0) -> list[float]:
    """The p-values of the sign-flip permutation test, for the differences of several metrics.

    Without a change a difference is as likely to be −d as d; p is the share of all choices of
    signs whose sum is at least as far from 0 as the one found. With up to 12 differences other
    than 0 every choice is tried, else 9,999 random ones, the same for all metrics:

        p = (choices as far out + 1) / (9,999 + 1)
    """
    moved = [column[column != 0] for column in columns]
    p_values = [_exact(d) if len(d) <= EXACT else None for d in moved]
    many = [_grouped(d) for d in moved if len(d) > EXACT]
    drawn = iter(_drawn(many, seed) if many else ())
    return [next(drawn) if p is None else p for p in p_values]


def _exact(differences: Array) -> float:
    signs = 1.0 - 2.0 * (
        np.arange(2 ** len(differences))[:, None] >> np.arange(len(differences)) & 1
    )
    return float(np.mean(_is_as_far(np.abs(signs @ differences), differences)))


def _is_as_far(sums: Array, differences: Array) -> Array:
    return sums >= np.abs(differences.sum(axis=0)) - _TIE * np.abs(differences).sum(axis=0)


def _grouped(differences: Array) -> Array:
    """The differences, or where there are many the sums of groups of them."""
    if len(differences) <= GROUPS:
        return differences
    return np.bincount(np.arange(len(differences)) % GROUPS, weights=differences)


def _drawn(columns: Sequence[Array], seed: int) -> list[float]:
    size = max(map(len, columns))
    table = np.stack([np.pad(column, (0, size - len(column))) for column in columns], axis=1)
    generator = np.random.default_rng(seed)
    far = np.zeros(len(columns), int)
    for start in range(0, FLIPS, _AT_ONCE):
        rows = min(_AT_ONCE, FLIPS - start)
        signs = 2.0 * generator.integers(0, 2, (rows, size)) - 1.0
        far += _is_as_far(np.abs(signs @ table), table).sum(axis=0)
    return [float(p) for p in (far + 1) / (FLIPS + 1)]


def difference_interval(differences: Array, seed: int = 0) -> Interval | None:
    """The 95 % interval of the mean difference; None below two pairs.

    The bootstrap of pairs, never narrower than Student's at either end: where most pairs are
    equal, the few that differ say too little about skewness or tails to be trusted with less.
    """
    pairs = len(differences)
    if pairs < 2:
        return None
    places = np.arange(pairs) % GROUPS
    sums, weights = np.bincount(places, weights=differences), np.bincount(places).astype(float)
    drawn = bootstrap_mean(sums.tolist(), weights.tolist(), seed, for_skew=False)
    assert drawn
    middle = float(np.mean(differences))
    half = student_quantile(0.975, pairs - 1) * float(np.std(differences, ddof=1)) / sqrt(pairs)
    return Interval(min(drawn.low, middle - half), max(drawn.high, middle + half))


def rate_difference_interval(lost: int, gained: int, pairs: int) -> Interval | None:
    """The 95 % interval of the difference of two rates over the same samples.

    Bonett and Price's (2012): Wald's with one more pair lost and one more gained, so that it has a
    width even where no pair has changed. None without pairs.
    """
    if not pairs:
        return None
    middle, spread = _adjusted(lost, gained, pairs)
    half = Z * spread / sqrt(pairs + 2)
    return Interval(max(-1.0, middle - half), min(1.0, middle + half))


def rate_spread(lost: int, gained: int, pairs: int) -> float:
    """The standard deviation of the differences of pass/fail pairs, never quite 0."""
    return _adjusted(lost, gained, pairs)[1]


def _adjusted(lost: int, gained: int, pairs: int) -> tuple[float, float]:
    """Mean and standard deviation of the differences with one more pair of either kind."""
    down, up = (lost + 1) / (pairs + 2), (gained + 1) / (pairs + 2)
    return up - down, sqrt(max(0.0, up + down - (up - down) ** 2))


def standardised(differences: Array) -> float | None:
    """Cohen's d for pairs: the mean difference in standard deviations of the differences.

    About 0.2 is small, 0.5 medium, 0.8 large. None where all differences are equal.
    """
    spread = float(np.std(differences, ddof=1)) if len(differences) > 1 else 0.0
    mean = float(np.mean(differences)) if len(differences) else 0.0
    return mean / spread if spread > _TIE * abs(mean) else None


def odds_ratio(lost: int, gained: int) -> float:
    """How many pairs were gained for each lost one, half a pair added to both to stay finite."""
    return (gained + 0.5) / (lost + 0.5)
