"""Compares two runs: pairs their samples, tests every metric, finds what changed most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from assay import registry
from assay.core import Interval, Metric, Range, UsageError
from assay.core.errors import UnpairedError
from assay.core.run_comparison import (
    MetricChange,
    RunComparison,
    SampleChange,
    ScoreChange,
    Test,
    Verdict,
)
from assay.core.time_limit import check_time
from assay.runner.score_table import OVERALL, PASS_RATE, Array, ScoreTable, pair_places
from assay.runner.sides import By, Side, StoredSide
from assay.stats.corrections import CORRECTIONS, Correction
from assay.stats.paired import (
    difference_interval,
    mcnemar,
    odds_ratio,
    rate_difference_interval,
    rate_spread,
    sign_flips,
    standardised,
)
from assay.stats.power import ALPHA, detectable, pairs_needed

TOLERANCE = 0.02
"""The change that does not matter by default, as a share of the metric's range."""
MIN_PAIRS = 6
"""With fewer, no test can reach 0.05: the smallest p of five pairs is 2 / 2⁵."""
OTHER_KEY: Mapping[By, str] = {"id": "query", "query": "id"}
"""What else samples can be paired by."""
SHOWN_SCORES = 3
"""Metrics that are shown of a changed sample."""


@dataclass(frozen=True)
class CompareOptions:
    """How two runs are compared."""

    by: By = "id"
    metrics: tuple[str, ...] = ()
    """Ids or families; all that both runs have when empty."""
    correction: Correction = "holm"
    tolerance: float = TOLERANCE
    """A share of a metric's range; where that is open, of its mean in A."""
    tolerances: Mapping[str, float] = field(default_factory=dict)
    """Metric → its own tolerance, on its native scale."""
    allow_different: bool = False
    """Whether metrics are compared whose signatures differ."""
    samples: int = 5
    """How many of the most changed samples are given."""
    seed: int = 0
    known: Mapping[str, Metric] | None = None
    """Where ranges and polarities are looked up; all registered metrics unless given."""


def compare_by_id_or_query(a: Side, b: Side, options: CompareOptions) -> RunComparison:
    """Compare run B with run A, paired by id, or by query where no id is in both."""
    for by in ("id", "query"):
        try:
            return compare_runs(a, b, replace(options, by=by))
        except UnpairedError:
            continue
    raise UnpairedError(
        f"{a.name!r} and {b.name!r} share no sample by id or by query; "
        "give runs over the same samples"
    )


def compare_runs(a: Side, b: Side, options: CompareOptions | None = None) -> RunComparison:
    """Compare run B with run A."""
    options = options or CompareOptions()
    known = registry.metrics() if options.known is None else options.known
    if isinstance(a, StoredSide) and isinstance(b, StoredSide) and (a.folder or b.folder):
        from assay.runner.compare_rollups import compare_rollups

        return compare_rollups(a, b, options, known)
    tables = ScoreTable(a.read(options.by)), ScoreTable(b.read(options.by))
    pairs = pair_places(*tables)
    if not len(pairs[0]):
        raise UnpairedError(
            f"{a.name!r} and {b.name!r} share no sample by {options.by}; "
            f"give runs over the same samples, or pair them by {OTHER_KEY[options.by]}"
        )
    names = ComparedNames(a, b, options)
    matched = _Matched(tables, pairs, names.compared, known, options)
    changes = corrected(matched.changes(), options.correction)
    rules = {name: tuple(rule_changes(a, b, name)) for name in names.compared}
    return RunComparison(
        a=a.name,
        b=b.name,
        paired_by=options.by,
        pairs=len(pairs[0]),
        only_a=len(tables[0].keys) - len(pairs[0]),
        only_b=len(tables[1].keys) - len(pairs[0]),
        repeated=tables[0].repeated + tables[1].repeated,
        unread=a.unread + b.unread,
        correction=options.correction,
        seed=options.seed,
        metrics=tuple(
            replace(change, rule_changes=rules.get(change.metric, ())) for change in changes
        ),
        refused=names.refused,
        metrics_only_a=names.only_a,
        metrics_only_b=names.only_b,
        thresholds=names.other_thresholds,
        samples=_most_changed(a, b, matched, options.samples),
        notes=(*a.notes, *b.notes, *_repeat_notes((a, b), tables), *names.notes),
    )


COUNTS_ONCE = "a question counts once, with the means over its answers."


def _repeat_notes(sides: Sequence[Side], tables: Sequence[ScoreTable]) -> list[str]:
    """How many answers stand behind the questions of a run, where some have several."""
    return [
        f"Run {side.name!r} has {table.answers:,} answers to {len(table.keys):,} questions; "
        + COUNTS_ONCE
        for side, table in zip(sides, tables, strict=True)
        if table.answers > len(table.keys)
    ]


