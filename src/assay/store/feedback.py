"""What people say of a test: ratings from 1 to 5, a comment, and an answer to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assay.core import NotFoundError, UsageError
from assay.core.jsontext import dumps, loads
from assay.store import schema
from assay.store.audit import AuditStamp, add_entry
from assay.store.connect import Store
from assay.store.row_codec import safe
from assay.store.test_reader import read_page
from assay.store.tests import shown_id

if TYPE_CHECKING:
    from sqlalchemy import Connection

RATINGS = ("accuracy", "completeness", "citation", "clarity")
"""What is rated, as in the Endurance specification."""


@dataclass(frozen=True, slots=True)
class Feedback:
    """One person's feedback on one test."""

    id: int
    test_id: int
    created: float
    author: str
    ratings: Mapping[str, int]
    comment: str
    response: str
    """The reply to it; empty while there is none."""


def add_feedback(
    store: Store, test_id: int, ratings: Mapping[str, int], comment: str, change: AuditStamp
) -> Feedback:
    """Keep feedback on an existing test."""
    _check(ratings)
    row = {
        "test_id": test_id,
        "created": change.now,
        "author": safe(change.actor),
        "ratings": dumps(dict(ratings)),
        "comment": safe(comment),
        "response": "",
    }

    def work(connection: Connection) -> Feedback:
        table, tests = schema.feedback, schema.test_results
        if not connection.execute(tests.select().where(tests.c.test_id == test_id)).first():
            raise NotFoundError(f"there is no test {shown_id(test_id)!r} in the store")
        same = table.select().where(*(table.c[name] == value for name, value in row.items()))
        if not connection.execute(same).first():
            connection.execute(table.insert().values(row))
        subject, details = shown_id(test_id), {"ratings": dict(ratings)}
        add_entry(connection, change, "feedback.given", subject, details)
        existing = connection.execute(same.order_by(table.c.id.desc())).first()
        return _feedback(existing)

    return store.write(work)


def _check(ratings: Mapping[str, int]) -> None:
    for name, value in ratings.items():
        if name not in RATINGS:
            raise UsageError(f"unknown rating {name!r}; expected one of {', '.join(RATINGS)}")
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 5:
            raise UsageError(f"the rating {name!r} is {value!r}; expected a number from 1 to 5")


def list_feedback(
    store: Store, test_id: int | None = None, limit: int = 100, offset: int = 0
) -> tuple[list[Feedback], int]:
    """A page of feedback, the newest first, of one test or of all, and how much there is."""

    def work(connection: Connection) -> tuple[list[Feedback], int]:
        table = schema.feedback
        conditions = [] if test_id is None else [table.c.test_id == test_id]
        query = table.select().where(*conditions).order_by(table.c.id.desc())
        rows, total = read_page(connection, query, limit, offset)
        return [_feedback(row) for row in rows], total

    return store.read(work)


def answer_feedback(store: Store, id: int, response: str, change: AuditStamp) -> Feedback:
    """Reply to feedback; a later reply replaces an earlier one."""

    def work(connection: Connection) -> Feedback:
        from sqlalchemy import update

        table = schema.feedback
        query = table.select().where(table.c.id == id)
        if not connection.execute(query).first():
            raise NotFoundError(f"there is no feedback {id}")
        answered = update(table).where(table.c.id == id).values(response=safe(response))
        connection.execute(answered)
        add_entry(connection, change, "feedback.answered", str(id))
        return _feedback(connection.execute(query).one())

    return store.write(work)


def _feedback(row: Any) -> Feedback:
    return Feedback(
        row.id,
        row.test_id,
        row.created,
        row.author,
        loads(row.ratings),
        row.comment,
        row.response,
    )
