"""Samples from a file, one by one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple, cast

from assay.core import DataError, Sample, SampleError, UsageError
from assay.core.folders import is_address
from assay.samples.columns import LOOKED_AT, ColumnReading, check_map, read_columns
from assay.samples.convert import shown
from assay.samples.field_names import ChosenColumns, check_format, lift
from assay.samples.fields import has_known_content, nothing_to_score, to_sample
from assay.samples.genai import otel_records
from assay.samples.ids import SeenIds
from assay.samples.otlp_spans import holds_spans
from assay.samples.parquet_dataset import ParquetDataset
from assay.samples.raw_records import (
    RawRecord,
    count,
    empty,
    ending,
    standard_input,
    unparsed_records,
)
from assay.samples.suites import SUITE, suite_records
from assay.samples.transcripts import is_message

OTEL = "otel"
"""The format of exported traces; these are also known by their first record."""
TABLES = (".csv", ".tsv", ".parquet", ".xlsx")
"""Endings of files in which every record has the same names."""
OnColumns = Callable[[ColumnReading], None]
"""Is told how the columns are read, before the first sample is given."""


def read_samples(
    path: str | Path,
    *,
    format: str | None = None,
    limit: int | None = None,
    map: Mapping[str, str] | None = None,
    needs_map: bool = True,
    on_columns: OnColumns | None = None,
) -> SampleStream:
    """Read a file of samples; what is wrong with one record comes as a `SampleError` in its place.

    The ending says the format: `.jsonl`, `.ndjson`, `.jsonl.gz`, `.json` (a list, a golden dataset
    or one record), `.csv` or `.tsv` (with a header; an empty cell is an absent value),
    `.parquet` or `.xlsx` (the first sheet); a folder, or an address such as `s3://bucket/answers`,
    holds Parquet files. `-` is JSONL from standard input,
    `suite:NAME` a bundled suite of questions. Records are read as they are asked for, and memory
    grows by eight bytes a record, for the check that every id is used once; only `.json` is read
    whole, and traces that OpenTelemetry exports, which give the samples that they tell. A sample
    without an id gets one from its place, such as `line-12`.

    `format` names the tool whose reading of ambiguous names counts, such as `"deepeval"`; `limit`
    is how many records to read at most. `map` names the columns that give fields, such as
    `{"response": "Model Answer"}`; without it and a format, columns with names that no tool uses
    are found by their words and contents. A column of the map has to be there unless `needs_map` is
    false, as for the map of a settings file. `on_columns` is told what is read as what. Raises
    `DataError` for a file that cannot be used at all, or whose columns may be read in several ways.
    """
    check_format(format)
    named = check_map(map)
    if limit is not None and limit < 0:
        raise UsageError(f"the limit is {limit}; expected a number of 0 or more")
    if str(path) == "-":
        lines = _unpack_traces(standard_input(), format)
        return samples_from(
            "standard input", lines, format, limit, named, on_columns, needs_map=needs_map
        )
    if str(path).startswith(SUITE):
        return samples_from(str(path), suite_records(str(path)), None, limit)
    if is_dataset(path):
        dataset = ParquetDataset(str(path))
        return samples_from(
            dataset.name,
            dataset.all_records(),
            format,
            limit,
            named,
            on_columns,
            is_table=True,
            needs_map=needs_map,
        )
    path = Path(path)
    raw_records = _unpack_traces(unparsed_records(path), format, is_json=ending(path) == ".json")
    is_table = ending(path) in TABLES
    return samples_from(
        path.name,
        raw_records,
        format,
        limit,
        named,
        on_columns,
        is_table=is_table,
        needs_map=needs_map,
    )


def is_dataset(path: str | Path) -> bool:
    """Whether a path is a folder, or an address of another file system, for Parquet files."""
    return is_address(str(path)) or Path(path).is_dir()


def _unpack_traces(
    given: Iterator[RawRecord], format: str | None, *, is_json: bool = False
) -> Iterator[RawRecord]:
    """The records themselves or, where they are exported traces, the samples that these tell.

    A `.json` file that is a list of messages is one sample.
    """
    first = next(given, None)
    if first is None:
        return
    first = first.parsed()
    whole = chain([first], given)
    if format == OTEL or (format is None and holds_spans(first.value)):
        yield from otel_records(map(RawRecord.parsed, whole))
    elif is_json and format is None and is_message(first.value):
        yield from _one_conversation(whole)
    else:
        yield from whole


def _one_conversation(records: Iterator[RawRecord]) -> Iterator[RawRecord]:
    """The messages of a list as one record; the records themselves where some are no messages."""
    every = list(records)
    if all(is_message(record.value) for record in every):
        yield RawRecord("record 1", [record.value for record in every])
    else:
        yield from every


def count_records(path: str | Path, limit: int | None = None) -> int | None:
    """About how many records `read_samples` will give, or None where only reading would tell.

    Made for progress bars: blank lines count, and a file that cannot be read has no count.
    """
    try:
        if is_dataset(path):
            rows = ParquetDataset(str(path)).rows
            return rows if limit is None else min(rows, limit)
        has_count = str(path) != "-" and not _begins_with_spans(Path(path))
        total = count(Path(path)) if has_count else None
    except (OSError, ValueError, DataError):
        return None
    return total if total is None or limit is None else min(total, limit)


def _begins_with_spans(path: Path) -> bool:
    """Whether a file of lines looks like exported traces, whose lines are no samples."""
    if not path.is_file() or ending(path) not in (".jsonl", ".ndjson"):
        return False
    with path.open("rb") as file:
        return re.match(rb'\s*\{\s*"resource_?[sS]pans"', file.read(200)) is not None


def sample_at(raw: RawRecord, format: str | None = None, chosen: ChosenColumns = ()) -> Sample:
    """The sample of one record; raises `SampleError`."""
    place, record = raw
    if isinstance(record, SampleError):
        raise record
    if isinstance(record, list) and record and all(map(is_message, record)):
        record = {"messages": record}
    if not isinstance(record, Mapping):
        raise SampleError(f"the record is {shown(record)}; expected an object")
    return to_sample(record, place.replace(" ", "-"), format, chosen=chosen)


def located(name: str, place: str, error: SampleError) -> SampleError:
    """The error with the file and the place in front."""
    return SampleError(f"{name}, {place}: {error}")


class RecordReading(NamedTuple):
    """How the records of a file are read."""

    name: str
    format: str | None
    chosen: ChosenColumns

    def item(self, record: RawRecord) -> Sample | SampleError:
        """The sample of a record, or what is wrong with it."""
        try:
            return sample_at(record.parsed(), self.format, self.chosen)
        except SampleError as error:
            return located(self.name, record.place, error)

    def used_before(self, record: RawRecord, id: str) -> SampleError:
        """What is wrong with a record whose id is another one's."""
        problem = SampleError(f"id {id!r} was used before; expected every id once")
        return located(self.name, record.place, problem)


