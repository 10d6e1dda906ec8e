"""The scores of a stored run without its texts, for comparisons with another run."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from assay.core import Sample, Scores
from assay.core.bounds import MAX_VALUE
from assay.stats.aggregates import counts_as_pass
from assay.store import schema
from assay.store.connect import Store
from assay.store.packed_scores import DECIDED
from assay.store.row_codec import question_of
from assay.store.run_list import Run
from assay.store.test_reader import read_blocks, read_scored, run_metrics

if TYPE_CHECKING:
    from sqlalchemy import Connection

CHUNK = 1000
"""Tests read at a time."""


class StoredScores(NamedTuple):
    """The computed scores of one test; substitutes and absent ones are left out."""

    test_id: int
    name: str
    query: str | None
    """None unless asked for."""
    question: str | None
    """What it answers once more; None where it names nothing, or unless asked for."""
    score: float | None
    passed: bool | None
    """How it enters a pass rate; None leaves it out."""
    values: Mapping[str, tuple[float, bool | None]]
    """Metric → its value, and whether it holds the threshold."""


def read_values(
    store: Store, run: Run, *, with_query: bool = False, with_question: bool = False
) -> Iterator[StoredScores]:
    """The scores of all tests of a run, in order."""
    first, end = schema.tests_of(run.id)
    wanted = partial(_chunk, end=end, with_query=with_query, with_question=with_question)
    while chunk := store.read(partial(wanted, first=first)):
        yield from chunk
        first = chunk[-1].test_id + 1


def _chunk(
    connection: Connection, first: int, end: int, *, with_query: bool, with_question: bool
) -> list[StoredScores]:
    from sqlalchemy import literal, select

    tests, texts, packed = schema.test_results, schema.validation_details, schema.test_scores
    query = texts.c.query if with_query else literal(None).label("query")
    chosen = select(
        tests.c.test_id,
        tests.c.run_id,
        tests.c.test_name,
        tests.c.status,
        tests.c.score,
        query,
        packed.c.block,
        packed.c.entry,
        packed.c.metric_values,
        packed.c.outcomes,
    ).join(packed, packed.c.test_id == tests.c.test_id)
    if with_query:
        chosen = chosen.join(texts, texts.c.test_id == tests.c.test_id)
    chosen = chosen.where(tests.c.test_id >= first, tests.c.test_id < end)
    rows = connection.execute(chosen.order_by(tests.c.test_id).limit(CHUNK)).all()
    if not rows:
        return []
    metrics = list(run_metrics(connection, rows[0].run_id))
    questions = _questions(connection, rows) if with_question else {}
    return [
        StoredScores(
            row.test_id,
            row.test_name,
            row.query,
            questions.get(row.test_id),
            row.score,
            counts_as_pass(row.status),
            dict(_values(row, metrics)),
        )
        for row in rows
    ]


def _questions(connection: Connection, rows: Sequence[Any]) -> dict[int, str | None]:
    """Test → the question that it names."""
    blocks = read_blocks(connection, {row.block for row in rows}, "samples")
    return {row.test_id: question_of(blocks[row.block].sample(row.entry)) for row in rows}


def _values(row: Any, metrics: Sequence[str]) -> Iterator[tuple[str, tuple[float, bool | None]]]:
    """The metrics of a row with a computed value that can be used, each with the value."""
    values = json.loads(row.metric_values)
    for metric, value, code in zip(metrics, values, row.outcomes, strict=False):
        if value is not None and code in _COMPUTED and abs(value) <= MAX_VALUE:
            yield metric, (float(value), DECIDED[code].passed)


_COMPUTED = frozenset(code for code, decided in DECIDED.items() if decided.state == "ok")


def read_whole(store: Store, run: Run, tests: Iterable[int]) -> dict[int, tuple[Sample, Scores]]:
    """Some tests of a run with all that belongs to them, by id."""

    def work(connection: Connection) -> dict[int, tuple[Sample, Scores]]:
        records = {}
        for id in tests:
            samples, scores = read_scored(connection, run.id, id, id + 1)
            records[id] = samples[id], scores[id]
        return records

    return store.read(work)
