"""Writes runs batch by batch, and goes on with one that was interrupted."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from time import time
from typing import TYPE_CHECKING, Any

from assay.core import DataError, Sample, SampleError, Scores, UsageError
from assay.core.jsontext import dumps, loads
from assay.store import schema
from assay.store.batch_rows import BatchRows
from assay.store.bulk import insert_rows
from assay.store.connect import Store
from assay.store.lease import Lease, new_owner, renew, take
from assay.store.rollups import add_rollups
from assay.store.row_codec import Outcome
from assay.store.test_reader import read_places

if TYPE_CHECKING:
    from sqlalchemy import Connection

Item = Sample | SampleError
"""A sample, or why a record is none."""


@dataclass(frozen=True, slots=True)
class RunPlan:
    """What decides a run's scores: two runs with equal plans can be one."""

    metrics: Mapping[str, tuple[str, float | None]]
    """Metric → its signature and threshold, in the order of the results."""
    settings: Mapping[str, Any]
    """What else decides the outcome: weights, seed, whether imputed values count."""

    def to_json(self) -> dict[str, Any]:
        """The plan as plain data."""
        listed = {id: list(entry) for id, entry in self.metrics.items()}
        return {"metrics": listed, "settings": dict(self.settings)}

    def difference(self, stored: Mapping[str, Any]) -> str:
        """The first thing in which a stored plan differs; empty when they are equal."""
        ours = loads(dumps(self.to_json()))
        for part in ("metrics", "settings"):
            for name in sorted({*ours[part], *stored[part]}):
                mine, theirs = ours[part].get(name), stored[part].get(name)
                if mine != theirs:
                    return f"{name!r} was {theirs!r} and is now {mine!r}"
        return ""


class RunWriter:
    """Keeps the batches of one run; what `record` was given is safe once it returns."""

    def __init__(
        self,
        store: Store,
        id: int,
        name: str,
        thresholds: Mapping[str, float | None],
        places: int,
        now: Callable[[], float],
        owner: str | None = None,
    ) -> None:
        self.id = id
        self.name = name
        self.thresholds = thresholds
        """Those of the run's metrics, in the run's order."""
        self.places = places
        """Records of the run that are safe."""
        self.url = store.url
        """Where it is kept."""
        self.store = store
        self.owner = owner
        """The name under which the run is leased; None where several programs may add to it."""
        self._lease = Lease(store, id, owner) if owner else None
        self._now = now

    def release(self) -> None:
        """Let other programs go on with the run."""
        if self._lease:
            self._lease.release()

    def record(
        self, batch: Sequence[Item], scored: Sequence[Scores], outcomes: Sequence[Outcome] = ()
    ) -> None:
        """Keep a batch, all of it in one transaction; without `outcomes` the scores are them."""
        moment = self._now()
        rows = BatchRows(self.id, self.thresholds, self.places, batch, scored, moment, outcomes)
        after = self.places + len(batch)
        self.store.write(lambda connection: self._write(connection, rows, after))
        self.places = after

    def _write(self, connection: Connection, rows: BatchRows, after: int) -> None:
        from sqlalchemy import update

        runs = schema.runs
        if not renew(connection, self.id, self.owner):
            raise DataError(f"run {self.name!r} is being written by another program")
        done = connection.execute(
            update(runs)
            .where(runs.c.id == self.id, runs.c.places == self.places)
            .values(
                places=after,
                tests=runs.c.tests + len(rows.test_results),
                unread=runs.c.unread + len(rows.unread_records),
                updated=rows.timestamp,
            )
        )
        if done.rowcount == 1:
            for table, listed in rows.tables():
                insert_rows(connection, table, listed)
            add_rollups(connection, rows)
            return
        places = connection.execute(runs.select().where(runs.c.id == self.id)).one().places
        if places != after:  # equal: the answer to an earlier attempt was lost, not the batch
            raise DataError(
                f"run {self.name!r} is being written by another program: "
                f"{places} records are stored where {self.places} were expected"
            )

    def replay(self, items: Iterator[Item], size: int) -> Iterator[tuple[list[Item], list[Scores]]]:
        """The batches that are safe already, each record compared with the one read now."""
        for start in range(0, self.places, size):
            end = min(start + size, self.places)
            tests = read_places(self.store, self.id, start, end)
            batch = list(islice(items, end - start))
            scored: list[Scores] = []
            for place, item in enumerate(batch, start):
                if not tests[place].is_of(item):
                    raise DataError(
                        f"record {place + 1} is not the one that run {self.name!r} has stored; "
                        "--resume needs the same data"
                    )
                if (scores := tests[place].scores) is not None:
                    scored.append(scores)
            if len(batch) < end - start:
                raise DataError(
                    f"run {self.name!r} has {self.places} records and the data has fewer; "
                    "--resume needs the same data"
                )
            yield batch, scored

    def finish(self, summary: Mapping[str, Any]) -> None:
        """Mark the run as complete, with its summary."""
        now = self._now()
        text = dumps(dict(summary))

        def work(connection: Connection) -> None:
            from sqlalchemy import delete, select, update

            if not renew(connection, self.id, self.owner):
                raise DataError(f"run {self.name!r} is being written by another program")
            snapshots = schema.metrics_snapshots
            connection.execute(delete(snapshots).where(snapshots.c.run_id == self.id))
            run = connection.execute(
                select(schema.runs.c.source).where(schema.runs.c.id == self.id)
            ).one()
            labels = snapshot_labels(self.name, run.source)
            rows = list(_snapshots(self.id, now, summary, labels))
            if rows:
                connection.execute(snapshots.insert(), rows)
            connection.execute(
                update(schema.runs)
                .where(schema.runs.c.id == self.id)
                .values(status="finished", finished=now, updated=now, summary=text)
            )

        self.store.write(work)
        self.release()


