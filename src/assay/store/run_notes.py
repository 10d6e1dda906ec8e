"""What people say about a run: its name, a note, and whether it is the baseline."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from assay.core import UsageError
from assay.core.jsontext import dumps, loads
from assay.store import schema
from assay.store.audit import AuditStamp, add_entry
from assay.store.connect import Store
from assay.store.row_codec import safe
from assay.store.run_list import Run, find_run

if TYPE_CHECKING:
    from sqlalchemy import Connection


def rename_run(store: Store, run: Run, name: str, change: AuditStamp) -> None:
    """Give a finished run another name; one that is taken is refused."""
    if name == run.name:
        return
    if run.status != "finished":
        raise UsageError(f"run {run.name!r} is {run.status}; only a finished run can be renamed")

    def work(connection: Connection) -> None:
        from sqlalchemy import select, update

        runs, jobs, snapshots = schema.runs, schema.jobs, schema.metrics_snapshots
        if connection.execute(select(runs.c.id).where(runs.c.name == name)).first():
            raise UsageError(f"run {name!r} exists already; choose another name")
        connection.execute(update(runs).where(runs.c.id == run.id).values(name=safe(name)))
        connection.execute(update(jobs).where(jobs.c.run_name == name).values(run_name=None))
        connection.execute(update(jobs).where(jobs.c.run_name == run.name).values(run_name=name))
        kept = select(snapshots.c.id, snapshots.c.labels).where(snapshots.c.run_id == run.id)
        for id, labels in connection.execute(kept).all():
            renamed = dumps({**loads(labels), "run": name})
            connection.execute(update(snapshots).where(snapshots.c.id == id).values(labels=renamed))
        add_entry(connection, change, "run.renamed", name, {"from": run.name})

    store.write(work)


def note_run(store: Store, run: Run, note: str, change: AuditStamp) -> None:
    """Keep what people say about a run; an empty note removes it."""
    _set(store, run, {"note": safe(note)}, "run.noted", change)


def pin_baseline(store: Store, run: Run, others: Collection[int], change: AuditStamp) -> None:
    """Compare later runs with this one, and no longer with those of the numbers `others`."""

    def work(connection: Connection) -> None:
        from sqlalchemy import update

        runs = schema.runs
        connection.execute(update(runs).where(runs.c.id.in_(others)).values(is_baseline=False))
        connection.execute(update(runs).where(runs.c.id == run.id).values(is_baseline=True))
        add_entry(connection, change, "run.pinned", run.name)

    store.write(work)


def unpin_baseline(store: Store, run: Run, change: AuditStamp) -> None:
    """Compare later runs with the one before them again."""
    _set(store, run, {"is_baseline": False}, "run.unpinned", change)


def _set(store: Store, run: Run, values: dict[str, Any], action: str, change: AuditStamp) -> None:
    def work(connection: Connection) -> None:
        from sqlalchemy import update

        connection.execute(update(schema.runs).where(schema.runs.c.id == run.id).values(values))
        add_entry(connection, change, action, run.name)

    store.write(work)
    find_run(store, run.name)
