"""Finds words in all texts of stored samples, and says in which.

The query, the response and the expected answer have columns of their own, in which the database
looks; contexts and all other texts stand in packed blocks, which are unpacked and looked through
here. What may hold the words is looked through once more: names of fields are no text of a sample.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from assay.core.jsontext import loads
from assay.store import schema
from assay.store.packed_blocks import PackedBlock
from assay.store.packed_scores import encode
from assay.store.test_reader import read_blocks

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection, Select

CHUNK = 500
"""Samples that are looked through at a time."""
COLUMNS = {"query": "query", "response": "actual_response", "expected": "expected_response"}
"""Texts with a column of their own, and that column."""


def with_text(connection: Connection, ids: Select[Any], text: str) -> list[int]:
    """Those of the tests that hold the words, in the order of the query."""
    every = list(connection.execute(ids).scalars())
    candidates = _candidates(connection, every, text)
    chosen = [id for id in every if id in candidates]
    return [
        id
        for start in range(0, len(chosen), CHUNK)
        for chunk in [chosen[start : start + CHUNK]]
        for places in [found_in(connection, chunk, text)]
        for id in chunk
        if places.get(id)
    ]


def _candidates(connection: Connection, ids: Sequence[int], text: str) -> set[int]:
    """Tests that may hold the words: all that do, and few others."""
    from sqlalchemy import select

    if not ids:
        return set()
    texts, tests, packed = schema.validation_details, schema.test_results, schema.test_scores
    between = tests.c.test_id.between(min(ids), max(ids))
    direct = (
        select(tests.c.test_id)
        .join(texts, texts.c.test_id == tests.c.test_id)
        .where(between, _in_columns(text))
    )
    candidates = set(connection.execute(direct).scalars())
    wanted = encode(text)[1:-1].casefold()
    entries = select(packed.c.test_id, packed.c.block, packed.c.entry)
    entries = entries.where(packed.c.test_id.between(min(ids), max(ids)))
    rows = connection.execute(entries.order_by(packed.c.test_id)).all()
    for start in range(0, len(rows), CHUNK):
        chunk = rows[start : start + CHUNK]
        blocks = read_blocks(connection, {row.block for row in chunk}, "samples")
        candidates |= {
            row.test_id for row in chunk if wanted in _folded(blocks[row.block], row.entry)
        }
    return candidates


def _folded(block: PackedBlock, entry: int) -> str:
    return block.sample(entry).casefold()


def _in_columns(text: str) -> ColumnElement[bool]:
    """Whether a text with a column of its own holds the words."""
    from sqlalchemy import or_

    texts = schema.validation_details
    direct = (schema.test_results.c.test_name, *(texts.c[name] for name in COLUMNS.values()))
    wanted = f"%{_escaped(text)}%"
    return or_(*(column.ilike(wanted, escape="\\") for column in direct))


def found_in(connection: Connection, ids: Sequence[int], text: str) -> dict[int, list[str]]:
    """Test → the names of the texts that hold the words, such as `contexts[0]`."""
    from sqlalchemy import select

    tests, texts, packed = schema.test_results, schema.validation_details, schema.test_scores
    query = (
        select(
            tests.c.test_id,
            tests.c.test_name.label("id"),
            *(texts.c[column].label(name) for name, column in COLUMNS.items()),
            packed.c.block,
            packed.c.entry,
        )
        .join(texts, texts.c.test_id == tests.c.test_id)
        .join(packed, packed.c.test_id == tests.c.test_id)
        .where(tests.c.test_id.in_(ids))
    )
    rows = connection.execute(query).all()
    blocks = read_blocks(connection, {row.block for row in rows}, "samples")
    wanted = text.casefold()
    result = {}
    for row in rows:
        direct = {name: getattr(row, name) for name in ("id", *COLUMNS)}
        result[row.test_id] = places_of(wanted, direct, blocks[row.block].sample(row.entry))
    return result


def places_of(wanted: str, direct: Mapping[str, str | None], rest: str) -> list[str]:
    """The names of the texts of a sample that hold some case-folded words."""
    every = [*((name, text or "") for name, text in direct.items()), *_texts(_rest(rest))]
    return list(dict.fromkeys(name for name, part in every if wanted in part.casefold()))


def other_texts(fields: Mapping[str, Any]) -> str:
    """All texts of a sample but its id and those with a column, a line each."""
    others = {name: value for name, value in fields.items() if name != "id"}
    return "\n".join(text for _, text in _texts(others))


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
