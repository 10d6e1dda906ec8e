"""What the first page shows: categories, radar and critical metrics, from the stored sums."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields
from math import sqrt
from types import MappingProxyType
from typing import Any

from assay import registry
from assay.core import Interval, Metric, Sample
from assay.data.metric_targets import Board
from assay.report.metric_data import needs
from assay.stats import mean_of_equals
from assay.stats.aggregates import (
    mean,
    ramp,
    relative_change,
    score_status,
    system_health,
    target_ratio,
    target_status,
)
from assay.stats.intervals import Z
from assay.store.statistics import MetricCounts

Counts = Mapping[str, MetricCounts]
Trends = Mapping[str, Sequence[Mapping[str, Any]]]
"""Metric → its points in time."""
_FIELDS = frozenset(field.name for field in fields(Sample))
NO_TRENDS: Trends = MappingProxyType({})
Reasons = Mapping[str, Mapping[str, int]]
"""Metric → why samples have no score → how many, the commonest first."""
NO_REASONS: Reasons = MappingProxyType({})


def mean_interval(metric: Metric | None, counts: MetricCounts) -> Interval | None:
    """The 95 % interval of a metric's mean by the normal distribution, within its range."""
    low, high = metric.range if metric else (None, None)
    if counts.minimum is not None and counts.minimum == counts.maximum:
        return mean_of_equals(counts.minimum, counts.count, (low, high))
    if counts.count < 2 or counts.mean is None or counts.deviation is None:
        return None
    # the sums hold the spread of the values found; n − 1 makes it that of all possible ones
    half = Z * counts.deviation / sqrt(counts.count - 1)
    ends = counts.mean - half, counts.mean + half
    return Interval(
        ends[0] if low is None else max(low, ends[0]),
        ends[1] if high is None else min(high, ends[1]),
    )


def categories(
    board: Board, counts: Counts, gating: Counts, figures: Mapping[str, float | None]
) -> list[dict[str, Any]]:
    """Every category with its score, its status and its parts.

    The score is the mean over `gating`, the counts of runs in which the metrics decide passes; a
    part that decides nothing is shown by all `counts`.
    """
    scored = []
    for name, parts in board.categories.items():
        counted = {part: _score(board, part, gating, figures) for part in parts}
        scores = {
            part: _score(board, part, counts, figures) if own is None else own
            for part, own in counted.items()
        }
        score = mean(counted.values())
        status = score_status(score)
        inverted = [part for part in parts if _is_inverted(board, part)]
        scored.append(
            {
                "name": name,
                "score": score,
                "status": status,
                "parts": scores,
                "inverted": inverted,
            }
        )
    return scored


def radar(board: Board, counts: Counts, reasons: Reasons = NO_REASONS) -> list[dict[str, Any]]:
    """Every axis with its score from 0 to 1, or why it has none."""
    parts = board.shown(board.radar, counts)
    return [
        {
            "metric": part,
            "score": _score(board, part, counts, {}),
            "value": counts[part].mean if part in counts else None,
            "is_inverted": _is_inverted(board, part),
            "reason": why_absent(part, counts.get(part, MetricCounts()), reasons),
        }
        for part in parts
    ]


def _is_inverted(board: Board, part: str) -> bool:
    """Whether a high score is a low value: pages must not show one under the other's name."""
    if part in board.ramps:
        return board.ramps[part].full < board.ramps[part].zero
    metric = registry.metrics().get(part)
    return metric is not None and metric.polarity == "lower"


def _score(
    board: Board, part: str, counts: Counts, figures: Mapping[str, float | None]
) -> float | None:
    """One part from 0 to 1: a figure of the statistics, a metric by its ramp or its quality."""
    if part in figures:
        return figures[part]
    value = counts[part].mean if part in counts else None
    if value is None:
        return None
    if part in board.ramps:
        return ramp(value, board.ramps[part].zero, board.ramps[part].full)
    metric = registry.metrics().get(part)
    return metric.quality(value) if metric else None


def critical(
    targets: Mapping[str, float],
    counts: Counts,
    compared: tuple[Counts, Counts],
    trends: Trends = NO_TRENDS,
    *,
    counted: Collection[str] | None = None,
    reasons: Reasons = NO_REASONS,
) -> dict[str, Any]:
    """The critical metrics against their targets, and how far they are reached together.

    The trend is the change between the two `compared` periods, the later one first. Together count
    the metrics that are `counted`, all unless given. `reasons` tell why samples have no score.
    """
    cards = [
        {**_card(id, target, counts, compared, reasons), "series": trends.get(id, ())}
        for id, target in targets.items()
    ]
    health = system_health(
        card["ratio"] for card in cards if counted is None or card["metric"] in counted
    )
    return {"metrics": cards, "system_health": health}


def _card(
    id: str, target: float, counts: Counts, compared: tuple[Counts, Counts], reasons: Reasons
) -> dict[str, Any]:
    metric = registry.metrics().get(id)
    metric_counts = counts.get(id, MetricCounts())
    later, earlier = (period.get(id, MetricCounts()) for period in compared)
    ratio = target_ratio(metric_counts.mean, target, metric.polarity if metric else "higher")
    return {
        "metric": id,
        "target": target,
        "value": metric_counts.mean,
        "interval": mean_interval(metric, metric_counts),
        "count": metric_counts.count,
        "missing": metric_counts.missing,
        "errors": metric_counts.errors,
        "trend": relative_change(later.mean, earlier.mean),
        "ratio": ratio,
        "status": target_status(ratio),
        "reason": why_absent(id, metric_counts, reasons),
    }


def why_absent(id: str, counts: MetricCounts, reasons: Reasons = NO_REASONS) -> str | None:
    """Why a metric has no value, in the words of the results themselves; None where it has one."""
    if counts.count:
        return None
    metric = registry.metrics().get(id)
    if metric is None:
        return f"The metric {id!r} is not installed."
    if counts.errors:
        return f"All {counts.errors} attempts failed."
    if counts.imputed:
        read = [name for name in metric.parameters if name in _FIELDS and name not in metric.inputs]
        lacking = f"No sample has {' or '.join(read)}: all" if read else "All"
        return f"{lacking} {counts.imputed} values are imputed, which do not count."
    if counts.missing and reasons.get(id):
        reason, samples = next(iter(reasons[id].items()))
        return reason if samples >= counts.missing else f"{reason.rstrip('.')} ({samples} samples)."
    if counts.missing:
        return f"None of {counts.missing} samples has a score; {_basis(metric)}."
    return f"Not scored in this period; {_basis(metric)}."


def _basis(metric: Metric) -> str:
    """What a score rests on: fields of the sample, other scores, or both."""
    fields, parts = needs(metric), metric.options["metrics"] if metric.is_composite else ()
    clauses = [f"it needs {', '.join(fields)}"] if fields else []
    if parts:
        clauses.append(f"it is made of {', '.join(part.rpartition('.')[2] for part in parts)}")
    return " and ".join(clauses)


def system_metrics() -> dict[str, float | None]:
    """The machine's load as a share of its processors, and the memory of this process in GB."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    return {
        "cpu": None if load is None else load / (os.cpu_count() or 1),
        "memory": _memory(),
    }


def _memory() -> float | None:
    if sys.platform == "win32":
        return None
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1e9 if sys.platform == "darwin" else 1e6)  # bytes there, kilobytes elsewhere
