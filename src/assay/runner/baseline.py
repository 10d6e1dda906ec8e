"""Gates against an earlier run: which metrics may not become worse than they were in it."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping
from math import isnan, nan
from pathlib import Path
from typing import TYPE_CHECKING

from assay import registry
from assay.core import (
    DataError,
    GateState,
    GateVerdict,
    Metric,
    Sample,
    Scores,
    Summary,
    UsageError,
)
from assay.core.run_comparison import MetricChange, RunComparison
from assay.core.sample import question_in
from assay.engine import GatePolicy, Plan
from assay.engine.gate_watch import lacking
from assay.runner.compare import CompareOptions, compare_runs
from assay.runner.compare_gates import ALL, gate_outcomes, parse_gates
from assay.runner.score_table import OVERALL, PASS_RATE
from assay.runner.sides import By, SampleView, ScoredSample, is_file, open_side
from assay.stats.aggregates import counts_as_pass

if TYPE_CHECKING:  # files can be compared without the extra `store`
    from assay.store import Store


class LiveSide:
    """A run that is going on: a sink of its samples, and a side of a comparison once it is over.

    It keeps numbers only, nine bytes for each score.
    """

    def __init__(self, plan: Plan, name: str = "this run") -> None:
        self.name = name
        self.signatures = {step.metric.id: step.signature for step in plan.shown}
        self.thresholds = {step.metric.id: step.threshold for step in plan.shown}
        self.weights = {s.metric.id: s.weight for s in plan.shown if s.weight != 1.0}
        self.gating = set(plan.gating)
        self.unread = 0
        self.notes: list[str] = []
        self._ids: list[str] = []
        self._questions: list[str | None] = []
        columns = (OVERALL, *self.signatures)
        self._values = {column: array("d") for column in columns}
        self._verdicts = {column: array("b") for column in columns}

    def write(self, sample: Sample, scores: Scores) -> None:
        """Keep a sample's scores."""
        self._ids.append(scores.id)
        self._questions.append(question_in(sample.metadata))
        self._put(OVERALL, scores.score, counts_as_pass(scores.status))
        for metric in self.signatures:
            result = scores.results[metric]
            value = result.value if result.state == "ok" else None
            self._put(metric, value, result.passed)

    def _put(self, column: str, value: float | None, passed: bool | None) -> None:
        self._values[column].append(nan if value is None else value)
        self._verdicts[column].append(-1 if passed is None else passed)

    def read(self, by: By) -> Iterator[ScoredSample]:
        """All scored samples, in order; they are known by id alone."""
        assert by == "id"
        for place, id in enumerate(self._ids):
            scores = {metric: self._score(metric, place) for metric in self.signatures}
            values = {m: (v, p) for m, (v, p) in scores.items() if v is not None}
            question = self._questions[place]
            yield ScoredSample(question or id, values, *self._score(OVERALL, place), question)

    def _score(self, column: str, place: int) -> tuple[float | None, bool | None]:
        value, verdict = self._values[column][place], self._verdicts[column][place]
        return None if isnan(value) else value, None if verdict < 0 else bool(verdict)

    def show(self, places: Iterable[int]) -> dict[int, SampleView]:
        """No sample: texts are not kept."""
        return {}


