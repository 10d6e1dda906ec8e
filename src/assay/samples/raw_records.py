"""The raw records of a file, one by one, with the place of each.

A record that cannot be had is a `SampleError` in its place; a file that cannot be used at all
raises `DataError`. All but `.json` is read in pieces, so that memory does not grow with the file.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import json
import re
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import date, time
from itertools import chain
from pathlib import Path
from typing import IO, Any, NamedTuple, cast

from assay.core import DataError, SampleError, jsontext
from assay.core.csv_text import unguarded
from assay.core.extras import require

MAX_LINE_BYTES = 64 * 2**20
"""A longer line is refused; it is more likely a damaged file than an answer."""
MAX_COUNTED_BYTES = 4 * 2**30
"""Counting the lines of a larger file would delay a run by seconds."""
ROWS_AT_ONCE = 512
"""Rows of Parquet decoded together: enough for speed, little enough for large texts."""
DELIMITERS = (",", ";", "\t")
"""Separators of CSV; the one that is most frequent in the header counts, the first on a tie."""
PACKED = {
    b"\x1f\x8b": "gzip",
    b"PK\x03\x04": "a zip archive",
    b"PK\x05\x06": "a zip archive",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"\xfd7zXZ\x00": "xz",
    b"BZh91AY&SY": "bzip2",
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"PAR1\x15": "Parquet",
    b"\xd0\xcf\x11\xe0": "a file of Excel",
}
"""How files begin that are no text, whatever their names say."""
PACKED_TABLES = (".parquet", ".xlsx")
"""Endings of files that are meant to be no text."""
DAMAGE = (EOFError, OSError, zlib.error)
"""What reading a damaged or vanishing file raises."""


class RawRecord(NamedTuple):
    """A record, or the reason why there is none, and where it stands: `line 12`."""

    place: str
    value: Any

    def parsed(self) -> RawRecord:
        """The record whose text is parsed, where it is the bytes of a line of JSON."""
        if not isinstance(self.value, bytes):
            return self
        try:
            value = jsontext.loads(self.value.rstrip().decode())
        except UnicodeDecodeError as error:
            value = SampleError(f"not UTF-8 at byte {error.start + 1} of the line")
        except ValueError as error:
            value = SampleError(f"invalid JSON: {error}; expected one object per line")
        return RawRecord(self.place, value)


class JsonFile(NamedTuple):
    """A `.json` file: its records, and what stands beside them in a golden dataset."""

    header: dict[str, Any]
    records: list[Any]


def records(path: Path) -> Iterator[RawRecord]:
    """The records of a file whose ending says its format; an unusable file raises at once."""
    return map(RawRecord.parsed, unparsed_records(path))


def unparsed_records(path: Path) -> Iterator[RawRecord]:
    """The same, but lines of JSON are bytes, for `RawRecord.parsed`."""
    read = READERS[ending(path)]
    check_readable(path)
    return read(path)


def standard_input() -> Iterator[RawRecord]:
    """The lines of JSONL text from standard input, unparsed."""
    return _json_lines(sys.stdin.buffer)


def ending(path: Path) -> str:
    """The ending of a file's name by which its format is known."""
    name = path.name.lower()
    known_ending = next((known for known in READERS if name.endswith(known)), None)
    if known_ending is None:
        raise DataError(
            f"{str(path)!r} has an unknown ending; expected one of {', '.join(READERS)}"
        )
    return known_ending


def check_readable(path: Path) -> None:
    """Raise `DataError` when the file is absent, a folder, forbidden, empty, UTF-16 or packed."""
    shown = str(path)
    try:
        if path.is_dir():
            raise DataError(f"{shown!r} is a folder; expected a file")
        if path.exists() and not path.is_file():
            return  # a pipe can be opened once only
        with opened(path) as file:
            start = file.read(max(map(len, PACKED)))
    except FileNotFoundError:
        raise DataError(f"no such file: {shown!r}") from None
    except (*DAMAGE, ValueError) as error:
        raise DataError(f"cannot read {shown!r}: {damage_reason(error)}") from None
    if not start:
        raise empty(shown)
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise DataError(f"{shown!r} is UTF-16; expected UTF-8")
    kind = next((kind for head, kind in PACKED.items() if start.startswith(head)), None)
    if kind and ending(path) not in PACKED_TABLES:
        raise DataError(
            f"{shown!r} is {kind}; expected text: unpack it, or give it the ending of its format"
        )


def empty(shown: str) -> DataError:
    """The error for a file without records."""
    return DataError(f"{shown!r} is empty; expected at least one record")


