from collections.abc import Iterable

from assay.core import rule
from assay.core.metric import Polarity
from assay.stats import aggregates
from assay.stats.aggregates import percent


@rule("chat.agg.target_ratio")
def target_ratio(
    value: float | None, target: float | None, polarity: Polarity = "higher"
) -> float | None:
    """How far a metric has reached its target: 1 is the target, 2 the most.

        ratio = value / target        where higher is better
        ratio = target / value        where lower is better; 2 when the value is below 0.01

    None without a value, or without a target above 0.
    """
    return aggregates.target_ratio(value, target, polarity)


@rule("chat.agg.target_status")
def target_status(ratio: float | None) -> str | None:
    """`excellent` from 1, `good` from 0.9, else `watch`; None without a ratio."""
    return aggregates.target_status(ratio)


@rule("chat.agg.system_health")
def system_health(ratios: Iterable[float | None] | None) -> float | None:
    """How far all critical metrics together have reached their targets, from 0 to 100.

        health = mean(min(ratio, 1)) · 100

    Metrics without a ratio are left out; None when none has one.
    """
    return percent(aggregates.system_health(ratios or ()))
