"""Lists, reads, exports and removes whole runs."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from assay.core import NotFoundError, Sample, Scores
from assay.core.jsontext import loads
from assay.store import schema
from assay.store.audit import AuditStamp, add_entry
from assay.store.block_tests import open_block_tests
from assay.store.connect import Store
from assay.store.statistics import iso
from assay.store.test_reader import read_scored

if TYPE_CHECKING:
    from sqlalchemy import Connection

LIVE = "live-governance"
"""The source of runs of answers that are judged live, and a tag of all their tests."""
COLLECTED = "collected tests"
"""The source of runs to which programs add tests as they happen."""
ENDLESS = frozenset({LIVE, COLLECTED})
"""Sources of runs that stay open and never finish."""
CHUNK = 500
"""Tests read at a time, so that memory does not grow with a run."""


@dataclass(frozen=True, slots=True)
class Run:
    """A stored run."""

    id: int
    name: str
    status: str
    created: float
    updated: float
    finished: float | None
    source: str
    tags: tuple[str, ...]
    places: int
    tests: int
    unread: int
    total: int | None
    plan: Mapping[str, Any]
    summary: Mapping[str, Any] | None
    note: str = ""
    """What people say about it."""
    is_baseline: bool = False
    """Whether later runs of the same dataset are compared with it."""
    folder: str = ""
    """Where the samples of a run by blocks lie; empty where the store holds them."""

    def to_json(self) -> dict[str, Any]:
        """The run as plain data, without its plan and summary."""
        return {
            "name": self.name,
            "status": self.status,
            "created": iso(self.created),
            "updated": iso(self.updated),
            "finished": None if self.finished is None else iso(self.finished),
            "source": self.source,
            "tags": list(self.tags),
            "tests": self.tests,
            "unread": self.unread,
            "total": self.total,
            "overall": self.summary and self.summary["overall"],
            "pass_rate": self.summary and self.summary["pass_rate"],
            "metrics": list(self.plan["metrics"]),
            "note": self.note,
            "is_baseline": self.is_baseline,
        }


def list_runs(
    store: Store, limit: int = 100, offset: int = 0, family: str | None = None
) -> list[Run]:
    """Runs, the newest first; with `family` those alone that have metrics of it."""
    table = schema.runs
    query = table.select().where(*_of_family(family))
    query = query.order_by(table.c.created.desc(), table.c.id.desc())
    return store.read(
        lambda connection: [
            _run(row) for row in connection.execute(query.limit(limit).offset(offset))
        ]
    )


def _of_family(family: str | None) -> list[Any]:
    from sqlalchemy import select

    metrics = schema.run_metrics
    if family is None:
        return []
    named = metrics.c.metric_name.startswith(f"{family}.", autoescape=True)
    return [schema.runs.c.id.in_(select(metrics.c.run_id).where(named))]


def count_runs(store: Store, family: str | None = None) -> int:
    """How many runs there are, or how many have metrics of a family."""

    def work(connection: Connection) -> int:
        from sqlalchemy import func, select

        query = select(func.count()).select_from(schema.runs).where(*_of_family(family))
        return int(connection.execute(query).scalar_one())

    return store.read(work)


def find_run(store: Store, name: str) -> Run:
    """The run of that name."""

    def work(connection: Connection) -> Run:
        from sqlalchemy import select

        table = schema.runs
        row = connection.execute(table.select().where(table.c.name == name)).one_or_none()
        if row is not None:
            return _run(row)
        names = connection.execute(select(table.c.name)).scalars().all()
        close = difflib.get_close_matches(name, names, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ";"
        raise NotFoundError(f'there is no run {name!r} in the store{hint} "assay runs" lists all')

    return store.read(work)


def _run(row: Any) -> Run:
    return Run(
        row.id,
        row.name,
        row.status,
        row.created,
        row.updated,
        row.finished,
        row.source,
        tuple(loads(row.tags)),
        row.places,
        row.tests,
        row.unread,
        row.total,
        loads(row.plan),
        loads(row.summary) if row.summary else None,
        row.note,
        bool(row.is_baseline),
        row.folder,
    )


def read_run(store: Store, run: Run) -> Iterator[tuple[Sample, Scores]]:
    """All scored samples of a run, in order, a few at a time."""
    if blocks := open_block_tests(store, run.id):
        yield from blocks.records()
        return
    first, end = schema.tests_of(run.id)
    while True:
        chunk = store.read(partial(_chunk, run=run.id, first=first, end=end))
        if not chunk:
            return
        for id, sample, scores in chunk:
            yield sample, scores
            first = id + 1


def _chunk(
    connection: Connection, run: int, first: int, end: int
) -> list[tuple[int, Sample, Scores]]:
    from sqlalchemy import select

    tests = schema.test_results
    query = select(tests.c.test_id).where(tests.c.test_id >= first, tests.c.test_id < end)
    ids = connection.execute(query.order_by(tests.c.test_id).limit(CHUNK)).scalars().all()
    if not ids:
        return []
    samples, scores = read_scored(connection, run, ids[0], ids[-1] + 1)
    return [(id, samples[id], scores[id]) for id in ids]


def delete_run(store: Store, name: str, change: AuditStamp) -> None:
    """Remove a run with all that belongs to it."""
    run = find_run(store, name)

    def work(connection: Connection) -> None:
        from sqlalchemy import delete

        connection.execute(delete(schema.runs).where(schema.runs.c.id == run.id))
        add_entry(connection, change, "run.removed", run.name)

    store.write(work)
    store.empty_journal()


def prune(
    store: Store, change: AuditStamp, before: float | None = None, keep: int | None = None
) -> list[str]:
    """Remove runs that were last written to before a moment, or all finished but the newest.

    Unfinished ones stay, for they may be resumed; those that never finish go by age too. Gives the
    names.
    """
    runs = list_runs(store, limit=1_000_000)
    finished = [run for run in runs if run.status == "finished"]
    endless = [run for run in runs if run.status != "finished" and run.source in ENDLESS]
    doomed = set() if keep is None else {run.name for run in finished[keep:]}
    if before is not None:
        doomed |= {run.name for run in (*finished, *endless) if run.updated < before}
    for name in sorted(doomed):
        delete_run(store, name, change)
    if doomed and not store.is_postgres:
        store.vacuum()
    return sorted(doomed)
