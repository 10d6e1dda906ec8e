"""What is summed up of the scores of a batch: columns of plain values, which are little to send."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from heapq import nsmallest
from typing import NamedTuple, Protocol

from assay.core import Result, Sample, SampleError, Scores
from assay.core.result import CALIBRATED, State, Status, Verdict
from assay.core.sample import REPEAT_OF, question_in, was_retried

BINS = 20
"""Bars of the distribution of a metric's quality."""
WORST = 50
"""Samples kept whole for the report, the worst first."""


class CountedMetric(Protocol):
    """What is known of a metric before anything is counted."""

    metric: str
    gates: bool
    inputs: tuple[str, ...]
    counted: tuple[State, ...]
    """The states whose values count."""


class MetricColumn(NamedTuple):
    """One metric's results for the samples of a batch."""

    places: Sequence[int]
    """The samples whose values count, in order."""
    values: Sequence[float]
    """One for each of them, as are the verdicts."""
    verdicts: Sequence[Verdict | None]
    states: Mapping[State, int]
    applicable: int
    thresholds: Collection[float]
    probabilities: Sequence[float]
    """Calibrated ones, in order."""
    bins: Mapping[int, int]
    """How many values have which quality, in steps of 1 / `BINS`."""
    reasons: Mapping[str, int]
    """Why values do not count, in the order in which they are met."""


class BatchCounts(NamedTuple):
    """All that is summed up of a batch."""

    offsets: Sequence[int]
    """The places of the samples among the records of the batch."""
    unread: Sequence[tuple[int, str]]
    """The places of the other records, and what is wrong with them."""
    columns: Sequence[MetricColumn | None]
    """One for each metric of the run; None where no sample has a result."""
    scores: Sequence[float | None]
    statuses: Sequence[Status]
    weights: Sequence[float] | None
    """None where all of them are 1."""
    questions: Sequence[str | None]
    """The questions that samples name."""
    repeats: Collection[int]
    """The samples that are repeats."""
    retried: Collection[int]
    """The samples that were answered only after a retry."""
    applicable: int
    """Samples with the inputs of some metric that gates."""

    @property
    def size(self) -> int:
        """How many records the batch has."""
        return len(self.offsets) + len(self.unread)

    @property
    def scored(self) -> int:
        """How many samples have a score of their own."""
        return len(self.scores) - self.scores.count(None)

    @classmethod
    def of(
        cls,
        metrics: Iterable[CountedMetric],
        items: Sequence[Sample | SampleError],
        scored: Sequence[Scores],
    ) -> BatchCounts:
        """Count the scores of all samples among the items."""
        samples = [item for item in items if isinstance(item, Sample)]
        absences = _Absences(samples)
        columns: list[MetricColumn | None] = []
        unfit: set[int] | None = None
        for metric in metrics:
            results = [scores.results.get(metric.metric) for scores in scored]
            column, without = _column(metric, results, absences)
            columns.append(column)
            if metric.gates:
                unfit = without if unfit is None else unfit & without
        weights = [sample.weight for sample in samples]
        return cls(
            *([], []),
            columns,
            [scores.score for scores in scored],
            [scores.status for scores in scored],
            weights if any(weight != 1.0 for weight in weights) else None,
            [question_in(sample.metadata) for sample in samples],
            [place for place, sample in enumerate(samples) if REPEAT_OF in sample.metadata],
            [place for place, sample in enumerate(samples) if was_retried(sample.metadata)],
            0 if unfit is None else len(samples) - len(unfit),
        ).placed(items)

    def placed(self, items: Sequence[Sample | SampleError]) -> BatchCounts:
        """The same for samples that stand among other records."""
        problems = [
            (place, item) for place, item in enumerate(items) if not isinstance(item, Sample)
        ]
        return self._replace(
            offsets=[place for place, item in enumerate(items) if isinstance(item, Sample)],
            unread=[(place, str(item)) for place, item in problems],
        )

    def worst(self, cutoff: float | None) -> list[int]:
        """The samples that may be among the worst of the run, whose scores lie below the cutoff."""
        return worst_places(self.scores, cutoff)


def worst_places(scores: Sequence[float | None], cutoff: float | None) -> list[int]:
    """The places of the lowest scores below the cutoff."""
    below = [
        (score, place)
        for place, score in enumerate(scores)
        if score is not None and (cutoff is None or score < cutoff)
    ]
    return [place for _, place in nsmallest(WORST, below)]


class _Absences:
    """Which samples of a batch lack some of the inputs that metrics name."""

    def __init__(self, samples: Sequence[Sample]) -> None:
        self._samples = samples
        self._known: dict[tuple[str, ...], set[int]] = {(): {*range(len(samples))}}

    def of(self, inputs: tuple[str, ...]) -> set[int]:
        """The samples that lack one of the inputs; all of them where no input is named."""
        if inputs not in self._known:
            self._known[inputs] = {
                place
                for place, sample in enumerate(self._samples)
                if any(map(sample.lacks, inputs))
            }
        return self._known[inputs]


def _column(
    metric: CountedMetric, results: Sequence[Result | None], absences: _Absences
) -> tuple[MetricColumn | None, set[int]]:
    """The column of a metric, and the samples that it does not apply to."""
    held = {place: result for place, result in enumerate(results) if result is not None}
    without = {*range(len(results))}.difference(held)
    if not held:  # every test chose its own metrics
        return None, without
    states = Counter([result.state for result in held.values()])
    if "missing" in states:
        missing = {place for place, result in held.items() if result.state == "missing"}
        without |= missing & absences.of(metric.inputs)
    counted = {
        place: result
        for place, result in held.items()
        if result.value is not None and result.state in metric.counted
    }
    others = [result.explanation for place, result in held.items() if place not in counted]
    fields = [*zip(*counted.values(), strict=True)] or [()] * len(Result._fields)
    values, _, _, details, _, _, _, qualities, thresholds, _, verdicts, *_ = fields
    known = [
        (quality, own)
        for quality, own in zip(qualities, details, strict=True)
        if quality is not None
    ]
    column = MetricColumn(
        [*counted],
        values,
        verdicts,
        dict(states),
        len(results) - len(without),
        {*thresholds} - {None},
        [quality for quality, own in known if own and own.get(CALIBRATED) is True],
        Counter([min(BINS - 1, int(quality * BINS)) for quality, _ in known]),
        Counter(others),
    )
    return column, without
