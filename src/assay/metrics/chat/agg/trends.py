from assay.core import rule
from assay.stats.aggregates import percent, relative_change


def change(current: float | None, previous: float | None) -> float | None:
    """The change from the previous period to the current one, in percent.

        change = (current − previous) / previous · 100

    None when a period has no value, or the previous one is 0: nothing can be a percentage of it.
    """
    return percent(relative_change(current, previous))


trend = rule("chat.agg.trend")(change)


@rule("chat.agg.health_trend")
def health_trend(current: float | None, previous: float | None) -> float | None:
    """The change of health in percent; up is better."""
    return change(current, previous)


@rule("chat.agg.duration_trend")
def duration_trend(current: float | None, previous: float | None) -> float | None:
    """The change of the mean duration in percent; down is better."""
    return change(current, previous)


@rule("chat.agg.safety_trend")
def safety_trend(current: float | None, previous: float | None) -> float | None:
    """The change of safety in percent; up is better."""
    return change(current, previous)


@rule("chat.agg.satisfaction_trend")
def satisfaction_trend(current: float | None, previous: float | None) -> float | None:
    """The change of the pass rate in percent; up is better."""
    return change(current, previous)
