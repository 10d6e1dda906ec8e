"""What a person says about the columns of an upload, and how the file is read then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.core import DataError, UsageError
from assay.core.errors import ColumnError
from assay.core.jsontext import dumps
from assay.samples.columns import LOOKED_AT, ColumnReading, check_map, read_columns
from assay.samples.field_names import ChosenColumns, mapping, normalise
from assay.samples.raw_records import RawRecord

METADATA = "metadata"
"""What a column is said to give that gives no field of its own."""


@dataclass(frozen=True, slots=True)
class ColumnChoice:
    """Which columns give which fields, and which only metadata."""

    named: ChosenColumns = ()
    aside: frozenset[str] = frozenset()

    @classmethod
    def read(cls, columns: Mapping[str, str] | None) -> ColumnChoice:
        """The choice of column → field; raises `UsageError` for what is no field or said twice."""
        columns = columns or {}
        given = {column: field for column, field in columns.items() if field != METADATA}
        twice = [field for field, count in Counter(given.values()).items() if count > 1]
        if twice:
            listed = " and ".join(repr(c) for c, field in given.items() if field == twice[0])
            raise UsageError(f"{listed} are both read as {twice[0]!r}; expected one column a field")
        named = check_map({field: column for column, field in given.items()})
        return cls(named, frozenset(columns) - frozenset(given))

    def records(self, records: Iterator[RawRecord]) -> Iterator[RawRecord]:
        """The records with the columns that give no field put into their metadata."""
        if not self.aside:
            return records
        return (RawRecord(place, self.record(value)) for place, value in records)

    def record(self, value: Any) -> Any:
        """One of them; what is no object stays as it is, and its reader reports it."""
        if not isinstance(value, Mapping) or not self.aside & value.keys():
            return value
        rest = {name: part for name, part in value.items() if name not in self.aside}
        moved = {name: value[name] for name in value if name in self.aside}
        key = next((name for name in rest if normalise(name) == METADATA), METADATA)
        known = rest.get(key) or {}
        return {**rest, key: {**moved, **known} if isinstance(known, Mapping) else known}


@dataclass(frozen=True, slots=True)
class ColumnsFound:
    """The columns of an upload, and what they are read as."""

    reading: ColumnReading
    doubt: ColumnError | None
    """What has to be said before the file can be scored."""
    first: Sequence[Mapping[str, Any]]
    """The first records as they were sent."""

    def check(self, name: str) -> None:
        """Raise `UsageError` unless the columns are clear and give something to score."""
        if self.doubt:
            raise UsageError(f"{self.doubt.problem}; say which it is in 'columns'")
        if not self.reading.has_answers:
            raise UsageError(
                f"nothing to score in {name!r}: no column gives the response; {self.reading}. "
                "Say in 'columns' which one does"
            )


def find_columns(
    name: str,
    records: Sequence[RawRecord],
    format: str | None,
    columns: Mapping[str, str] | None = None,
) -> ColumnsFound:
    """How a file that begins with these records is read."""
    choice = ColumnChoice.read(columns)
    sent = [record.value for record in records if isinstance(record.value, Mapping)]
    first = [choice.record(record) for record in sent[:LOOKED_AT]]
    try:
        reading, doubt = read_columns(name, first, format, choice.named), None
    except ColumnError as error:
        reading, doubt = _apart_from(error.columns, name, first, format, choice), error
    except DataError as error:
        raise UsageError(str(error)) from None
    return ColumnsFound(reading, doubt, sent)


def _apart_from(
    columns: Sequence[str],
    name: str,
    records: Sequence[Mapping[str, Any]],
    format: str | None,
    choice: ColumnChoice,
) -> ColumnReading:
    """How all columns but those in doubt are read."""
    rest = [{key: r[key] for key in r if key not in columns} for r in records]
    try:
        return read_columns(name, rest, format, choice.named, needs_map=False)
    except ColumnError:
        names = tuple(dict.fromkeys(key for record in records for key in record))
        return ColumnReading(names, mapping(names, format, choice.named), choice.named)


def cell(value: Any, size: int = 200) -> str:
    """A value of a record as a preview shows it."""
    text = value if isinstance(value, str) else "" if value is None else dumps(value)
    return text if len(text) <= size else text[: size - 1] + "…"
