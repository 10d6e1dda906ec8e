"""A Parquet file, or a folder of them, read row group by row group.

A folder may be partitioned as Hive does it: `lang=en/part-0.parquet` gives every record of the file
the value `en` for `lang`. Rows are numbered through the files in the order of their names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import chain, pairwise
from pathlib import PurePosixPath
from typing import Any, NamedTuple
from urllib.parse import unquote

from assay.core import DataError, SampleError
from assay.core.extras import require
from assay.core.folders import open_folder
from assay.samples.raw_records import DAMAGE, ROWS_AT_ONCE, RawRecord, arrow_rows, damage_reason

MAX_SPLITS = 8
"""A row group is read from its start by each part of it, so that too many would cost more time
than they share out."""
NO_VALUE = "__HIVE_DEFAULT_PARTITION__"
"""How Hive writes an absent value in the name of a folder."""


class ParquetPart(NamedTuple):
    """Some rows of one file."""

    file: str
    row_groups: tuple[int, ...]
    skipped: int
    """Rows of these groups that stand before."""
    rows: int
    first: int
    """How many rows of the data set stand before."""


class _File(NamedTuple):
    name: str
    groups: tuple[int, ...]
    """Rows of each row group."""


class ParquetDataset:
    """All rows of a file or folder, which may be an address of fsspec."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._folder = open_folder(address)
        self._parquet = require("pyarrow.parquet", "parquet")
        self._damage = (require("pyarrow", "parquet").ArrowException, *DAMAGE)
        self.name = PurePosixPath(address.rstrip("/").replace("\\", "/")).name

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return sum(sum(file.groups) for file in self._files)

    def parts(self, size: int) -> list[ParquetPart]:
        """The rows in parts of about that size, none over two files."""
        parts: list[ParquetPart] = []
        first = 0
        for file in self._files:
            for part in _parts(file, size):
                parts.append(part._replace(first=first))
                first += part.rows
        return parts

    def records(self, part: ParquetPart) -> Iterator[RawRecord]:
        """The rows of a part with their numbers in the data set; damage is said at its place."""
        number = part.first
        try:
            for row in self._rows(part):
                number += 1
                yield RawRecord(f"row {number}", row)
        except self._damage as error:
            problem = SampleError(f"{part.file or self.name} is damaged: {damage_reason(error)}")
            yield RawRecord(f"row {number + 1}", problem)

    def all_records(self) -> Iterator[RawRecord]:
        """All rows with their numbers; a data set that cannot be used raises at once."""
        parts = self.parts(max(1, self.rows))
        return chain.from_iterable(map(self.records, parts))

    def _rows(self, part: ParquetPart) -> Iterator[Any]:
        shared = partition_values(part.file)
        skip, left = part.skipped, part.rows
        with self._folder.open(part.file) as stream, self._parquet.ParquetFile(stream) as file:
            groups = list(part.row_groups)
            for batch in file.iter_batches(ROWS_AT_ONCE, row_groups=groups, use_threads=False):
                rows = batch.slice(min(skip, batch.num_rows))
                skip -= batch.num_rows - rows.num_rows
                for row in arrow_rows(rows.slice(0, left)):
                    yield {**row, **shared} if shared and isinstance(row, Mapping) else row
                left -= min(left, rows.num_rows)
                if not left:
                    return

    @cached_property
    def _files(self) -> list[_File]:
        names = self._folder.names(".parquet")
        if not names:
            is_there = self._folder.exists
            problem = "is a folder without .parquet files" if is_there else "does not exist"
            expected = "expected a file, or a folder of Parquet files"
            raise DataError(f"{self._address!r} {problem}; {expected}")
        return [self._file(name) for name in names]

    def _file(self, name: str) -> _File:
        try:
            with self._folder.open(name) as stream:
                metadata = self._parquet.read_metadata(stream)
        except self._damage as error:
            raise DataError(
                f"{name or self._address!r} is not readable as Parquet: {damage_reason(error)}"
            ) from None
        groups = range(metadata.num_row_groups)
        return _File(name, tuple(metadata.row_group(group).num_rows for group in groups))


def _parts(file: _File, size: int) -> Iterator[ParquetPart]:
    """Small row groups together, and large ones in pieces."""
    waiting: list[int] = []
    for number, rows in enumerate(file.groups):
        if rows > size:
            if waiting:
                yield _together(file, waiting)
                waiting = []
            pieces = min(MAX_SPLITS, -(-rows // size))
            ends = [rows * piece // pieces for piece in range(pieces + 1)]
            for start, end in pairwise(ends):
                yield ParquetPart(file.name, (number,), start, end - start, 0)
            continue
        if waiting and sum(file.groups[group] for group in waiting) + rows > size:
            yield _together(file, waiting)
            waiting = []
        waiting.append(number)
    if waiting:
        yield _together(file, waiting)


def _together(file: _File, groups: list[int]) -> ParquetPart:
    rows = sum(file.groups[group] for group in groups)
    return ParquetPart(file.name, tuple(groups), 0, rows, 0)


def partition_values(file: str) -> dict[str, str | None]:
    """What the folders of a file's name say of its records, as Hive writes it."""
    named = (part.partition("=") for part in file.split("/")[:-1] if "=" in part)
    return {name: None if value == NO_VALUE else unquote(value) for name, _, value in named}
