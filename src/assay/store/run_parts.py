"""The blocks of a run whose samples stay in Parquet: which are finished, and where they lie."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from assay.core import DataError, UsageError
from assay.core.folders import is_address
from assay.core.jsontext import dumps, loads
from assay.store import schema
from assay.store.connect import Store
from assay.store.lease import renew
from assay.store.rollups import Rollups, add_block_rollups
from assay.store.run_writer import RunWriter

if TYPE_CHECKING:
    from sqlalchemy import Connection


class FinishedBlock(NamedTuple):
    """What a store keeps of a block."""

    number: int
    place: int
    """Of its first record in the run."""
    tests: int
    unread: int
    rollups: Rollups


def whole_path(folder: str) -> str:
    """The folder of a run under a name that holds wherever it is asked from."""
    return folder.rstrip("/") if is_address(folder) else str(Path(folder).resolve())


def set_folder(writer: RunWriter, folder: str) -> None:
    """Note where the samples of a run lie; one that goes on must have the same folder."""
    path = whole_path(folder)

    def work(connection: Connection) -> None:
        runs = schema.runs
        row = connection.execute(runs.select().where(runs.c.id == writer.id)).one()
        if row.folder and row.folder != path:
            raise UsageError(
                f"the samples of run {row.name!r} lie in {row.folder!r}; resume it with the same "
                "--out"
            )
        if not row.folder and row.places:
            raise UsageError(
                f"the samples of run {row.name!r} lie in the store; choose another name"
            )
        connection.execute(runs.update().where(runs.c.id == writer.id).values(folder=path))

    writer.store.write(work)


def record_block(writer: RunWriter, block: FinishedBlock, now: float) -> None:
    """Keep the sums of a finished block, once."""

    def work(connection: Connection) -> None:
        runs, parts = schema.runs, schema.run_parts
        if not renew(connection, writer.id, writer.owner):
            raise DataError(f"run {writer.name!r} is being written by another program")
        key = (parts.c.run_id == writer.id, parts.c.place == block.place)
        if connection.execute(parts.select().where(*key)).first():
            return
        connection.execute(
            parts.insert().values(
                run_id=writer.id, place=block.place, number=block.number, written=now
            )
        )
        connection.execute(
            runs.update()
            .where(runs.c.id == writer.id)
            .values(
                places=runs.c.places + block.tests + block.unread,
                tests=runs.c.tests + block.tests,
                unread=runs.c.unread + block.unread,
                updated=now,
            )
        )
        add_block_rollups(connection, writer.id, now, block.rollups)

    writer.store.write(work)


def record_sketches(writer: RunWriter, sketches: Mapping[str, Any]) -> None:
    """Keep the distributions of a whole run, metric → the bins of its sketch."""
    table = schema.metric_sketches
    rows = [
        {"run_id": writer.id, "metric_name": metric, "bins": dumps(bins, is_compact=True)}
        for metric, bins in sketches.items()
    ]

    def work(connection: Connection) -> None:
        connection.execute(table.delete().where(table.c.run_id == writer.id))
        if rows:
            connection.execute(table.insert(), rows)

    writer.store.write(work)


def read_sketches(store: Store, run: int) -> dict[str, Any]:
    """Metric → the bins of the sketch of its values; nothing for runs not by blocks."""
    table = schema.metric_sketches
    query = table.select().where(table.c.run_id == run)
    rows = store.read(lambda connection: connection.execute(query).all())
    return {row.metric_name: loads(row.bins) for row in rows}
