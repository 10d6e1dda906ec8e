"""Scores as Parquet: one row for each sample, and the reasons in a second file beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from assay.core import DataError, Sample, Scores, Summary
from assay.core.extras import require
from assay.core.result_records import Declaration, Detail
from assay.report.output_files import OutputFile
from assay.report.sample_table import SampleTable

ROWS = 20_000
"""Samples of one row group: a few megabytes in memory, and large enough to compress well."""
CHARACTERS = 16_000_000
"""Text of one row group; long explanations end a group early."""


class ParquetWriter:
    """Collects rows and writes them in groups, so that memory stays bounded."""

    def __init__(
        self,
        path: str,
        detail: Detail = "full",
        declared: Mapping[str, Declaration] | None = None,
    ) -> None:
        require("pyarrow", "parquet")
        self._parquet = require("pyarrow.parquet", "parquet")
        self._detail, self._declared = detail, declared
        self._files = _opened([path] if detail == "values" else [path, details_path(path)])
        self._table: SampleTable | None = None
        self._writers: list[Any] = []
        if declared is not None:
            self._open(declared)

    def write(self, sample: Sample, scores: Scores) -> None:
        """Add the sample's row, and its reasons."""
        table = self._table or self._open(scores.results)
        table.add(scores)
        if table.rows >= ROWS or table.characters >= CHARACTERS:
            self._write_group(table)

    def write_unread(self, problem: str) -> None:
        """Add the row of a record that could not be read."""
        if self._table:  # without declarations, a file is of samples that were scored before
            self._table.add_unread(problem)

    def close(self, summary: Summary) -> None:
        """Write the last rows and put the files in place."""
        table = self._table or self._open(summary.metrics)
        self._write_group(table)
        for file, writer in zip(self._files, self._writers, strict=True):
            with file.reported():
                writer.close()
        for file in self._files:
            file.commit()

    def abort(self) -> None:
        """Throw the files away."""
        for writer in self._writers:
            writer.is_open = False  # else it would write a footer when it is collected
        for file in self._files:
            file.discard()

    def _open(self, metrics: Iterable[str]) -> SampleTable:
        self._table = table = SampleTable(metrics, self._detail, self._declared)
        schemas = (table.schema, table.detail_schema)
        self._writers = [
            self._parquet.ParquetWriter(file.stream, schema, compression="zstd")
            for file, schema in zip(self._files, schemas, strict=False)
        ]
        return table

    def _write_group(self, table: SampleTable) -> None:
        if not table.rows:
            return
        for file, writer, part in zip(self._files, self._writers, table.take(), strict=False):
            if part.num_rows:
                with file.reported():
                    writer.write_table(part)


def _opened(paths: Iterable[str]) -> list[OutputFile]:
    """All files, or none of them."""
    files: list[OutputFile] = []
    try:
        for path in paths:
            files.append(OutputFile(path))  # noqa: PERF401 -- the others are discarded
    except DataError:
        for file in files:
            file.discard()
        raise
    return files


def details_path(path: str) -> str:
    """The file of the reasons, beside that of the scores: `scores.details.parquet`."""
    return str(Path(path).with_suffix(f".details{Path(path).suffix}"))
