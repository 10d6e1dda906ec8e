"""Records of tables in memory: pandas, Polars, PyArrow, Hugging Face datasets, and their like.

None of these packages is imported unless a table of it is given.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from assay.core import SampleError, UsageError
from assay.core.extras import require
from assay.samples.raw_records import ROWS_AT_ONCE, arrow_rows, plain_value


def is_table(given: Any) -> bool:
    """Whether the object is a table, and not an iterable of samples."""
    return _package(given) in _READERS or hasattr(given, "__arrow_c_stream__")


def table_records(table: Any) -> Iterator[Any]:
    """The rows as mappings of plain values; a row that cannot be had is a `SampleError`."""
    return _READERS.get(_package(table), _arrow_stream)(table)


def check_iterable(given: Any) -> None:
    """Raise `UsageError` for an object of which people expect more than we can know."""
    if isinstance(given, Mapping):
        names = ", ".join(map(repr, list(given)[:5]))
        hint = (
            "choose one split: data['test']"
            if _package(given) == "datasets"
            else ("a single record goes into a list: [record]; for one sample there is assay.score")
        )
        raise UsageError(
            f"the samples are a mapping with the keys {names}; expected a file, a table or an "
            f"iterable of samples; {hint}"
        )
    if not isinstance(given, Iterable):
        raise UsageError(
            f"the samples are of type {type(given).__name__!r}; expected a file, a table (pandas, "
            "Polars, PyArrow, Hugging Face), or an iterable of samples or mappings"
        )


def _package(given: Any) -> str:
    """The package that an object's class is from."""
    if isinstance(given, Mapping | list | tuple):
        is_split = type(given).__module__.startswith("datasets.")
        return "datasets" if is_split else ""
    return type(given).__module__.partition(".")[0]


def _pandas(frame: Any) -> Iterator[Any]:
    name = frame.index.name
    if isinstance(name, str) and name not in frame.columns:
        frame = frame.reset_index()
    missing = require("pandas", "pandas").isna
    names = [str(column) for column in frame.columns]
    for start in range(0, len(frame), ROWS_AT_ONCE):
        part = frame.iloc[start : start + ROWS_AT_ONCE]
        columns = [part[column].tolist() for column in frame.columns]
        for row in zip(*columns, strict=True):
            values = (None if _is_missing(missing, value) else value for value in row)
            yield _row(zip(names, values, strict=True))


def _is_missing(missing: Any, value: Any) -> bool:
    return not isinstance(value, str | list | tuple | Mapping) and missing(value) is True


def _polars(frame: Any) -> Iterator[Any]:
    if hasattr(frame, "collect"):
        frame = frame.collect()
    for row in frame.iter_rows(named=True):
        yield _row(row.items())


def _row(entries: Iterable[tuple[str, Any]]) -> Any:
    try:
        return {name: plain_value(value) for name, value in entries}
    except UnicodeDecodeError as error:
        return SampleError(f"holds bytes that are not UTF-8: {error.reason}")


def _arrow(table: Any) -> Iterator[Any]:
    batches = table.to_batches(ROWS_AT_ONCE) if hasattr(table, "to_batches") else [table]
    for batch in batches:
        yield from arrow_rows(batch)


def _arrow_stream(table: Any) -> Iterator[Any]:
    """Any object that gives itself as a stream of Arrow's, such as a result of DuckDB."""
    pyarrow = require("pyarrow", "parquet")
    for batch in pyarrow.RecordBatchReader.from_stream(table):
        for start in range(0, batch.num_rows, ROWS_AT_ONCE):
            yield from arrow_rows(batch.slice(start, ROWS_AT_ONCE))


def _datasets(dataset: Any) -> Iterator[Any]:
    check_iterable(dataset)
    for row in dataset:
        yield _row(row.items())


_READERS = {"pandas": _pandas, "polars": _polars, "pyarrow": _arrow, "datasets": _datasets}
"""The reader of each package's tables."""
