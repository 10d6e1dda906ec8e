"""Scores as JSON: a line for each sample, or one document with the summary at its end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from assay import registry
from assay.core import Sample, Scores, Summary
from assay.core.jsontext import dumps
from assay.core.result_records import Declaration, Detail, MetricFacts, ResultRecords


class JsonLines:
    """One output record a line.

    With the declarations of all metrics of the run, lines can be written by several processes:
    only the first one differs from the others.
    """

    def __init__(
        self, detail: Detail = "full", declared: Mapping[str, Declaration] | None = None
    ) -> None:
        self._detail = detail
        self._declared = declared
        self._records = ResultRecords(metric_facts, detail, declared)

    def sample(self, sample: Sample, scores: Scores) -> str:
        """The sample's record."""
        return _line(self._records, sample, scores)

    def end(self, _: Summary) -> str:
        """Nothing: the format has no place for a summary."""
        return ""

    @property
    def is_parallel(self) -> bool:
        """Whether other processes may write lines."""
        return self._declared is not None

    def text(self, scored: Iterable[tuple[Sample, Scores]], *, is_first: bool) -> str:
        """The lines of some samples; with `is_first` they stand at the beginning of the file."""
        records = ResultRecords(metric_facts, self._detail, self._declared)
        if not is_first:
            records.declare(self._declared or ())
        return "".join([_line(records, sample, scores) for sample, scores in scored])

    def declare(self) -> None:
        """Take all metrics as declared: the first line was written by another process."""
        self._records.declare(self._declared or ())


class JsonReport:
    """`{"samples": […], "summary": {…}}`, with one sample a line."""

    def __init__(
        self, detail: Detail = "full", declared: Mapping[str, Declaration] | None = None
    ) -> None:
        self._records = ResultRecords(metric_facts, detail, declared)
        self._before = '{"samples": [\n'

    def sample(self, sample: Sample, scores: Scores) -> str:
        """The sample's record, after the document's start or a comma."""
        text = f"{self._before}{self._records.text(sample, scores)}"
        self._before = ",\n"
        return text

    def end(self, summary: Summary) -> str:
        """The summary and the document's end."""
        start = "\n" if self._before == ",\n" else self._before
        return f'{start}], "summary": {dumps(summary.to_json(), indent=2)}}}\n'


def _line(records: ResultRecords, sample: Sample, scores: Scores) -> str:
    return f"{records.text(sample, scores)}\n"


def metric_facts(id: str) -> MetricFacts:
    """What is known of a metric; nothing of one that is not installed here."""
    metric = registry.metrics().get(id)
    return MetricFacts(metric.unit, metric.range, metric.polarity) if metric else MetricFacts()
