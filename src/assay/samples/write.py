"""Samples as the records of a file, in the words of golden datasets."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields
from functools import cache
from typing import Any

from assay.core import DataError, Document, Sample, jsontext
from assay.core.csv_text import guarded
from assay.core.extras import require
from assay.samples.convert import looks_like_json
from assay.samples.field_names import fields as known_fields

GOLDEN_NAMES = {"query": "input", "expected": "expected_output", "contexts": "context"}
"""What golden datasets call the fields that they name otherwise than `Sample` does."""
COLUMNS = ("id", "query", "expected", "contexts", "tags")
"""The fields that stand first in a table; all but the id have a column even when it is empty."""


def to_record(sample: Sample) -> dict[str, Any]:
    """The fields that the sample has, by their own names, as plain data that `to_sample` reads."""
    result = {name: getattr(sample, name) for name in _defaults()}
    return {
        name: _plain(name, value) for name, value in result.items() if value != _defaults()[name]
    }


def json_document(header: Mapping[str, Any], samples: Sequence[Sample]) -> bytes:
    """One JSON object: the header and the samples as `examples`, names in camel case."""
    examples = [_renamed(sample, _camel_case) for sample in samples]
    for sample, example in zip(samples, examples, strict=True):
        _json(f"example {sample.id!r}", example)  # so that the error names the example
    text = _json("the dataset", {**header, "examples": examples}, indent=2)
    return f"{text}\n".encode()


def json_lines(samples: Sequence[Sample]) -> bytes:
    """JSONL: one sample a line."""
    lines = (_json(f"example {sample.id!r}", _renamed(sample)) for sample in samples)
    return "".join(f"{line}\n" for line in lines).encode()


def csv_table(samples: Sequence[Sample]) -> bytes:
    """CSV with a column for each field that some sample has.

    Lists and objects are JSON text, except that a single plain context is its text and that tags
    stand with `;` between them. Text that a spreadsheet would take for a formula has a `'` in
    front, which our reader takes away. Empty text and lone surrogates, which CSV cannot carry,
    raise `DataError`.
    """
    records = [to_record(sample) for sample in samples]
    columns = _columns(records)
    rows = [[_cell(name, record.get(name)) for name in columns] for record in records]
    buffer = io.StringIO(newline="")
    header = [GOLDEN_NAMES.get(name, name) for name in columns]
    csv.writer(buffer).writerows([[*map(guarded, row)] for row in (header, *rows)])
    return buffer.getvalue().encode()


def parquet_table(samples: Sequence[Sample]) -> bytes:
    """Parquet with a typed column for each field that some sample has.

    Numbers, lists of text and contexts have types of their own, other lists and objects are JSON
    text. Lone surrogates, which Parquet cannot carry, raise `DataError`.
    """
    arrow, parquet = require("pyarrow", "parquet"), require("pyarrow.parquet", "parquet")
    records = [to_record(sample) for sample in samples]
    columns = {
        GOLDEN_NAMES.get(name, name): _arrow_column(arrow, name, [r.get(name) for r in records])
        for name in _columns(records)
    }
    buffer = io.BytesIO()
    parquet.write_table(arrow.table(columns), buffer)
    return buffer.getvalue()


@cache
def _defaults() -> dict[str, Any]:
    """What each field of a sample is when it is absent."""
    return {
        field.name: field.default if field.default_factory is MISSING else field.default_factory()
        for field in fields(Sample)
    }


@cache
def _kinds() -> dict[str, str]:
    return {field.name: field.kind for field in known_fields()}


def _plain(name: str, value: Any) -> Any:
    if name == "contexts":
        return [_plain_document(document) for document in value]
    if name == "gold_context" and looks_like_json(value):
        return [value]  # as text it would be read as the list that it looks like
    if isinstance(value, tuple):
        return list(value)
    return dict(value) if isinstance(value, Mapping) else value


def _plain_document(document: Document) -> str | dict[str, Any]:
    fields_given = {field.name: getattr(document, field.name) for field in fields(Document)}
    present = {name: value for name, value in fields_given.items() if value is not None}
    return document.content if len(present) == 1 else present


def _renamed(sample: Sample, rename: Callable[[str], str] = str) -> dict[str, Any]:
    record = to_record(sample)
    return {rename(GOLDEN_NAMES.get(name, name)): value for name, value in record.items()}


def _camel_case(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(map(str.title, rest))


def _json(what: str, value: Any, indent: int | None = None) -> str:
    try:
        return jsontext.dumps(value, indent)
    except (TypeError, ValueError, RecursionError) as error:
        raise DataError(f"{what} cannot be written as JSON: {error}") from None


def _columns(records: Sequence[Mapping[str, Any]]) -> list[str]:
    present = {name for record in records for name in record}
    first = [name for name in COLUMNS if name != "id" or name in present]
    return first + [name for name in _defaults() if name in present and name not in first]


def _cell(name: str, value: Any) -> str:
    """The text of a cell of CSV; an absent value is an empty one."""
    if value is None:
        return ""
    text = _simple_text(_kinds()[name], value) or _json_cell(name, value)
    if not text:
        raise _uncarried(name, "empty text", "CSV")
    if _has_lone_surrogate(text):
        raise _uncarried(name, "a lone surrogate", "CSV")
    return text


def _simple_text(kind: str, value: Any) -> str | None:
    """Tags and contexts as people write them into a table, where they can be read back so."""
    if kind == "tags" and all(_is_simple_tag(tag) for tag in value):
        return ";".join(value)
    return str(value[0]) if kind == "documents" and _is_simple_context(value) else None


def _is_simple_tag(tag: str) -> bool:
    return tag == tag.strip() != "" and not looks_like_json(tag) and not set(tag) & set(";,")


def _is_simple_context(value: list[Any]) -> bool:
    content = value[0]
    return (
        len(value) == 1
        and isinstance(content, str)
        and content != ""
        and not looks_like_json(content)
    )


def _arrow_column(arrow: Any, name: str, values: Sequence[Any]) -> Any:
    kind = _kinds()[name]
    if kind == "documents":
        values = [value and [_document_row(part) for part in value] for value in values]
    elif kind not in ("seconds", "count", "flag", "texts", "tags"):
        values = [_json_cell(name, value) for value in values]
    try:
        return arrow.array(values, _arrow_type(arrow, kind))
    except UnicodeEncodeError:
        raise _uncarried(name, "a lone surrogate", "Parquet") from None
    except (OverflowError, arrow.ArrowException) as error:
        raise DataError(f"{name!r} cannot be written as Parquet: {error}") from None


def _arrow_type(arrow: Any, kind: str) -> Any:
    text, number, whole = arrow.string(), arrow.float64(), arrow.int64()
    document = {
        "content": text,
        "id": text,
        "source": text,
        "page": whole,
        "similarity_score": number,
    }
    types = {
        "count": whole,
        "documents": arrow.list_(arrow.struct(list(document.items()))),
        "flag": arrow.bool_(),
        "seconds": number,
        "tags": arrow.list_(text),
        "texts": arrow.list_(text),
    }
    return types.get(kind, text)


def _document_row(part: str | dict[str, Any]) -> dict[str, Any]:
    return {"content": part} if isinstance(part, str) else part


def _json_cell(name: str, value: Any) -> str | None:
    """Text as it is, all else as JSON text; so is text that stands for JSON, to tell the two."""
    if value is None or (isinstance(value, str) and _kinds()[name] != "json"):
        return value
    return _json(repr(name), value)


def _has_lone_surrogate(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return True
    return False


def _uncarried(name: str, what: str, format: str) -> DataError:
    return DataError(f"{name!r} holds {what}, which {format} cannot carry; save as JSON or JSONL")
