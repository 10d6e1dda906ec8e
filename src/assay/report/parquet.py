"""Scores as Parquet: one row for each sample and metric, for queries over many runs."""

from __future__ import annotations

from typing import Any

from assay.core import Result, Sample, Scores, Summary
from assay.core.extras import require
from assay.core.jsontext import dumps
from assay.report.output_files import OutputFile
from assay.report.safe_text import storable

ROWS = 20_000
"""Rows of one row group: a few megabytes in memory, and large enough to compress well."""
CHARACTERS = 16_000_000
"""Text of one row group; long explanations end a group early."""
COLUMNS = {
    "sample": "string",
    "metric": "string",
    "value": "float64",
    "quality": "float64",
    "passed": "bool_",
    "verdict": "string",
    "gates": "bool_",
    "threshold": "float64",
    "state": "string",
    "explanation": "string",
    "evidence": "string",
    "signature": "string",
}
"""Names and Arrow types; the evidence is JSON text."""


class ParquetWriter:
    """Collects rows and writes them in groups, so that memory stays bounded."""

    def __init__(self, path: str) -> None:
        self._arrow = require("pyarrow", "parquet")
        parquet = require("pyarrow.parquet", "parquet")
        types = [(name, getattr(self._arrow, kind)()) for name, kind in COLUMNS.items()]
        self._schema = self._arrow.schema(types)
        self._file = OutputFile(path)
        self._parquet = parquet.ParquetWriter(self._file.stream, self._schema, compression="zstd")
        self._rows: list[dict[str, Any]] = []
        self._characters = 0

    def write(self, sample: Sample, scores: Scores) -> None:
        """Add the sample's rows."""
        for metric, result in scores.results.items():
            row = _row(scores.id, metric, result)
            self._rows.append(row)
            self._characters += len(row["explanation"]) + len(row["evidence"])
        if len(self._rows) >= ROWS or self._characters >= CHARACTERS:
            self._write_group()

    def close(self, summary: Summary) -> None:
        """Write the last rows and put the file in place."""
        self._write_group()
        with self._file.reported():
            self._parquet.close()
        self._file.commit()

    def abort(self) -> None:
        """Throw the file away."""
        self._parquet.is_open = False  # else it would write a footer when it is collected
        self._file.discard()

    def _write_group(self) -> None:
        if self._rows:
            table = self._arrow.Table.from_pylist(self._rows, schema=self._schema)
            with self._file.reported():
                self._parquet.write_table(table)
        self._rows, self._characters = [], 0


def _row(sample: str, metric: str, result: Result) -> dict[str, Any]:
    return {
        "sample": storable(sample),
        "metric": storable(metric),
        "value": result.value,
        "quality": result.quality,
        "passed": result.passed,
        "verdict": result.verdict,
        "gates": result.gates,
        "threshold": result.threshold,
        "state": result.state,
        "explanation": storable(result.explanation),
        "evidence": dumps([span._asdict() for span in result.evidence]),
        "signature": storable(result.signature),
    }