class BaselineGates:
    """An earlier run, and which metrics of this one may not be worse."""

    def __init__(
        self,
        name: str,
        store: Store | None,
        plan: Plan,
        gates: Iterable[str] = (),
        seed: int = 0,
        allow_lost: int = 0,
    ) -> None:
        if is_file(name) and not Path(name).is_file():
            raise DataError(f"there is no baseline {name!r}; expected a .jsonl file of results")
        self._side = open_side(name, store)
        self.live = LiveSide(plan)
        self._gates = parse_gates(gates) or {ALL: None}
        self._allow_lost = allow_lost
        metrics = {step.metric.id: step.metric for step in plan.shown}
        _check(self._gates, metrics)
        self._options = CompareOptions(
            tolerances={id: own for id, own in self._gates.items() if own is not None},
            samples=0,
            seed=seed,
            known={**registry.metrics(), **metrics},
        )

    def verdicts(self, policy: GatePolicy, summary: Summary) -> tuple[GateVerdict, ...]:
        """The verdict of each gate on the summary of the whole run."""
        try:
            comparison = compare_runs(self._side, self.live, self._options)
        except UsageError as error:
            what = "all metrics" if ALL in self._gates else ", ".join(self._gates)
            return (_undecided(self._text(what), self._reason(error), policy),)
        changes = {change.metric: change for change in comparison.metrics}
        return tuple(
            self._covered(name, summary, policy)
            or self._verdict(name, changes.get(name), comparison, policy)
            for name in self._names(comparison)
        )

    def _reason(self, error: UsageError) -> str:
        """Why nothing was compared; what else the error says is for those who compare by hand."""
        if not self._side.signatures:
            return 'the baseline holds no results; make one with "assay run --out FILE.jsonl"'
        return f"{str(error).partition(';')[0]}; make a new baseline of the same samples"

    def _names(self, comparison: RunComparison) -> list[str]:
        """The metrics that gates name; all of them in the order of the comparison."""
        if ALL not in self._gates:
            return list(self._gates)
        directed = [c.metric for c in comparison.metrics if c.polarity not in (None, "neutral")]
        return [*directed, *comparison.refused]

    def _covered(self, name: str, summary: Summary, policy: GatePolicy) -> GateVerdict | None:
        """The failure of a gate whose metric has too few scores in this run; None else."""
        if name in summary.metrics:
            aggregate = summary.metrics[name]
            scored, applicable = aggregate.scored, aggregate.applicable
        else:
            scored, applicable = summary.judged, summary.applicable
        lack = lacking(scored, applicable, policy.min_coverage) if scored else ""
        return GateVerdict(self._text(name), "fails", False, lack, samples=scored) if lack else None

    def _verdict(
        self, name: str, change: MetricChange | None, comparison: RunComparison, policy: GatePolicy
    ) -> GateVerdict:
        text = self._text(name)
        if name in comparison.refused:
            parts = ", ".join(comparison.refused[name])
            return _undecided(text, f"its rules differ in {parts}; make a new baseline", policy)
        if change is None:
            return _undecided(text, "it was not compared; the baseline has no scores of it", policy)
        if change.difference is None or change.pairs < policy.min_samples:
            explanation = f"{change.pairs} samples have a score in both runs"
            return _undecided(text, explanation, policy)
        own = {name: self._gates.get(name)}
        (outcome,) = gate_outcomes(comparison, own, allow_lost=self._allow_lost)
        known = (change.difference, change.interval, change.pairs)
        if outcome.is_sure:
            state: GateState = "holds" if outcome.holds else "fails"
            return GateVerdict(text, state, outcome.holds, outcome.explanation, *known)
        explanation = f"{outcome.explanation}; too few samples to tell"
        return GateVerdict(text, "flaky", policy.flaky != "fail", explanation, *known)

    def _text(self, metric: str) -> str:
        return f"{metric} not worse than in {self._side.name}"


def _check(gates: Mapping[str, float | None], metrics: Mapping[str, Metric]) -> None:
    for name in gates:
        if name in (ALL, OVERALL, PASS_RATE):
            continue
        if name not in metrics:
            raise UsageError(f"the gate on {name!r} names a metric that is not scored")
        if metrics[name].polarity == "neutral":
            raise UsageError(
                f"the gate on {name!r} cannot be decided: "
                "neither a higher nor a lower value is better"
            )


def _undecided(text: str, explanation: str, policy: GatePolicy) -> GateVerdict:
    return GateVerdict(text, "undecided", policy.allow_undecided, explanation)
