from collections.abc import Iterable
from statistics import fmean

from assay.core import rule


def mean(values: Iterable[float | None]) -> float | None:
    """The mean of the values that are there; None when there is none."""
    present = [value for value in values if value is not None]
    return fmean(present) if present else None


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
    return None if stored_value is None else round(stored_value * 100, 2)
