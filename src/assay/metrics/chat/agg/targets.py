from collections.abc import Iterable

from assay.core import rule
from assay.core.metric import Polarity
from assay.metrics.chat.agg.averages import mean

CAP = 2.0
"""A value twice as good as its target; more does not count."""
SMALL = 0.01
"""Below, a value that should be low is as good as can be."""


@rule("chat.agg.target_ratio")
def target_ratio(
    value: float | None, target: float | None, polarity: Polarity = "higher"
) -> float | None:
    """How far a metric has reached its target: 1 is the target, 2 the most.

        ratio = value / target        where higher is better
        ratio = target / value        where lower is better; 2 when the value is below 0.01

    None without a value, or without a target above 0.
    """
    if value is None or target is None or target <= 0:
        return None
    if polarity != "lower":
        return max(0.0, min(CAP, value / target))
    return CAP if value < SMALL else min(CAP, target / value)


@rule("chat.agg.target_status")
def target_status(ratio: float | None) -> str | None:
    """`excellent` from 1, `good` from 0.9, else `watch`; None without a ratio."""
    if ratio is None:
        return None
    return "excellent" if ratio >= 1 else "good" if ratio >= 0.9 else "watch"


@rule("chat.agg.system_health")
def system_health(ratios: Iterable[float | None] | None) -> float | None:
    """How far all critical metrics together have reached their targets, from 0 to 100.

        health = mean(min(ratio, 1)) · 100

    Metrics without a ratio are left out; None when none has one.
    """
    found = mean(None if ratio is None else min(ratio, 1.0) for ratio in ratios or ())
    return None if found is None else 100 * found
