"""The rows of a spreadsheet file (`.xlsx`, extra `excel`): values only, nothing is computed.

The file is a zip archive of XML that a stranger may have packed, so its unpacked size is bounded
before anything of it is parsed.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from assay.core import DataError
from assay.core.extras import require

MAX_UNPACKED = 512 * 2**20
"""Bytes of all parts together; shared texts are held in memory while rows are read."""
MAX_PARTS = 10_000
MAX_COLUMNS = 1_000
"""More columns than any table of answers has; a sheet may declare 16,384."""


def read_rows(path: Path) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """The rows of the first sheet that are not empty, with their numbers.

    Formulas give the values that were computed when the file was saved. Raises `DataError` for a
    file that is damaged or too large.
    """
    openpyxl = require("openpyxl", "excel")
    _check_size(path)
    damage = (zipfile.BadZipFile, KeyError, ValueError, OSError, SyntaxError, TypeError, IndexError)
    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True, keep_links=False)
        try:
            if not book.worksheets:
                raise DataError(f"{str(path)!r} has no sheet with cells")
            sheet = book.worksheets[0]
            sheet.reset_dimensions()  # what the file says of its own size may be wrong
            rows = sheet.iter_rows(values_only=True, max_col=MAX_COLUMNS)
            for number, row in enumerate(rows, start=1):
                cells = _trimmed(row)
                if cells:
                    yield number, cells
        finally:
            book.close()
    except damage as error:
        raise DataError(f"{str(path)!r} is not readable as a workbook: {error}") from None


def _trimmed(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """The cells up to the last that is not empty; an empty text is an absent value."""
    cells = [None if isinstance(cell, str) and not cell.strip() else cell for cell in row]
    while cells and cells[-1] is None:
        cells.pop()
    return tuple(cells)


def _check_size(path: Path) -> None:
    """Refuse an archive that unpacks to more than a table of answers is."""
    try:
        with zipfile.ZipFile(path) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, OSError) as error:
        raise DataError(f"{str(path)!r} is not readable as a workbook: {error}") from None
    size = sum(part.file_size for part in parts)
    if size > MAX_UNPACKED or len(parts) > MAX_PARTS:
        raise DataError(
            f"{str(path)!r} unpacks to {size:,} bytes in {len(parts):,} parts; expected at most "
            f"{MAX_UNPACKED:,} in {MAX_PARTS:,}: save it as CSV or Parquet"
        )
