"""Scores as JSON: a line for each sample, or one document with the summary at its end."""

from __future__ import annotations

from assay import registry
from assay.core import Sample, Scores, Summary
from assay.core.jsontext import dumps
from assay.core.result_records import Detail, MetricFacts, ResultRecords


class JsonLines:
    """One output record a line."""

    def __init__(self, detail: Detail = "full") -> None:
        self._records = ResultRecords(metric_facts, detail)

    def sample(self, _: Sample, scores: Scores) -> str:
        """The sample's record."""
        return f"{dumps(self._records.record(scores), is_compact=True)}\n"

    def end(self, _: Summary) -> str:
        """Nothing: the format has no place for a summary."""
        return ""


class JsonReport:
    """`{"samples": […], "summary": {…}}`, with one sample a line."""

    def __init__(self, detail: Detail = "full") -> None:
        self._records = ResultRecords(metric_facts, detail)
        self._before = '{"samples": [\n'

    def sample(self, _: Sample, scores: Scores) -> str:
        """The sample's record, after the document's start or a comma."""
        text = f"{self._before}{dumps(self._records.record(scores), is_compact=True)}"
        self._before = ",\n"
        return text

    def end(self, summary: Summary) -> str:
        """The summary and the document's end."""
        start = "\n" if self._before == ",\n" else self._before
        return f'{start}], "summary": {dumps(summary.to_json(), indent=2)}}}\n'


def metric_facts(id: str) -> MetricFacts:
    """What is known of a metric; nothing of one that is not installed here."""
    metric = registry.metrics().get(id)
    return MetricFacts(metric.unit, metric.range, metric.polarity) if metric else MetricFacts()