def start_run(
    store: Store,
    name: str | None,
    plan: RunPlan,
    *,
    resume: bool = False,
    source: str = "",
    tags: Iterable[str] = (),
    total: int | None = None,
    lease: bool = False,
    now: Callable[[], float] = time,
) -> RunWriter:
    """Begin a run, or with `resume` go on with the one of that name.

    With a `lease` no other program can write it until the writer is released; while another one
    has such a lease, `RunBusyError` is raised.

    Without a name it gets one made of the time. A name that is taken is refused unless the run is
    to be resumed; then the plan must be the one that it began with.
    """
    chosen = name or _name(store, now())
    listed = dumps(sorted(set(tags)))
    owner = new_owner() if lease else None

    def work(connection: Connection) -> tuple[int, int]:
        runs = schema.runs
        row = connection.execute(runs.select().where(runs.c.name == chosen)).one_or_none()
        if row is None:
            moment = now()
            values = {
                "name": chosen,
                "status": "running",
                "created": moment,
                "updated": moment,
                "plan": dumps(plan.to_json()),
                "source": source.encode(errors="backslashreplace").decode(),  # a file's name
                "tags": listed,
                "total": total,
            }
            created = connection.execute(runs.insert().values(values))
            assert created.inserted_primary_key
            id = created.inserted_primary_key[0]
            if plan.metrics:  # a suite whose tests all broke before they scored has none
                connection.execute(schema.run_metrics.insert(), list(_run_metrics(id, plan)))
            if owner:
                new = connection.execute(runs.select().where(runs.c.id == id)).one()
                take(connection, new, owner)
            return id, 0
        if not resume:
            raise UsageError(
                f"run {chosen!r} exists already; choose another name, "
                "or add --resume to continue where it stopped"
            )
        if difference := plan.difference(loads(row.plan)):
            raise UsageError(f"run {chosen!r} cannot be resumed: {difference}")
        if owner and row.owner != owner:  # equal: the answer to an earlier attempt was lost
            take(connection, row, owner)
        return row.id, row.places

    from sqlalchemy.exc import IntegrityError

    try:
        id, places = store.write(work)
    except IntegrityError:  # another program began it between our look and our row
        id, places = store.write(work)
    thresholds = {metric: threshold for metric, (_, threshold) in plan.metrics.items()}
    return RunWriter(store, id, chosen, thresholds, places, now, owner)


def _name(store: Store, moment: float) -> str:
    """A name that sorts by time, and that no run of the store has."""
    while True:
        name = f"{datetime.fromtimestamp(moment, UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"
        if not _is_taken(store, name):
            return name


def _is_taken(store: Store, name: str) -> bool:
    query = schema.runs.select().where(schema.runs.c.name == name)
    return store.read(lambda connection: connection.execute(query).first() is not None)


def _run_metrics(run: int, plan: RunPlan) -> Iterator[dict[str, Any]]:
    informational = frozenset(plan.settings.get("informational", ()))
    for position, (metric, (signature, threshold)) in enumerate(plan.metrics.items()):
        yield {
            "run_id": run,
            "metric_name": metric,
            "position": position,
            "signature": signature,
            "threshold": threshold,
            "gates": metric not in informational,
        }


def snapshot_labels(name: str, source: str) -> dict[str, str]:
    """What a snapshot can be found by: its run, and the file or system that the run read."""
    file = re.split(r"[/\\]", source)[-1]
    return {"run": name, **({"source": file} if file else {})}


def _snapshots(
    run: int, moment: float, summary: Mapping[str, Any], labels: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    """The run's results by metric, as rows of `metrics_snapshots`."""
    text = dumps(dict(labels))
    means = {id: aggregate["mean"] for id, aggregate in summary["metrics"].items()}
    means |= {"run.overall": summary["overall"], "run.pass_rate": summary["pass_rate"]}
    for metric, mean in means.items():
        yield {
            "timestamp": moment,
            "metric_type": metric.partition(".")[0],
            "metric_name": metric,
            "metric_value": mean,
            "labels": text,
            "run_id": run,
        }
