"""Scores as JSON: a line for each sample, or one document with the summary at its end."""

from __future__ import annotations

from assay import registry
from assay.core import Sample, Scores, Summary
from assay.core.jsontext import dumps
from assay.core.result_records import Detail, ResultRecords


class JsonLines:
    """One output record a line."""

    def __init__(self, detail: Detail = "full") -> None:
        self._records = ResultRecords(_unit, detail)

    def sample(self, _: Sample, scores: Scores) -> str:
        """The sample's record."""
        return f"{dumps(self._records.record(scores), is_compact=True)}\n"

    def end(self, _: Summary) -> str:
        """Nothing: the format has no place for a summary."""
        return ""


class JsonReport:
    """`{"samples": […], "summary": {…}}`, with one sample a line."""

    def __init__(self, detail: Detail = "full") -> None:
        self._records = ResultRecords(_unit, detail)
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


def _unit(id: str) -> str:
    """The unit of a metric; none for one that is not installed here."""
    known = registry.metrics()
    return known[id].unit if id in known else ""
