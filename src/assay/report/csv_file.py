"""Scores as CSV: one row for each sample, for spreadsheets.

Text that a spreadsheet would take for a formula gets a `'` in front, as OWASP advises; NUL and
lone surrogates are written as `\\x00` and `\\ud800`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from assay.core import Sample, Scores, Summary
from assay.core.csv_text import guarded
from assay.report.safe_text import storable


class CsvRows:
    """A header, then id, score and verdict, four columns a metric, and all explanations."""

    def __init__(self) -> None:
        self._metrics: tuple[str, ...] | None = None

    def sample(self, _: Sample, scores: Scores) -> str:
        """The sample's row, below the header if it is the first."""
        header = self._header(scores.results) if self._metrics is None else ""
        cells: list[object] = [scores.id, scores.score, scores.passed, scores.verdict]
        for metric in self._metrics or ():
            result = scores[metric]
            cells += [result.value, result.passed, result.verdict, result.state]
        return header + _row([*cells, scores.details])

    def end(self, summary: Summary) -> str:
        """The header, if there was no sample."""
        return self._header(summary.metrics) if self._metrics is None else ""

    def _header(self, metrics: Iterable[str]) -> str:
        self._metrics = tuple(metrics)
        parts = ("", ".passed", ".verdict", ".state")
        columns = [f"{m}{part}" for m in self._metrics for part in parts]
        return _row(["id", "score", "passed", "verdict", *columns, "details"])


def _row(cells: Sequence[object]) -> str:
    line = io.StringIO()
    csv.writer(line).writerow([_cell(value) for value in cells])
    # Python quotes a return or a break inside a cell only where it ends its own lines with it.
    return line.getvalue().removesuffix("\r\n") + "\n"


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return repr(value)
    return storable(guarded(value))
