"""What the comparison of two runs says: metric by metric, and the samples that changed most."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from importlib import import_module
from typing import Any, Literal

from assay.core.metric import Polarity
from assay.core.summary import Interval

Verdict = Literal["better", "worse", "higher", "lower", "no real change", "too few samples"]
"""`higher` and `lower` are changes of metrics of which nobody has said which end is better."""
Test = Literal["McNemar", "sign-flip", "Welch", "two rates"]
"""The first two are of pairs, the others of runs that are compared by their roll-ups."""


@dataclass(frozen=True, slots=True)
class MetricChange:
    """One metric, or the run's `overall` score or `pass_rate`, in both runs.

    All figures but the counts are on the metric's native scale, over samples that have a score in
    both runs; a difference is B − A.
    """

    metric: str
    pairs: int
    """Samples with a score in both runs; of unpaired runs, the smaller number of scores."""
    changed: int
    """Pairs whose scores differ."""
    mean_a: float | None
    mean_b: float | None
    difference: float | None
    interval: Interval | None
    """95 % interval of the difference."""
    test: Test
    p: float | None
    adjusted_p: float | None
    """p corrected over all metrics with a changed pair; a change is real at 0.05 and below."""
    effect: float | None
    """Cohen's d for pairs; of McNemar's test the odds ratio, gained to lost."""
    detectable: float | None
    """The smallest difference that so many pairs show with 80 % power, at the spread found."""
    tolerance: float
    """The largest difference that does not matter."""
    pairs_needed: int | None
    """About how many pairs show a difference of the tolerance with 80 % power."""
    lost: int
    """Samples that hold the metric's threshold in A alone; of pass/fail scores, that are 1 in A.
    Without pairs neither this nor `gained` is counted, and both are 0."""
    gained: int
    polarity: Polarity | None
    """Which end is better; None for a metric that is not known here."""
    verdict: Verdict
    rule_changes: tuple[str, ...] = ()
    """The parts of the signature that differ, when the comparison was allowed all the same."""

    def to_json(self) -> dict[str, Any]:
        """The change as plain data."""
        return _fields(self)


@dataclass(frozen=True, slots=True)
class ScoreChange:
    """One metric of one sample in both runs."""

    metric: str
    value_a: float
    value_b: float
    explanation_a: str
    explanation_b: str


@dataclass(frozen=True, slots=True)
class SampleChange:
    """One sample in both runs; texts are None where the source holds none, as result files do."""

    id_a: str
    id_b: str
    size: float
    """How much its scores have changed: the mean over metrics, as shares of their ranges."""
    query: str | None
    response_a: str | None
    response_b: str | None
    scores: tuple[ScoreChange, ...]
    """The metrics that changed most, the largest change first."""


@dataclass(frozen=True, slots=True)
class GateOutcome:
    """Whether a metric became worse than it may."""

    metric: str
    tolerance: float
    holds: bool
    is_sure: bool
    """False when the interval reaches past the tolerance without lying beyond it."""
    explanation: str


@dataclass(frozen=True, slots=True)
class RunComparison:
    """Run B against run A."""

    a: str
    b: str
    paired_by: str
    """`id`, `query`, or `none` where runs are compared by their roll-ups; counts of pairs are 0."""
    pairs: int
    only_a: int
    """Samples of A that B does not have."""
    only_b: int
    repeated: int
    """Samples whose id or query came before in the same run; the second pairs with the second."""
    unread: int
    """Records of result files that could not be read."""
    correction: str
    seed: int
    metrics: tuple[MetricChange, ...]
    refused: Mapping[str, tuple[str, ...]]
    """Metrics whose signatures differ → the parts that do; they are not compared."""
    metrics_only_a: tuple[str, ...]
    metrics_only_b: tuple[str, ...]
    thresholds: Mapping[str, tuple[float | None, float | None]]
    """Metrics whose thresholds differ → those of A and B."""
    samples: tuple[SampleChange, ...]
    """Those that changed most, the largest change first."""
    notes: tuple[str, ...]
    gates: tuple[GateOutcome, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The comparison as plain data."""
        return _fields(self)

    def _repr_html_(self) -> str:
        """The comparison as notebooks show it."""
        # Reports stand above this package; the module is found by its name when it is needed.
        html: str = import_module("assay.report.notebook").comparison_html(self)
        return html


def _fields(value: Any) -> dict[str, Any]:
    return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}


def _plain(value: Any) -> Any:
    """Dataclasses as objects, sequences as lists."""
    if is_dataclass(value):
        return _fields(value)
    if isinstance(value, Mapping):
        return {name: _plain(part) for name, part in value.items()}
    return [_plain(part) for part in value] if isinstance(value, tuple) else value
