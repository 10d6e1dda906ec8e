from collections.abc import Iterable

from assay.core import rule
from assay.stats.aggregates import mean, percent


@rule("chat.agg.avg_duration")
def avg_duration(durations: Iterable[float | None] | None) -> float | None:
    """The mean duration of tests, in seconds."""
    return mean(durations or ())


@rule("chat.agg.metric_average")
def metric_average(values: Iterable[float | None] | None) -> float | None:
    """The mean of one metric over all tests that have a value, in the metric's own scale."""
    return mean(values or ())


@rule("chat.agg.to_percentage")
def to_percentage(stored_value: float | None) -> float | None:
    """A value from 0 to 1 as a percentage, rounded to two digits for display."""
    shown = percent(stored_value)
    return None if shown is None else round(shown, 2)
