"""Sums by metric, hour, run and tag, written with the rows that they sum up.

A question of the dashboard reads these: it costs the number of hours, not of scores.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from assay.core import Result
from assay.store import schema
from assay.store.records import safe
from assay.store.rows import Rows

if TYPE_CHECKING:
    from sqlalchemy import Connection, Table

TIMEOUT = 30.0
"""Seconds after which a test counts as timed out, as documented."""
MAX_TAGS = 20
"""Tags of one sample that have sums of their own."""
_LOWEST = {"minimum"}
_HIGHEST = {"maximum", "duration_max"}


def add_rollups(connection: Connection, rows: Rows) -> None:
    """Add what a batch comes to."""
    hour = int(rows.timestamp // 3600)
    by_metric: dict[tuple[str, str], dict[str, Any]] = {}
    by_language: dict[tuple[str, str], dict[str, Any]] = {}
    for sample, scores, outcome, code in rows.tests:
        for tag in dict.fromkeys(["", *map(str, map(safe, sample.tags[:MAX_TAGS]))]):
            sums = by_language.setdefault((tag, str(safe(code))), dict(_NO_TESTS))
            _add_test(sums, outcome.status, outcome.duration)
            for metric, result in scores.results.items():
                _add_result(by_metric.setdefault((metric, tag), dict(_NO_RESULTS)), result)
    place = {"run_id": rows.run, "hour": hour}
    _upsert(
        connection,
        schema.metric_rollups,
        [{**place, "metric_name": m, "tag": t, **sums} for (m, t), sums in by_metric.items()],
    )
    _upsert(
        connection,
        schema.test_rollups,
        [{**place, "tag": t, "language": c, **sums} for (t, c), sums in by_language.items()],
    )


_NO_RESULTS: Mapping[str, Any] = {
    "count": 0,
    "sum": 0.0,
    "sum_squares": 0.0,
    "minimum": None,
    "maximum": None,
    "passed": 0,
    "judged": 0,
    "missing": 0,
    "imputed": 0,
    "errors": 0,
}
_NO_TESTS: Mapping[str, Any] = {
    "total": 0,
    "passed": 0,
    "failed": 0,
    "skipped": 0,
    "timed": 0,
    "duration_sum": 0.0,
    "duration_max": None,
    "timeouts": 0,
}
_STATES = {"missing": "missing", "imputed": "imputed", "error": "errors"}


def _add_result(sums: dict[str, Any], result: Result) -> None:
    value = result.value
    if result.state != "ok" or value is None:
        sums[_STATES[result.state]] += 1
        return
    sums["count"] += 1
    sums["sum"] += value
    sums["sum_squares"] += value * value
    sums["minimum"] = value if sums["minimum"] is None else min(value, sums["minimum"])
    sums["maximum"] = value if sums["maximum"] is None else max(value, sums["maximum"])
    if result.passed is not None:
        sums["judged"] += 1
        sums["passed"] += result.passed


def _add_test(sums: dict[str, Any], status: str, duration: float | None) -> None:
    sums["total"] += 1
    if status in sums:
        sums[status] += 1
    if duration is not None:
        sums["timed"] += 1
        sums["duration_sum"] += duration
        longest = sums["duration_max"]
        sums["duration_max"] = duration if longest is None else max(duration, longest)
    sums["timeouts"] += status == "skipped" or (duration or 0.0) > TIMEOUT


def _upsert(connection: Connection, table: Table, rows: Iterable[Mapping[str, Any]]) -> None:
    """Insert rows, or add them to those that are there."""
    from sqlalchemy import case, func
    from sqlalchemy.dialects import postgresql, sqlite

    listed = list(rows)
    if not listed:
        return
    dialect: Any = postgresql if connection.dialect.name == "postgresql" else sqlite
    insert = dialect.insert(table)
    keys = [column.name for column in table.primary_key]
    changed: dict[str, Any] = {}
    for column in table.columns:
        new = insert.excluded[column.name]
        if column.name in _LOWEST:
            both = case((new < column, new), else_=column)
            changed[column.name] = func.coalesce(both, new)
        elif column.name in _HIGHEST:
            both = case((new > column, new), else_=column)
            changed[column.name] = func.coalesce(both, new)
        elif column.name not in keys:
            changed[column.name] = column + new
    connection.execute(insert.on_conflict_do_update(index_elements=keys, set_=changed), listed)