def read_json(path: Path) -> JsonFile:
    """A whole `.json` file: a list of records, a golden dataset, or a single record."""
    shown = str(path)
    try:
        value = jsontext.loads(path.read_bytes().decode())
    except UnicodeDecodeError as error:
        raise DataError(f"{shown!r} is not UTF-8 at byte {error.start + 1}") from None
    except ValueError as error:
        raise DataError(f"{shown!r} is invalid JSON: {_with_line(error)}") from None
    if isinstance(value, list):
        return JsonFile({}, value)
    if not isinstance(value, dict):
        raise DataError(f"{shown!r} holds no record; expected a list of objects or an object")
    if isinstance(examples := value.get("examples"), list):
        return JsonFile({key: part for key, part in value.items() if key != "examples"}, examples)
    return JsonFile({}, [value])


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """The file's bytes, unpacked where its ending says `.gz`."""
    with path.open("rb") as file:
        if path.name.lower().endswith(".gz"):
            with gzip.open(file) as unpacked:
                yield cast("IO[bytes]", unpacked)
        else:
            yield file


def count(path: Path) -> int | None:
    """How many records the file holds, where that can be said without parsing it."""
    kind = ending(path)
    if kind == ".parquet":
        metadata = require("pyarrow.parquet", "parquet").read_metadata(path)
        return int(metadata.num_rows)
    if kind not in (".jsonl", ".ndjson") or not path.is_file():
        return None
    if path.stat().st_size > MAX_COUNTED_BYTES:
        return None
    with path.open("rb") as file:
        return sum(block.count(b"\n") for block in iter(lambda: file.read(2**20), b"")) or 1


def numbered(values: Iterable[Any], name: str = "record") -> Iterator[RawRecord]:
    """The records of a list with their places."""
    return (RawRecord(f"{name} {number}", record) for number, record in enumerate(values, start=1))


def _json(path: Path) -> Iterator[RawRecord]:
    return numbered(read_json(path).records)


def _jsonl(path: Path) -> Iterator[RawRecord]:
    with opened(path) as file:
        yield from _json_lines(file)


def _json_lines(file: IO[bytes]) -> Iterator[RawRecord]:
    for number, line in _lines(file):
        if isinstance(line, SampleError) or not line.isspace():
            yield RawRecord(f"line {number}", line)


def _lines(file: IO[bytes]) -> Iterator[tuple[int, bytes | SampleError]]:
    """The lines with their numbers, none longer than the limit."""
    number = 0
    while True:
        number += 1
        try:
            line = file.readline(MAX_LINE_BYTES + 1)
            is_long = len(line) > MAX_LINE_BYTES and not line.endswith(b"\n")
            while is_long and line and not line.endswith(b"\n"):
                line = file.readline(MAX_LINE_BYTES)
        except DAMAGE as error:
            yield number, SampleError(f"the file is damaged from here on: {damage_reason(error)}")
            return
        if is_long:
            yield (
                number,
                SampleError(
                    f"the line is longer than {MAX_LINE_BYTES} bytes; expected a shorter one"
                ),
            )
        elif not line:
            return
        else:
            yield number, line.removeprefix(codecs.BOM_UTF8) if number == 1 else line


def _csv(path: Path) -> Iterator[RawRecord]:
    csv.field_size_limit(MAX_LINE_BYTES)
    with opened(path) as file:
        lines = _text_lines(file)
        first = next(lines, "")
        rows = csv.reader(chain([first], lines), strict=True, delimiter=_delimiter(path, first))
        header: list[str] | None = None
        while True:
            number = rows.line_num + 1
            try:
                row = next(rows, None)
                if row is None:
                    return
                if not row:
                    continue
                if header is None:
                    header = _columns(path, row)
                    continue
                value: Any = _cells(header, row)
            except csv.Error as error:
                value = SampleError(f"broken CSV: {error}")
            except SampleError as error:
                value = error
            yield RawRecord(f"line {number}", value)


def _delimiter(path: Path, header: str) -> str:
    """What separates the cells: spreadsheets write `;` where the comma is a decimal sign."""
    if ending(path) == ".tsv":
        return "\t"
    outside = re.sub(r'"[^"]*"', "", header)
    return max(DELIMITERS, key=outside.count)


def _text_lines(file: IO[bytes]) -> Iterator[str]:
    """The lines as text; bytes that are not UTF-8 become surrogates, which `_cells` refuses."""
    for _, line in _lines(file):
        if isinstance(line, SampleError):
            raise SampleError(f"{line}; the rest of the file was not read")
        yield line.decode("utf-8", "surrogateescape")


