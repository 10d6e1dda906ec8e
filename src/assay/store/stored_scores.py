"""The scores of a stored run without its texts, for comparisons with another run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from assay.core import Sample, Scores
from assay.core.bounds import MAX_VALUE
from assay.stats.aggregates import counts_as_pass
from assay.store import schema
from assay.store.connect import Store
from assay.store.run_list import Run
from assay.store.test_reader import read_scored

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
    score: float | None
    passed: bool | None
    """How it enters a pass rate; None leaves it out."""
    values: Mapping[str, tuple[float, bool | None]]
    """Metric → its value, and whether it holds the threshold."""


def read_values(store: Store, run: Run, *, with_query: bool = False) -> Iterator[StoredScores]:
    """The scores of all tests of a run, in order."""
    first, end = schema.tests_of(run.id)
    while chunk := store.read(partial(_chunk, first=first, end=end, with_query=with_query)):
        yield from chunk
        first = chunk[-1].test_id + 1


def _chunk(connection: Connection, first: int, end: int, with_query: bool) -> list[StoredScores]:
    from sqlalchemy import func, literal, select

    tests, texts, scoring = schema.test_results, schema.validation_details, schema.scoring_details
    query = texts.c.query if with_query else literal(None).label("query")
    chosen = select(tests.c.test_id, tests.c.test_name, tests.c.status, tests.c.score, query)
    if with_query:
        chosen = chosen.join(texts, texts.c.test_id == tests.c.test_id)
    chosen = chosen.where(tests.c.test_id >= first, tests.c.test_id < end)
    rows = connection.execute(chosen.order_by(tests.c.test_id).limit(CHUNK)).all()
    if not rows:
        return []
    scores = (
        select(scoring.c.test_id, scoring.c.metric_name, scoring.c.metric_value, scoring.c.passed)
        .where(scoring.c.test_id >= rows[0].test_id, scoring.c.test_id <= rows[-1].test_id)
        .where(scoring.c.state == "ok", func.abs(scoring.c.metric_value) <= MAX_VALUE)
    )
    values: dict[int, dict[str, tuple[float, bool | None]]] = {row.test_id: {} for row in rows}
    for id, metric, value, passed in connection.execute(scores):
        values[id][metric] = value, passed
    return [
        StoredScores(
            row.test_id,
            row.test_name,
            row.query,
            row.score,
            counts_as_pass(row.status),
            values[row.test_id],
        )
        for row in rows
    ]


def read_whole(store: Store, run: Run, tests: Iterable[int]) -> dict[int, tuple[Sample, Scores]]:
    """Some tests of a run with all that belongs to them, by id."""

    def work(connection: Connection) -> dict[int, tuple[Sample, Scores]]:
        records = {}
        for id in tests:
            samples, scores = read_scored(connection, run.id, id, id + 1)
            records[id] = samples[id], scores[id]
        return records

    return store.read(work)
