"""Answers that were judged live: each is a stored test, in a run that never ends by itself.

What decides the scores makes the run, as for every other one; a new day begins a new run.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assay.core import NotFoundError
from assay.store import schema
from assay.store.connect import Store
from assay.store.row_codec import safe
from assay.store.run_list import LIVE
from assay.store.score_columns import MetricColumns

if TYPE_CHECKING:
    from sqlalchemy import Connection

SERVICE = "service:"
"""What the tag of a service begins with."""
MAX_TURNS = 1000
"""Answers of one session that are found."""


@dataclass(frozen=True, slots=True)
class Session:
    """One judged answer, in a list."""

    test_id: int
    session_id: str
    timestamp: float
    query: str | None
    overall_score: float | None
    service: str | None
    has_unsupported_claims: bool
    """Whether claims were checked, and some rest on no document."""


@dataclass(frozen=True, slots=True)
class Service:
    """A system whose answers were judged."""

    id: str
    sessions: int
    last: float
    """When the newest answer was judged."""


def list_sessions(
    store: Store,
    overall: str,
    claims: str = "",
    *,
    service: str | None = None,
    since: float | None = None,
    after: int | None = None,
    limit: int = 100,
    offset: int = 0,
) -> tuple[list[Session], int]:
    """A page of judged answers, the newest first, and how many there are in all.

    `overall` is the metric that is the score of the list, `claims` the one that is 1 where every
    claim is supported; `after` leaves out tests up to that id.
    """

    def work(connection: Connection) -> tuple[list[Session], int]:
        from sqlalchemy import func, select

        tests, texts = schema.test_results, schema.validation_details
        scores = MetricColumns(overall)
        conditions: list[Any] = [tests.c.run_id.in_(_live_runs())]
        if service is not None:
            conditions.append(tests.c.test_id.in_(_tests_of(SERVICE + service)))
        if since is not None:
            conditions.append(tests.c.timestamp >= since)
        if after is not None:
            conditions.append(tests.c.test_id > after)
        total = connection.execute(
            select(func.count()).select_from(tests).where(*conditions)
        ).scalar_one()
        query = (
            select(
                tests.c.test_id,
                tests.c.test_name,
                tests.c.timestamp,
                texts.c.query,
                scores.value,
            )
            .select_from(scores.outer_joined(tests.join(texts, texts.c.test_id == tests.c.test_id)))
            .where(*conditions)
            .order_by(tests.c.timestamp.desc(), tests.c.test_id.desc())
            .limit(limit)
            .offset(offset)
        )
        rows = connection.execute(query).all()
        ids = [row.test_id for row in rows]
        services = _services_of(connection, ids)
        unsupported = _below_one(connection, ids, claims)
        sessions = [
            Session(id, name, moment, asked, overall_score, services.get(id), id in unsupported)
            for id, name, moment, asked, overall_score in rows
        ]
        return sessions, total

    return store.read(work)


def _live_runs() -> Any:
    from sqlalchemy import select

    return select(schema.runs.c.id).where(schema.runs.c.source == LIVE)


def _tests_of(tag: str) -> Any:
    from sqlalchemy import select

    tags = schema.test_tags
    return select(tags.c.test_id).where(tags.c.tag == safe(tag), tags.c.run_id.in_(_live_runs()))


def _services_of(connection: Connection, tests: list[int]) -> dict[int, str]:
    tags = schema.test_tags
    query = tags.select().where(tags.c.test_id.in_(tests), tags.c.tag.startswith(SERVICE))
    return {row.test_id: row.tag.removeprefix(SERVICE) for row in connection.execute(query)}


def _below_one(connection: Connection, ids: list[int], metric: str) -> set[int]:
    """The tests with a score of the metric that is not perfect."""
    from sqlalchemy import select

    tests, scores = schema.test_results, MetricColumns(metric)
    query = (
        select(tests.c.test_id)
        .select_from(scores.joined(tests))
        .where(tests.c.test_id.in_(ids), scores.is_there, scores.value < 1)
    )
    return set(connection.execute(query).scalars())


def find_session(store: Store, session_id: str) -> list[int]:
    """The tests of a session, the newest first."""

    def work(connection: Connection) -> list[int]:
        from sqlalchemy import select

        tests = schema.test_results
        query = (
            select(tests.c.test_id)
            .where(tests.c.run_id.in_(_live_runs()), tests.c.test_name == safe(session_id))
            .order_by(tests.c.timestamp.desc(), tests.c.test_id.desc())
            .limit(MAX_TURNS)
        )
        test_ids = list(connection.execute(query).scalars())
        if not test_ids:
            raise NotFoundError(f"there is no session {session_id!r}")
        return test_ids

    return store.read(work)


def newest_session(store: Store) -> int:
    """The highest id of a judged answer; 0 when there is none."""

    def work(connection: Connection) -> int:
        from sqlalchemy import func, select

        tests = schema.test_results
        query = select(func.max(tests.c.test_id)).where(tests.c.run_id.in_(_live_runs()))
        return connection.execute(query).scalar_one() or 0

    return store.read(work)


def list_services(store: Store) -> list[Service]:
    """The systems whose answers were judged, by id."""

    def work(connection: Connection) -> list[Service]:
        from sqlalchemy import func, select

        tags, tests = schema.test_tags, schema.test_results
        query = (
            select(tags.c.tag, func.count(), func.max(tests.c.timestamp))
            .join(tests, tests.c.test_id == tags.c.test_id)
            .where(tags.c.run_id.in_(_live_runs()), tags.c.tag.startswith(SERVICE))
            .group_by(tags.c.tag)
            .order_by(tags.c.tag)
        )
        rows = connection.execute(query)
        return [Service(tag.removeprefix(SERVICE), count, last) for tag, count, last in rows]

    return store.read(work)