class ComparedNames:
    """Which metrics can be compared, and why others cannot."""

    def __init__(self, a: Side, b: Side, options: CompareOptions) -> None:
        ours, theirs = (
            [name for name in side.signatures if _is_wanted(name, options.metrics)]
            for side in (a, b)
        )
        shared = [name for name in ours if name in theirs]
        differing = {n: tuple(rule_changes(a, b, n)) for n in shared}
        differing = {name: parts for name, parts in differing.items() if parts}
        self.refused = {} if options.allow_different else differing
        self.only_a = tuple(name for name in ours if name not in theirs)
        self.only_b = tuple(name for name in theirs if name not in ours)
        self.notes: list[str] = []
        self.compared = [name for name in shared if name not in self.refused]
        if not self.compared:
            raise UsageError(_nothing_to_compare(self.refused))
        if not options.metrics:
            self.compared += self._whole_runs(a, b, options, bool(differing))
        self.other_thresholds = {
            name: (a.thresholds[name], b.thresholds[name])
            for name in self.compared
            if name in a.thresholds and a.thresholds[name] != b.thresholds[name]
        }
        """Metric → its thresholds in the two runs, where they differ."""

    def _whole_runs(
        self, a: Side, b: Side, options: CompareOptions, has_other_rules: bool
    ) -> list[str]:
        """Mean quality and pass rate, where they mean the same in both runs."""
        if options.allow_different:
            return [OVERALL, PASS_RATE]
        has_other_metrics = bool(self.only_a or self.only_b or has_other_rules)
        if has_other_metrics or _has_other_weights(a, b):
            self.notes.append(
                "Mean quality and pass rate are not compared: the runs differ in their metrics, "
                "rules or weights."
            )
            return []
        if others := _gates_otherwise(a, b):
            self.notes.append(
                "Mean quality and pass rate are not compared: "
                f"{', '.join(others)} decides them in one of the runs alone."
            )
            return []
        if any(a.thresholds[name] != b.thresholds[name] for name in a.thresholds):
            self.notes.append("The pass rate is not compared: the runs differ in their thresholds.")
            return [OVERALL]
        return [OVERALL, PASS_RATE]


def _has_other_weights(a: Side, b: Side) -> bool:
    return None not in (a.weights, b.weights) and bool(a.weights != b.weights)


def _gates_otherwise(a: Side, b: Side) -> list[str]:
    """The metrics that decide passes in one of the runs alone; composites never do."""
    known = registry.metrics()
    return [
        name
        for name in sorted(a.gating ^ b.gating)
        if not (name in known and known[name].is_composite)
    ]


def _is_wanted(metric: str, wanted: Sequence[str]) -> bool:
    return not wanted or metric in wanted or metric.partition(".")[0] in wanted


def _nothing_to_compare(refused: Mapping[str, Sequence[str]]) -> str:
    if not refused:
        return 'the runs share no metric of those asked for; "assay show RUN --json" lists them'
    name, parts = next(iter(refused.items()))
    return (
        f"the scores of {len(refused)} metrics were made by different rules, so they cannot be "
        f"compared; {name!r} differs in {', '.join(parts)}; score the samples again with one "
        "version, or add --allow-different"
    )


def rule_changes(a: Side, b: Side, metric: str) -> list[str]:
    """The parts in which the signatures of a metric differ: `v: 1 → 2`."""
    if metric not in a.signatures:
        return []
    ours, theirs = (_parts(side.signatures[metric]) for side in (a, b))
    return [
        f"{name}: {' '.join(ours.get(name, ['none']))} → {' '.join(theirs.get(name, ['none']))}"
        for name in dict.fromkeys([*ours, *theirs])
        if ours.get(name) != theirs.get(name)
    ]


def _parts(signature: str) -> dict[str, list[str]]:
    parts: dict[str, list[str]] = {}
    for part in signature.split("|"):
        name, colon, value = part.partition(":")
        parts.setdefault(name if colon else "metric", []).append(value if colon else part)
    return parts


