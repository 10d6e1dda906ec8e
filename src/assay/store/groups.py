"""What one run holds by tag and by language, from the roll-ups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.store import schema, usable_sums
from assay.store.connect import Store
from assay.store.statistics import TestCounts

if TYPE_CHECKING:
    from sqlalchemy import Connection

MAX_GROUPS = 1000
"""Groups in one answer, the largest first."""


def tests_by(store: Store, run: int, column: str) -> dict[str, TestCounts]:
    """A run's tests by `tag` or by `language`, the largest group first."""

    def work(connection: Connection) -> dict[str, TestCounts]:
        from sqlalchemy import func, select

        table = schema.test_rollups
        merge: dict[str, Any] = {"duration_max": func.max}
        columns = usable_sums.test_columns()
        sums = [merge.get(name, func.sum)(columns[name]) for name in TestCounts.__slots__]
        of_tags = table.c.tag != "" if column == "tag" else table.c.tag == ""
        group = table.c[column]
        query = (
            select(group, *sums)
            .where(table.c.run_id == run, of_tags)
            .group_by(group)
            .order_by(func.sum(table.c.total).desc(), group)
            .limit(MAX_GROUPS)
        )
        return {row[0]: TestCounts(*row[1:]) for row in connection.execute(query)}

    return store.read(work)
