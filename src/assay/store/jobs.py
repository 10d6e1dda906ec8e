"""Evaluations that the server does in the background, as they stand in the store.

How far a job is, is what its run has kept: both can never differ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from assay.core import NotFoundError, UsageError
from assay.core.jsontext import dumps, loads
from assay.store import schema
from assay.store.audit import AuditStamp, add_entry
from assay.store.connect import Store
from assay.store.row_codec import safe
from assay.store.test_reader import read_page

if TYPE_CHECKING:
    from sqlalchemy import Connection

Status = Literal["queued", "running", "done", "failed", "cancelled"]
WAITING: tuple[Status, ...] = ("queued", "running")
"""Jobs that still have something to do."""
ENDED: tuple[Status, ...] = ("done", "failed", "cancelled")


class FullError(UsageError):
    """Wait until some jobs are done, then ask again."""


@dataclass(frozen=True, slots=True)
class StoredJob:
    """One job."""

    id: str
    kind: str
    status: Status
    created: float
    updated: float
    request: Mapping[str, Any]
    run_name: str | None
    done: int
    """Records that are safe in the run."""
    total: int | None
    error: str | None

    @property
    def has_ended(self) -> bool:
        """Whether nothing more will happen unless it is resumed."""
        return self.status in ENDED


def add_job(store: Store, job: StoredJob, change: AuditStamp, max_waiting: int) -> None:
    """Queue a job; refused when its run's name is taken or too many jobs wait."""

    def work(connection: Connection) -> None:
        from sqlalchemy import func, select, update

        jobs, runs = schema.jobs, schema.runs
        if connection.execute(select(jobs.c.id).where(jobs.c.id == job.id)).first():
            return  # the answer to an earlier attempt was lost, not the job
        waiting = select(func.count()).where(jobs.c.status.in_(WAITING))
        if connection.execute(waiting).scalar_one() >= max_waiting:
            raise FullError(f"{max_waiting} jobs are waiting already; try again later")
        taken = select(runs.c.id).where(runs.c.name == job.run_name)
        active = select(jobs.c.id).where(
            jobs.c.run_name == job.run_name, jobs.c.status.in_(WAITING)
        )
        if connection.execute(taken).first() or connection.execute(active).first():
            raise UsageError(f"run {job.run_name!r} exists already; choose another name")
        # What an ended job left of a run that was removed since keeps its name no longer.
        connection.execute(
            update(jobs).where(jobs.c.run_name == job.run_name).values(run_name=None)
        )
        connection.execute(jobs.insert().values(_row(job)))
        add_entry(connection, change, "job.started", job.id, {"run": job.run_name})

    store.write(work)


def _row(job: StoredJob) -> dict[str, Any]:
    return {
        "id": job.id,
        "kind": job.kind,
        "status": job.status,
        "created": job.created,
        "updated": job.updated,
        "request": dumps(dict(job.request)),
        "run_name": job.run_name,
        "done": job.done,
        "total": job.total,
        "error": safe(job.error),
    }


def find_job(store: Store, id: str) -> StoredJob:
    """The job of that id."""
    return store.read(lambda connection: _job_of(connection, id))


def _job_of(connection: Connection, id: str) -> StoredJob:
    row = connection.execute(_with_places().where(schema.jobs.c.id == safe(id))).one_or_none()
    if row is None:
        raise NotFoundError(f"there is no job {id!r}")
    return _job(row)


def list_jobs(
    store: Store,
    statuses: Sequence[Status] = (),
    limit: int = 100,
    offset: int = 0,
    *,
    since: float | None = None,
) -> tuple[list[StoredJob], int]:
    """A page of jobs, the newest first, and how many there are in all.

    `since` leaves out jobs of which nothing was heard after that moment.
    """

    def work(connection: Connection) -> tuple[list[StoredJob], int]:
        jobs, runs = schema.jobs, schema.runs
        conditions: list[Any] = [jobs.c.status.in_(statuses)] if statuses else []
        if since is not None:
            conditions.append((jobs.c.updated > since) | (runs.c.updated > since))
        query = _with_places().where(*conditions).order_by(jobs.c.created.desc(), jobs.c.id)
        rows, total = read_page(connection, query, limit, offset)
        return [_job(row) for row in rows], total

    return store.read(work)


def next_job(store: Store, owner: str) -> StoredJob | None:
    """The oldest queued job of that owner; None when none waits."""

    def work(connection: Connection) -> StoredJob | None:
        jobs = schema.jobs
        query = _with_places().where(jobs.c.status == "queued").order_by(jobs.c.created, jobs.c.id)
        waiting = (_job(row) for row in connection.execute(query))
        return next((job for job in waiting if job.request.get("owner") == owner), None)

    return store.read(work)


def requeue_jobs(store: Store, owner: str, now: float) -> list[str]:
    """Queue again what an owner was doing when it stopped; gives the ids."""

    def work(connection: Connection) -> list[str]:
        from sqlalchemy import update

        jobs = schema.jobs
        rows = connection.execute(jobs.select().where(jobs.c.status == "running")).all()
        own = [row.id for row in rows if loads(row.request).get("owner") == owner]
        changed = update(jobs).where(jobs.c.id.in_(own)).values(status="queued", updated=now)
        connection.execute(changed)
        return own

    return store.write(work)


def move_job(
    store: Store,
    id: str,
    before: Sequence[Status],
    after: Status,
    now: float,
    *,
    error: str | None = None,
    change: AuditStamp | None = None,
) -> bool:
    """Change a job's status if it is one of those before; whether it was.

    With `change` the audit trail says who did it.
    """

    def work(connection: Connection) -> bool:
        from sqlalchemy import update

        jobs = schema.jobs
        job = _job_of(connection, id)
        moved = connection.execute(
            update(jobs)
            .where(jobs.c.id == id, jobs.c.status.in_(before))
            .values(status=after, updated=now, error=safe(error), done=job.done)
        )
        if moved.rowcount and change is not None:
            add_entry(connection, change, f"job.{_ACTIONS[after]}", id, {"run": job.run_name})
        return bool(moved.rowcount)

    return store.write(work)


_ACTIONS: Mapping[Status, str] = {"cancelled": "cancelled", "queued": "resumed"}


def uploads_in_use(store: Store) -> set[str]:
    """The uploads that jobs still need."""
    jobs = schema.jobs
    query = jobs.select().where(jobs.c.status.in_(WAITING))
    return store.read(
        lambda connection: {
            loads(row.request).get("upload", "") for row in connection.execute(query)
        }
    )


def _with_places() -> Any:
    """The jobs beside what their runs have kept."""
    from sqlalchemy import select

    jobs, runs = schema.jobs, schema.runs
    return select(
        jobs,
        runs.c.places,
        runs.c.updated.label("run_updated"),
    ).select_from(jobs.outerjoin(runs, runs.c.name == jobs.c.run_name))


def _job(row: Any) -> StoredJob:
    return StoredJob(
        row.id,
        row.kind,
        row.status,
        row.created,
        max(row.updated, row.run_updated or 0.0),
        loads(row.request),
        row.run_name,
        row.done if row.places is None else row.places,
        row.total,
        row.error,
    )