class _Matched:
    """The scores of the pairs, metric by metric."""

    def __init__(
        self,
        tables: tuple[ScoreTable, ScoreTable],
        pairs: tuple[Array, Array],
        names: Sequence[str],
        known: Mapping[str, Metric],
        options: CompareOptions,
    ) -> None:
        self.tables, self.pairs, self.names = tables, pairs, names
        self.known, self.options = known, options

    def both(self, name: str) -> tuple[Array, Array]:
        """A metric's values in A and in B, pair by pair."""
        (a, b), (one, other) = self.tables, self.pairs
        return a.column(name, one), b.column(name, other)

    def changes(self) -> list[MetricChange]:
        """Every metric with its tests, not yet corrected for their number."""
        result, flipped = [], []
        for name in self.names:
            check_time()
            a, b = self.both(name)
            has_both = ~np.isnan(a) & ~np.isnan(b)
            if name in (OVERALL, PASS_RATE) and not has_both.any():
                continue
            a, b = a[has_both], b[has_both]
            change = self._change(name, a, b)
            result.append(change)
            if change.test == "sign-flip" and change.pairs:
                flipped.append(b - a)
        tested = iter(sign_flips(flipped, self.options.seed))
        return [
            replace(change, p=next(tested))
            if change.test == "sign-flip" and change.pairs
            else change
            for change in result
        ]

    def _change(self, name: str, a: Array, b: Array) -> MetricChange:
        pairs, differences = len(a), b - a
        tolerance = self._tolerance(name, a)
        low, high = self._ends(name)
        is_binary = bool(pairs) and bool(np.isin(np.concatenate([a, b]), (low, high)).all())
        lost, gained = _flips(a == high, b == high) if is_binary else self._verdict_flips(name)
        test: Test = "McNemar" if is_binary else "sign-flip"
        if is_binary:
            interval, spread = _of_rates(lost, gained, pairs, high - low)
            effect: float | None = odds_ratio(lost, gained)
        elif not differences.any():
            interval, spread = _of_rates(0, 0, pairs, self.span(name, a))
            effect = None
        else:
            spread = float(np.std(differences, ddof=1)) if pairs > 1 else 0.0
            interval = difference_interval(differences, self.options.seed)
            effect = standardised(differences)
        return MetricChange(
            metric=name,
            pairs=pairs,
            changed=int(np.count_nonzero(differences)),
            mean_a=float(np.mean(a)) if pairs else None,
            mean_b=float(np.mean(b)) if pairs else None,
            difference=float(np.mean(differences)) if pairs else None,
            interval=interval,
            test=test,
            p=mcnemar(lost, gained) if is_binary else None,
            adjusted_p=None,
            effect=effect,
            detectable=detectable(spread, pairs),
            tolerance=tolerance,
            pairs_needed=pairs_needed(spread, tolerance) if pairs else None,
            lost=lost,
            gained=gained,
            polarity=self._polarity(name),
            verdict="too few samples",
        )

    def _verdict_flips(self, name: str) -> tuple[int, int]:
        """Samples that hold the threshold in one run alone."""
        (a, b), (one, other) = self.tables, self.pairs
        return _flips(a.verdict_column(name, one), b.verdict_column(name, other))

    def _tolerance(self, name: str, a: Array) -> float:
        """What does not matter, on the metric's native scale."""
        mean = float(np.mean(a)) if len(a) else None
        return default_tolerance(name, self.options, self._range(name), mean)

    def span(self, name: str, differences: Array) -> float:
        """How far two scores can lie apart, as far as is known."""
        width = self.width(name)
        if width is None:
            width = float(np.ptp(differences)) if len(differences) else 0.0
        return width

    def width(self, name: str) -> float | None:
        """How wide a metric's range is; None for an open or unknown one."""
        low, high = self._range(name)
        return None if low is None or high is None else high - low

    def _ends(self, name: str) -> tuple[float, float]:
        """What a fail and a pass are scored on a pass/fail metric: 0 and 1 where that is open."""
        low, high = self._range(name)
        return (0.0, 1.0) if low is None or high is None else (low, high)

    def _range(self, name: str) -> Range:
        return range_of(name, self.known)

    def _polarity(self, name: str) -> Any:
        return polarity_of(name, self.known)


def range_of(name: str, known: Mapping[str, Metric]) -> Range:
    """The range of a metric, or of a run's own figures; open for one that is not known."""
    if name in (OVERALL, PASS_RATE):
        return 0.0, 1.0
    return known[name].range if name in known else (None, None)


def polarity_of(name: str, known: Mapping[str, Metric]) -> Any:
    """Which end of a metric, or of a run's own figures, is better; None if that is not known."""
    if name in (OVERALL, PASS_RATE):
        return "higher"
    return known[name].polarity if name in known else None


def default_tolerance(
    name: str, options: CompareOptions, range: Range, mean_a: float | None
) -> float:
    """What does not matter, on the metric's native scale: of an open range, a share of the mean."""
    if name in options.tolerances:
        return options.tolerances[name]
    low, high = range
    width = abs(mean_a or 0.0) if low is None or high is None else high - low
    return options.tolerance * width


