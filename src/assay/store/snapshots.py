"""Snapshots: what each run added to the history of every kind of metric."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from assay.core.jsontext import loads
from assay.store import schema
from assay.store.connect import Store
from assay.store.statistics import iso

if TYPE_CHECKING:
    from sqlalchemy import Connection

MAX_SNAPSHOTS = 10_000
"""Snapshots in one answer."""


def history(
    store: Store, metric_type: str, since: float, labels: Mapping[str, Any] | None = None
) -> list[dict[str, Any]]:
    """Snapshots of one kind of metric since a moment, the oldest first.

    `labels`, where given, must all be among a snapshot's own: `run` and `source`.
    """

    def work(connection: Connection) -> list[dict[str, Any]]:
        table = schema.metrics_snapshots
        query = (
            table.select()
            .where(table.c.metric_type == metric_type, table.c.timestamp >= since)
            .order_by(table.c.timestamp, table.c.id)
        )
        wanted = (labels or {}).items()
        points = (
            {
                "timestamp": iso(row.timestamp),
                "metric_name": row.metric_name,
                "value": row.metric_value,
                "labels": own,
            }
            for row in connection.execute(query)
            if wanted <= (own := loads(row.labels)).items()
        )
        return list(islice(points, MAX_SNAPSHOTS))

    return store.read(work)