def _columns(path: Path, names: Iterable[str]) -> list[str]:
    """The names of the columns, each once; an unnamed one is called for its place."""
    columns = [name.strip() or f"column {place}" for place, name in enumerate(names, start=1)]
    twice = next((name for name, count in Counter(columns).items() if count > 1), None)
    if twice is not None:
        raise DataError(f"{str(path)!r} has the column {twice!r} twice; expected every name once")
    return columns


def _cells(header: list[str], row: list[str]) -> dict[str, str | None]:
    """The row by column; an empty cell is an absent value."""
    if len(row) != len(header):
        raise SampleError(f"found {len(row)} cells; expected {len(header)} as in the header")
    try:
        "".join(row).encode()
    except UnicodeEncodeError:
        raise SampleError("not UTF-8; expected the file to be UTF-8") from None
    return {name: unguarded(cell) or None for name, cell in zip(header, row, strict=True)}


def _parquet(path: Path) -> Iterator[RawRecord]:
    parquet = require("pyarrow.parquet", "parquet")
    damage = (require("pyarrow", "parquet").ArrowException, *DAMAGE)
    number = 0
    try:
        with parquet.ParquetFile(path) as file:
            _columns(path, file.schema_arrow.names)
            for batch in file.iter_batches(ROWS_AT_ONCE, use_threads=False):
                for row in arrow_rows(batch):
                    number += 1
                    yield RawRecord(f"row {number}", row)
    except damage as error:
        if not number:
            raise DataError(
                f"{str(path)!r} is not readable as Parquet: {damage_reason(error)}"
            ) from None
        yield RawRecord(
            f"row {number + 1}", SampleError(f"the file is damaged: {damage_reason(error)}")
        )


def _xlsx(path: Path) -> Iterator[RawRecord]:
    """The rows of the first sheet, by the values that the spreadsheet program has computed last."""
    from assay.samples.workbook import read_rows

    header: list[str] | None = None
    for number, row in read_rows(path):
        if header is None:
            header = _columns(path, (str(name if name is not None else "") for name in row))
            continue
        cells = (*row[: len(header)], *(None,) * (len(header) - len(row)))
        value: Any = dict(zip(header, map(plain_value, cells), strict=True))
        if any(cell is not None for cell in row[len(header) :]):
            value = SampleError(f"found {len(row)} cells; expected {len(header)} as in the header")
        yield RawRecord(f"row {number}", value)


def arrow_rows(batch: Any) -> list[Any]:
    """The rows as plain data; where some text is not UTF-8, each row on its own."""
    try:
        return [
            {name: plain_value(part) for name, part in row.items()} for row in batch.to_pylist()
        ]
    except UnicodeDecodeError as error:
        if batch.num_rows == 1:
            return [SampleError(f"holds bytes that are not UTF-8: {error.reason}")]
    return [row for place in range(batch.num_rows) for row in arrow_rows(batch.slice(place, 1))]


def plain_value(value: Any) -> Any:
    """A table's value in the types of JSON: times and decimals as text, maps as objects."""
    if value is None or isinstance(value, str | int | float):
        return value
    if hasattr(value, "tolist"):  # a scalar or an array of NumPy
        value = value.tolist()
    if isinstance(value, list | tuple):
        if value and all(isinstance(part, tuple) for part in value):
            return {str(key): plain_value(part) for key, part in value}
        return [plain_value(part) for part in value]
    if isinstance(value, dict):
        return {str(name): plain_value(part) for name, part in value.items()}
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, date | time):
        return value.isoformat()
    return value if value is None or isinstance(value, str | int | float) else str(value)


def _with_line(error: ValueError) -> str:
    """The parser's reason, with line and column where it has a place."""
    cause = error.__context__
    if not isinstance(cause, json.JSONDecodeError):
        return str(error)
    return f"{cause.msg} at line {cause.lineno}, column {cause.colno}"


def damage_reason(error: BaseException) -> str:
    """One line that says why; the system's own words where it has some."""
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return reason.splitlines()[0]


READERS: dict[str, Callable[[Path], Iterator[RawRecord]]] = {
    ".jsonl.gz": _jsonl,
    ".jsonl": _jsonl,
    ".ndjson": _jsonl,
    ".json": _json,
    ".csv": _csv,
    ".tsv": _csv,
    ".parquet": _parquet,
    ".xlsx": _xlsx,
}
"""The reader of each ending; lines of JSON are not parsed yet."""
