"""Numbers as people read them, the same in every report."""

from __future__ import annotations

from assay import registry
from assay.core import Aggregate, Interval, Result

NO_VALUE = "–"


def number(value: float | None, metric: str = "") -> str:
    """A value on the native scale of a metric, with its unit."""
    if value is None:
        return NO_VALUE
    known = registry.metrics().get(metric)
    has_unit = known is not None and known.unit not in ("", "bool")
    return f"{_digits(value)}\u00a0{known.unit}" if known and has_unit else _digits(value)


def _digits(value: float) -> str:
    size = abs(value)
    if size >= 1e15 or 0 < size < 0.001:
        return f"{value:.2e}"
    return f"{value:,.{3 if size < 10 else 1 if size < 1000 else 0}f}"


def interval(ends: Interval | None) -> str:
    """A 95 % interval of values."""
    return f"[{_digits(ends.low)}, {_digits(ends.high)}]" if ends else NO_VALUE


def percent(rate: float | None) -> str:
    """A rate; what is not quite all or nothing never reads as if it were."""
    if rate is None:
        return NO_VALUE
    if 0.9995 <= rate < 1:
        return ">\u00a099.9\u00a0%"
    if 0 < rate < 0.0005:
        return "<\u00a00.1\u00a0%"
    return f"{100 * rate:.1f}\u00a0%"


def percent_interval(ends: Interval | None) -> str:
    """A 95 % interval of rates."""
    return f"[{100 * ends.low:.1f}\u00a0%, {100 * ends.high:.1f}\u00a0%]" if ends else NO_VALUE


def count(amount: int, one: str, many: str = "") -> str:
    """An amount with its noun: `1 sample`, `1,200 samples`."""
    return f"{amount:,}\u00a0{one if amount == 1 else many or one + 's'}"


def limit(threshold: float | None, metric: str) -> str:
    """A threshold with the sign of its better side, where the metric is known."""
    if threshold is None:
        return NO_VALUE
    known = registry.metrics().get(metric)
    sign = "" if known is None else "≤\u00a0" if known.polarity == "lower" else "≥\u00a0"
    return f"{sign}{threshold:g}"


def threshold_of(aggregate: Aggregate) -> str:
    """The threshold of a metric in a run, in a few characters; empty where nothing was judged.

    Samples may have different ones, as where a model reads some languages only.
    """
    if aggregate.threshold is not None:
        return limit(aggregate.threshold, aggregate.metric)
    return "varies" if aggregate.judged else ""


def verdict(result: Result) -> str:
    """One word for how a result stands; empty when it was computed and has no verdict."""
    if result.state != "ok":
        if result.state == "missing" and result.verdict == "unsure":
            return "unsure"
        return {"missing": "N/A", "imputed": "imputed", "error": "error"}[result.state]
    return result.verdict or ""


def unscored(aggregate: Aggregate) -> list[str]:
    """How many samples have no score of their own, by kind; kinds that do not occur are left out.

    N/A, imputed, error: the words of the result's states as reports show them.
    """
    kinds = (
        (aggregate.missing, "N/A"),
        (aggregate.imputed, "imputed"),
        (aggregate.errors, "failed"),
    )
    return [f"{amount:,}\u00a0{kind}" for amount, kind in kinds if amount]
