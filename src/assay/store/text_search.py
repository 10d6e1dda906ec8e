"""Finds words in all texts of stored samples, and says in which.

The query, the response and the expected answer have columns of their own; contexts and all other
texts stand in the sample's JSON. The database finds the samples whose JSON may hold the words, and
what it finds is looked through once more: the names of fields are no text of a sample.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from assay.core.jsontext import dumps, loads
from assay.store import schema

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection, Select

CHUNK = 500
"""Samples that are looked through at a time."""
COLUMNS = {"query": "query", "response": "actual_response", "expected": "expected_response"}
"""Texts with a column of their own, and that column."""


def may_hold(text: str) -> ColumnElement[bool]:
    """The condition that all samples with the words fulfil, and few others."""
    from sqlalchemy import or_

    texts = schema.validation_details
    direct = (schema.test_results.c.test_name, *(texts.c[name] for name in COLUMNS.values()))
    wanted = f"%{_escaped(text)}%"
    in_json = f"%{_escaped(dumps(text)[1:-1])}%"
    return or_(
        *(column.ilike(wanted, escape="\\") for column in direct),
        schema.samples.c.rest.ilike(in_json, escape="\\"),
    )


def with_text(connection: Connection, ids: Select[Any], text: str) -> list[int]:
    """Those of the tests that hold the words, in the order of the query."""
    every = list(connection.execute(ids).scalars())
    return [
        id
        for start in range(0, len(every), CHUNK)
        for chunk in [every[start : start + CHUNK]]
        for found in [found_in(connection, chunk, text)]
        for id in chunk
        if found.get(id)
    ]


def found_in(connection: Connection, ids: Sequence[int], text: str) -> dict[int, list[str]]:
    """Test → the names of the texts that hold the words, such as `contexts[0]`."""
    from sqlalchemy import select

    tests, texts, samples = schema.test_results, schema.validation_details, schema.samples
    query = (
        select(
            tests.c.test_id,
            tests.c.test_name.label("id"),
            *(texts.c[column].label(name) for name, column in COLUMNS.items()),
            samples.c.rest,
        )
        .join(texts, texts.c.test_id == tests.c.test_id)
        .join(samples, samples.c.test_id == tests.c.test_id)
        .where(tests.c.test_id.in_(ids))
    )
    wanted = text.casefold()
    result = {}
    for row in connection.execute(query):
        direct = [(name, getattr(row, name) or "") for name in ("id", *COLUMNS)]
        every = [*direct, *_texts(_rest(row.rest))]
        places = [name for name, part in every if wanted in part.casefold()]
        result[row.test_id] = list(dict.fromkeys(places))
    return result


def _rest(text: str) -> dict[str, Any]:
    try:
        fields: dict[str, Any] = loads(text)
    except ValueError:  # what an earlier version stored and no reader takes
        return {}
    fields.pop("id", None)
    return fields


def _texts(fields: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """All texts of a sample's other fields, under the names of their fields."""
    for name, value in fields.items():
        parts = value if isinstance(value, list) else [value]
        for place, part in enumerate(parts):
            own = f"{name}[{place}]" if isinstance(value, list) and name != "tags" else name
            yield from ((own, text) for text in _inner(part))


def _inner(value: Any) -> Iterator[str]:
    """The texts inside a value, numbers as they are written."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            yield part
        elif isinstance(part, dict):
            waiting += part.values()
        elif isinstance(part, list):
            waiting += part
        elif isinstance(part, int | float) and not isinstance(part, bool):
            yield f"{part:g}"


def _escaped(text: str) -> str:
    """The text with the signs that LIKE would take for itself made plain."""
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_").replace("\0", "")