class SampleStream(Iterator[Sample | SampleError]):
    """The samples of records, each id once, as they are asked for.

    After `leave_unparsed` lines that were not looked at yet come as they stand in the file, for
    whoever parses them elsewhere, by the `reading`, and then sees to it that every id is used once.
    """

    def __init__(
        self, items: Callable[[SampleStream], Iterator[Sample | SampleError | RawRecord]]
    ) -> None:
        self.reading: RecordReading | None = None
        """Known as soon as the first sample is."""
        self._seen = SeenIds()
        self._is_parsing = True
        self._items = items(self)

    def __next__(self) -> Sample | SampleError:
        return cast("Sample | SampleError", next(self._items))

    def leave_unparsed(self) -> None:
        """From now on, give lines that nobody has looked at as `RawRecord`."""
        self._is_parsing = False

    def are_new(self, marks: Sequence[int]) -> bool:
        """Whether none of the ids with these marks was used before; if so, all of them are now."""
        if len({*marks}) < len(marks) or any(map(self._seen.has_mark, marks)):
            return False
        return all(map(self._seen.add_mark, marks))

    def checked(self, records: Iterable[RawRecord]) -> list[Sample | SampleError]:
        """The samples of lines that came unparsed, each id once."""
        assert self.reading is not None, "lines come after records that were read"
        return [self._item(self.reading, record) for record in records]

    def _item(self, reading: RecordReading, record: RawRecord) -> Sample | SampleError:
        item = reading.item(record)
        if isinstance(item, Sample) and not self._seen.add(item.id):
            return reading.used_before(record, item.id)
        return item

    def read(
        self, reading: RecordReading, records: Iterable[RawRecord]
    ) -> Iterator[Sample | SampleError | RawRecord]:
        """The samples of records whose columns are known, each id once."""
        self.reading = reading
        for record in records:
            is_left = isinstance(record.value, bytes) and not self._is_parsing
            yield record if is_left else self._item(reading, record)


def samples_from(
    name: str,
    records: Iterator[RawRecord],
    format: str | None,
    limit: int | None,
    named: ChosenColumns = (),
    on_columns: OnColumns | None = None,
    *,
    is_table: bool = False,
    needs_map: bool = True,
) -> SampleStream:
    """The samples of records that were had from somewhere called `name`, each id once.

    The first records tell how the columns are read. Those of a table have to give something to
    score: its header may be missing.
    """

    def items(stream: SampleStream) -> Iterator[Sample | SampleError | RawRecord]:
        rest = islice(records, limit)
        first = [record.parsed() for record in islice(rest, LOOKED_AT)]
        if not first and limit != 0:
            raise empty(name)
        known = [record.value for record in first if isinstance(record.value, Mapping)]
        chosen = named
        if known:
            reading = read_columns(name, known, format, named, needs_map=needs_map)
            chosen = reading.chosen
            if is_table:
                _check_content(name, known[0], format, chosen)
            if on_columns:
                on_columns(reading)
        yield from stream.read(RecordReading(name, format, chosen), chain(first, rest))

    return SampleStream(items)


def read_records(
    name: str, records: Iterable[RawRecord], format: str | None, chosen: ChosenColumns
) -> Iterator[Sample | SampleError]:
    """The samples of records whose columns are known, each id once."""
    return SampleStream(lambda stream: stream.read(RecordReading(name, format, chosen), records))


def _check_content(
    name: str, record: Mapping[str, object], format: str | None, chosen: ChosenColumns
) -> None:
    """Refuse a table whose columns give nothing to score."""
    columns = tuple(lift(record, format, chosen) if format or chosen else record)
    if not has_known_content(columns, format, chosen):
        raise DataError(f"the columns of {name!r} give {nothing_to_score(columns)}")
