from collections.abc import Iterable

from assay.core import rule
from assay.stats import aggregates
from assay.stats.aggregates import from_percent, mean, percent, score_status


@rule("chat.agg.ramp")
def ramp(value: float | None, zero: float, full: float) -> float | None:
    """A value as a score from 0 to 100: 0 at `zero` and beyond, 100 at `full` and beyond.

    score = clamp((value − zero) / (full − zero) · 100)
    """
    return percent(aggregates.ramp(value, zero, full))


@rule("chat.agg.category_score")
def category_score(parts: Iterable[float | None] | None) -> float | None:
    """The score of a category: the mean of its parts, each from 0 to 100; None without any."""
    return mean(parts or ())


@rule("chat.agg.category_status")
def category_status(score: float | None) -> str | None:
    """`excellent` from 90, `good` from 80, else `fair`; None without a score."""
    return score_status(from_percent(score))
