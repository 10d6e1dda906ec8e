"""Verdicts of people on samples: kept one a rater, read with the scores that they judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from assay.core import NotFoundError, UsageError
from assay.store import schema
from assay.store.audit import AuditStamp, add_entry
from assay.store.block_tests import open_block_tests, refuse_blocks
from assay.store.connect import Store
from assay.store.row_codec import safe
from assay.store.score_columns import MetricColumns, state_of, verdict_of
from assay.store.tests import shown_id

if TYPE_CHECKING:
    from sqlalchemy import Connection

Verdict = Literal["pass", "fail"]
VERDICTS: tuple[Verdict, ...] = ("pass", "fail")
MAX_RATER = 100
"""Characters of a rater's name."""


@dataclass(frozen=True, slots=True)
class StoredLabel:
    """What one person says of one sample."""

    test_id: int
    rater: str
    verdict: Verdict
    note: str
    created: float


def majority(verdicts: Iterable[Verdict]) -> Verdict | None:
    """What most say; None where nobody says anything, or as many say one thing as the other."""
    counts = Counter(verdicts)
    if counts["pass"] == counts["fail"]:
        return None
    return "pass" if counts["pass"] > counts["fail"] else "fail"


def set_label(
    store: Store, test_id: int, rater: str, verdict: str | None, note: str, change: AuditStamp
) -> None:
    """Keep a person's verdict instead of an earlier one; None takes it back."""
    if not rater.strip() or len(rater) > MAX_RATER:
        raise UsageError(f"the rater is {rater!r}; expected 1 to {MAX_RATER} characters")
    if verdict is not None and verdict not in VERDICTS:
        raise UsageError(f"the label is {verdict!r}; expected {' or '.join(VERDICTS)}")

    refuse_blocks(store, test_id // schema.PLACES)

    def work(connection: Connection) -> None:
        from sqlalchemy import delete

        table, queue, tests = schema.labels, schema.label_queue, schema.test_results
        if not connection.execute(tests.select().where(tests.c.test_id == test_id)).first():
            raise NotFoundError(f"there is no test {shown_id(test_id)!r} in the store")
        own = (table.c.test_id == test_id, table.c.rater == safe(rater))
        connection.execute(delete(table).where(*own))
        if verdict is not None:
            row = {
                "test_id": test_id,
                "rater": safe(rater),
                "label": verdict,
                "note": safe(note),
                "created": change.now,
            }
            connection.execute(table.insert().values(row))
            connection.execute(delete(queue).where(queue.c.test_id == test_id))
        details = {"rater": rater, "label": verdict or ""}
        add_entry(connection, change, "sample.labelled", shown_id(test_id), details)

    store.write(work)


def labels_of(store: Store, test_id: int) -> list[StoredLabel]:
    """What people say of a sample, the first first."""
    table = schema.labels
    query = table.select().where(table.c.test_id == test_id)
    return _read(store, query.order_by(table.c.created, table.c.rater))


def labels_in(store: Store, run: int) -> list[StoredLabel]:
    """What people say of the samples of a run, in the run's order."""
    table = schema.labels
    first, end = schema.tests_of(run)
    query = table.select().where(table.c.test_id >= first, table.c.test_id < end)
    return _read(store, query.order_by(table.c.test_id, table.c.rater))


def _read(store: Store, query: object) -> list[StoredLabel]:
    def work(connection: Connection) -> list[StoredLabel]:
        rows = connection.execute(query)  # type: ignore[call-overload] # a select of the table
        return [StoredLabel(r.test_id, r.rater, r.label, r.note, r.created) for r in rows]

    return store.read(work)


def verdicts_in(store: Store, run: int) -> dict[int, Verdict | None]:
    """Test → what most people say of it; None where they disagree."""
    given: dict[int, list[Verdict]] = {}
    for label in labels_in(store, run):
        given.setdefault(label.test_id, []).append(label.verdict)
    return {id: majority(verdicts) for id, verdicts in given.items()}


class ScoredTest(NamedTuple):
    """A test of a run with its score by one metric."""

    test_id: int
    name: str
    value: float | None
    """None for one without a score."""
    verdict: str | None
    """What the metric says of it: pass, fail or unsure; None where it judges nothing."""


def scored_tests(store: Store, run: int, metric: str) -> list[ScoredTest]:
    """All tests of a run with their scores by a metric, in order."""
    refuse_blocks(store, run)

    def work(connection: Connection) -> list[ScoredTest]:
        from sqlalchemy import select

        tests, scores = schema.test_results, MetricColumns(metric)
        first, end = schema.tests_of(run)
        query = (
            select(tests.c.test_id, tests.c.test_name, scores.value, scores.code)
            .select_from(scores.outer_joined(tests))
            .where(tests.c.test_id >= first, tests.c.test_id < end)
            .order_by(tests.c.test_id)
        )
        return [
            ScoredTest(id, name, value if state_of(code) == "ok" else None, verdict_of(code))
            for id, name, value, code in connection.execute(query)
        ]

    return store.read(work)


def metric_values(
    store: Store, run: int, metric: str, limit: int
) -> tuple[list[tuple[float, Verdict | None]], int]:
    """The values of a metric in a run in order, with what people say, and how many there are.

    Of more than `limit` evenly drawn ones are given, and all that people have labelled.
    """
    if blocks := open_block_tests(store, run):
        values, total = blocks.values(metric, limit)
        return [(value, None) for value in values], total
    verdicts = verdicts_in(store, run)
    scored = scored_tests(store, run, metric)
    rows = sorted(
        ((one.test_id, one.value) for one in scored if one.value is not None),
        key=lambda row: (row[1], row[0]),
    )
    step = max(1, -(-len(rows) // limit))
    kept = [row for place, row in enumerate(rows) if place % step == 0 or verdicts.get(row[0])]
    return [(value, verdicts.get(id)) for id, value in kept], len(rows)


def queue_tests(store: Store, reasons: Mapping[int, str], now: float) -> int:
    """Ask people to look at samples, each with its reason; how many are new to the queue."""

    def work(connection: Connection) -> int:
        from sqlalchemy import select

        queue, labels = schema.label_queue, schema.labels
        known = set(connection.execute(select(queue.c.test_id)).scalars())
        done = select(labels.c.test_id).where(labels.c.test_id.in_(list(reasons)))
        known |= set(connection.execute(done).scalars())
        rows = [
            {"test_id": id, "reason": safe(reason), "created": now}
            for id, reason in reasons.items()
            if id not in known
        ]
        if rows:
            connection.execute(queue.insert(), rows)
        return len(rows)

    return store.write(work)


def queued(store: Store, run: int) -> dict[int, str]:
    """The samples of a run that wait for a person → why."""

    def work(connection: Connection) -> dict[int, str]:
        queue = schema.label_queue
        first, end = schema.tests_of(run)
        query = queue.select().where(queue.c.test_id >= first, queue.c.test_id < end)
        return {row.test_id: row.reason for row in connection.execute(query)}

    return store.read(work)