def _flips(a: Array, b: Array) -> tuple[int, int]:
    """How many pairs are 1 in A alone, and how many in B alone."""
    return int(np.sum((a == 1) & (b == 0))), int(np.sum((a == 0) & (b == 1)))


def _of_rates(
    lost: int, gained: int, pairs: int, span: float = 1.0
) -> tuple[Interval | None, float]:
    """Interval and spread of differences that are −span, 0 or span."""
    bounds = rate_difference_interval(lost, gained, pairs)
    interval = bounds and Interval(bounds.low * span, bounds.high * span)
    return interval, rate_spread(lost, gained, pairs) * span


def corrected(changes: Sequence[MetricChange], correction: Correction) -> list[MetricChange]:
    """The changes with corrected p-values and their verdicts.

    A metric without a changed pair could not have given an alarm, so it does not count as a test
    (Tarone 1990).
    """
    tested = [change.p for change in changes if change.p is not None and change.changed]
    adjusted = iter(CORRECTIONS[correction](tested))
    corrected_changes = [
        replace(change, adjusted_p=next(adjusted) if change.changed else change.p)
        for change in changes
    ]
    return [replace(change, verdict=verdict_of(change)) for change in corrected_changes]


def verdict_of(change: MetricChange) -> Verdict:
    """What a corrected change comes to."""
    if change.adjusted_p is None or change.difference is None:
        return "too few samples"
    if change.adjusted_p <= ALPHA:
        is_up = change.difference > 0
        if change.polarity in (None, "neutral"):
            return "higher" if is_up else "lower"
        return "better" if is_up == (change.polarity == "higher") else "worse"
    low, high = change.interval or (-np.inf, np.inf)
    is_small = -change.tolerance <= low and high <= change.tolerance
    return "no real change" if is_small and change.pairs >= MIN_PAIRS else "too few samples"


def _most_changed(a: Side, b: Side, matched: _Matched, count: int) -> tuple[SampleChange, ...]:
    """The pairs whose scores changed most, with their texts."""
    names = [name for name in matched.names if name not in (OVERALL, PASS_RATE)]
    total = np.zeros(len(matched.pairs[0]))
    scored = np.zeros(len(total))
    for name in names:
        shares = _shares(matched, name)
        total += np.nan_to_num(shares)
        scored += ~np.isnan(shares)
    sizes = total / np.maximum(scored, 1)
    order = [int(p) for p in np.argsort(-sizes, kind="stable")[:count] if sizes[p] > 0]
    places = [
        [table.first[places[place]] for place in order]
        for table, places in zip(matched.tables, matched.pairs, strict=True)
    ]
    shown = a.show(places[0]), b.show(places[1])
    scores = _score_changes(matched, names, order, shown, places)
    return tuple(
        SampleChange(
            id_a=one.id,
            id_b=other.id,
            size=float(sizes[place]),
            query=one.query if one.query is not None else other.query,
            response_a=one.response,
            response_b=other.response,
            scores=scores[place],
        )
        for place, p, q in zip(order, *places, strict=True)
        for one, other in [(shown[0][p], shown[1][q])]
    )


def _shares(matched: _Matched, name: str) -> Array:
    """How far each pair's scores lie apart, as a share of the metric's range.

    For an open range, of the span of all values found.
    """
    a, b = matched.both(name)
    pooled = np.concatenate([a, b])
    return np.abs(b - a) / (matched.span(name, pooled[~np.isnan(pooled)]) or 1.0)


def _score_changes(
    matched: _Matched,
    names: Sequence[str],
    order: Sequence[int],
    shown: Any,
    places: Sequence[Sequence[int]],
) -> dict[int, tuple[ScoreChange, ...]]:
    """Per pair the metrics that changed most."""
    by_place: dict[int, list[tuple[float, ScoreChange]]] = {place: [] for place in order}
    for name in names:
        a, b = matched.both(name)
        shares = _shares(matched, name)
        for place, p, q in zip(order, *places, strict=True):
            if shares[place] > 0:
                explanations = (
                    side[at].explanations.get(name, "")
                    for side, at in zip(shown, (p, q), strict=True)
                )
                change = ScoreChange(name, float(a[place]), float(b[place]), *explanations)
                by_place[place].append((-float(shares[place]), change))
    return {
        place: tuple(
            c for _, c in sorted(changes, key=lambda x: (x[0], x[1].metric))[:SHOWN_SCORES]
        )
        for place, changes in by_place.items()
    }
