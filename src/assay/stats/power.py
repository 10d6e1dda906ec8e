"""How small a change a comparison can show."""

from __future__ import annotations

from math import ceil, sqrt

from assay.stats.student import normal_quantile, student_quantile

ALPHA = 0.05
"""A test's chance to see a change where there is none."""
POWER = 0.8
"""The chance to see a change of the smallest size that counts as detectable (Cohen 1988)."""


def detectable(spread: float, pairs: int) -> float | None:
    """The mean difference that this many pairs show with 80 % power, two-sided at 5 %.

        (t at 97.5 % + t at 80 %) · spread / √pairs

    `spread` is the standard deviation of the differences. None below two pairs.
    """
    if pairs < 2:
        return None
    both = student_quantile(1 - ALPHA / 2, pairs - 1) + student_quantile(POWER, pairs - 1)
    return both * spread / sqrt(pairs)


def pairs_needed(spread: float, difference: float) -> int | None:
    """About how many pairs show a mean difference with 80 % power; None for a difference of 0."""
    if difference <= 0:
        return None
    both = normal_quantile(1 - ALPHA / 2) + normal_quantile(POWER)
    return max(2, ceil((both * spread / difference) ** 2))
