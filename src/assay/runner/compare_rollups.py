"""Compares two runs by their roll-ups alone, where one has too many samples to pair them.

Counts and moments are exact sums over all samples. What pairing would add is not known: which
samples changed, and how much of the spread both runs share, so that intervals are wider than those
of pairs by as much as the two runs agree on samples.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from assay.core import Metric
from assay.core.run_comparison import MetricChange, RunComparison, Test
from assay.runner.compare import (
    ComparedNames,
    CompareOptions,
    default_tolerance,
    polarity_of,
    range_of,
    rule_changes,
    verdict_of,
)
from assay.runner.score_table import OVERALL, PASS_RATE
from assay.runner.sides import StoredSide
from assay.stats.aggregates import Moments
from assay.stats.corrections import CORRECTIONS
from assay.stats.intervals import Z
from assay.stats.quantile_sketch import ERROR, QuantileSketch
from assay.stats.unpaired import Difference, by_errors, mean_difference, rate_difference
from assay.store.statistics import MetricCounts

UNPAIRED = (
    "Samples are not paired: a run by blocks is compared by its roll-ups, and which samples "
    "changed is not known."
)
OF_SAMPLES = (
    "Exact counts and moments of all samples: intervals of metrics (Welch, by the normal "
    "distribution) and of the pass rate (Newcombe). Approximate: the interval of mean quality, "
    "which is put together from those of both runs."
)
OF_QUESTIONS = (
    "Some questions have several answers, which are alike: all intervals are put together from "
    "those of both runs, which count questions."
)


@dataclass(frozen=True)
class RunFigures:
    """What the store knows of a run without its samples."""

    metrics: Mapping[str, MetricCounts]
    summary: Mapping[str, Any]
    sketches: Mapping[str, Any]

    @property
    def has_repeats(self) -> bool:
        """Whether some questions have several answers, so that samples are not independent."""
        return bool(self.summary.get("repeats"))


def compare_rollups(
    a: StoredSide, b: StoredSide, options: CompareOptions, known: Mapping[str, Metric]
) -> RunComparison:
    """Compare run B with run A by what the store knows of them without their samples."""
    names = ComparedNames(a, b, options)
    figures = a.figures(), b.figures()
    changes = [_change(name, *figures, known, options) for name in names.compared]
    adjusted = iter(CORRECTIONS[options.correction]([c.p for c in changes if c.p is not None]))
    changes = [
        replace(change, adjusted_p=None if change.p is None else next(adjusted))
        for change in changes
    ]
    return RunComparison(
        a=a.name,
        b=b.name,
        paired_by="none",
        pairs=0,
        only_a=0,
        only_b=0,
        repeated=0,
        unread=0,
        correction=options.correction,
        seed=options.seed,
        metrics=tuple(
            replace(
                change,
                verdict=verdict_of(change),
                rule_changes=tuple(rule_changes(a, b, change.metric)),
            )
            for change in changes
        ),
        refused=names.refused,
        metrics_only_a=names.only_a,
        metrics_only_b=names.only_b,
        thresholds=names.other_thresholds,
        samples=(),
        notes=(*a.notes, *b.notes, *names.notes, *_notes(names, *figures)),
    )


def _change(
    name: str, a: RunFigures, b: RunFigures, known: Mapping[str, Metric], options: CompareOptions
) -> MetricChange:
    test: Test = "two rates" if name == PASS_RATE else "Welch"
    counts, means, difference = _figures_of(name, a, b)
    return MetricChange(
        metric=name,
        pairs=min(counts),
        changed=0,
        mean_a=means[0],
        mean_b=means[1],
        difference=None if None in means else means[1] - means[0],
        interval=difference and difference.interval,
        test=test,
        p=difference and difference.p,
        adjusted_p=None,
        effect=None,
        detectable=None,
        tolerance=default_tolerance(name, options, range_of(name, known), means[0]),
        pairs_needed=None,
        lost=0,
        gained=0,
        polarity=polarity_of(name, known),
        verdict="too few samples",
    )


def _figures_of(
    name: str, a: RunFigures, b: RunFigures
) -> tuple[tuple[int, int], tuple[Any, Any], Difference | None]:
    """How many values both runs have, their means, and the difference."""
    has_repeats = a.has_repeats or b.has_repeats
    if name == PASS_RATE:
        rates = [(run.summary["passed"], run.summary["judged"]) for run in (a, b)]
        means = tuple(run.summary["pass_rate"] for run in (a, b))
        difference = rate_difference(*rates[0], *rates[1])
        if has_repeats:
            difference = _by_intervals(means, [r.summary["pass_rate_interval"] for r in (a, b)])
        return (rates[0][1], rates[1][1]), means, difference
    if name == OVERALL:
        counts = (a.summary["samples"], b.summary["samples"])
        means = (a.summary["overall"], b.summary["overall"])
        ends = [run.summary["overall_interval"] for run in (a, b)]
        return counts, means, _by_intervals(means, ends)
    one, two = (run.metrics.get(name, MetricCounts()) for run in (a, b))
    difference = None
    if has_repeats:
        ends = [run.summary["metrics"].get(name, {}).get("mean_interval") for run in (a, b)]
        difference = _by_intervals((one.mean, two.mean), ends)
    elif one.count and two.count:
        moments = [
            Moments(own.count, own.sum / own.count, own.squared_deviation) for own in (one, two)
        ]
        difference = mean_difference(*moments)
    return (one.count, two.count), (one.mean, two.mean), difference


def _by_intervals(values: Sequence[Any], ends: Sequence[Any]) -> Difference | None:
    """The difference of two figures, by the intervals that both runs have of them."""
    if None in values or None in ends:
        return None
    errors = [(high - low) / 2 / Z for low, high in ends]
    return by_errors(values[1] - values[0], *errors)


def _notes(names: ComparedNames, a: RunFigures, b: RunFigures) -> list[str]:
    intervals = OF_QUESTIONS if a.has_repeats or b.has_repeats else OF_SAMPLES
    return [UNPAIRED, intervals, *_quantile_notes(names, a, b)]


def _quantile_notes(names: ComparedNames, a: RunFigures, b: RunFigures) -> list[str]:
    """The medians of metrics of which both runs keep a sketch."""
    shown = [
        f"{name} {_median(a.sketches[name])} → {_median(b.sketches[name])}"
        for name in names.compared
        if name in a.sketches and name in b.sketches
    ]
    if not shown:
        return []
    return [f"Medians (approximate, off by at most {ERROR:.0%} of themselves): {', '.join(shown)}."]


def _median(bins: Any) -> str:
    median = QuantileSketch.from_json(bins).quantile(0.5)
    return "none" if median is None else f"{median:.4g}"
