"""Sums by metric, hour, run and tag, written with the rows that they sum up.

A question of the dashboard reads these: it costs the number of hours, not of scores.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from assay.core import Result
from assay.stats.aggregates import Moments, timed_out
from assay.store import schema
from assay.store.batch_rows import BatchRows
from assay.store.row_codec import safe

if TYPE_CHECKING:
    from sqlalchemy import Connection, Table

MAX_TAGS = 20
"""Tags of one sample that enter the sums."""
MAX_GROUPS = 200
"""Tags of one run, and languages, that have sums of their own: the first that come. A sum has a row
for each metric and hour, so that without a cap a small file could make a huge store."""
OTHER = "(other)"
"""Stands for all further ones."""
_LOWEST = {"minimum"}
_HIGHEST = {"maximum", "duration_max"}


def add_rollups(connection: Connection, rows: BatchRows) -> None:
    """Add the sums of a batch."""
    hour = int(rows.timestamp // 3600)
    tags, languages = (_groups(connection, rows, name) for name in ("tag", "language"))
    by_metric: dict[tuple[str, str], MetricSums] = {}
    by_language: dict[tuple[str, str], dict[str, Any]] = {}
    for sample, scores, outcome, code in rows.tests:
        language = _group(languages, str(safe(code)))
        own_tags = (_group(tags, str(safe(tag))) for tag in sample.tags[:MAX_TAGS])
        for tag in dict.fromkeys(["", *own_tags]):
            counts = by_language.setdefault((tag, language), dict(_NO_TESTS))
            _add_test(counts, outcome.status, outcome.duration)
            for metric, result in scores.results.items():
                sums = by_metric.setdefault((metric, tag), MetricSums())
                sums.add(result, sample.weight)
    place = {"run_id": rows.run, "hour": hour}
    _upsert(
        connection,
        schema.metric_rollups,
        [
            {**place, "metric_name": metric, "tag": tag, **sums.to_row()}
            for (metric, tag), sums in by_metric.items()
        ],
    )
    _upsert(
        connection,
        schema.test_rollups,
        [{**place, "tag": t, "language": c, **counts} for (t, c), counts in by_language.items()],
    )


def _groups(connection: Connection, rows: BatchRows, name: str) -> set[str]:
    """The tags or languages of the run that have sums already."""
    from sqlalchemy import select

    table = schema.test_rollups
    column = table.c[name]
    query = select(column).distinct().where(table.c.run_id == rows.run, column.not_in(("", OTHER)))
    return set(connection.scalars(query))


def _group(known: set[str], name: str) -> str:
    """The name under which a tag or a language is summed."""
    if name in known or not name:
        return name
    if len(known) >= MAX_GROUPS:
        return OTHER
    known.add(name)
    return name


@dataclass(slots=True)
class MetricSums:
    """The sums of some results of one metric: a row of `metric_rollups`."""

    moments: Moments = field(default_factory=Moments)
    sum: float = 0.0
    weight_sum: float = 0.0
    weighted_sum: float = 0.0
    minimum: float | None = None
    maximum: float | None = None
    passed: int = 0
    judged: int = 0
    missing: int = 0
    imputed: int = 0
    errors: int = 0
    unsure: int = 0

    def add(self, result: Result, weight: float = 1.0) -> None:
        """Count one result; only a computed value enters the sums."""
        value = result.value
        if result.state != "ok" or value is None:
            name = _STATES[result.state]
            setattr(self, name, getattr(self, name) + 1)
            return
        self.moments.add(value)
        self.sum += value
        self.weight_sum += weight
        self.weighted_sum += value * weight
        self.minimum = value if self.minimum is None else min(value, self.minimum)
        self.maximum = value if self.maximum is None else max(value, self.maximum)
        if result.verdict is not None:
            self.judged += 1
            self.passed += result.verdict == "pass"
            self.unsure += result.verdict == "unsure"

    def to_row(self) -> dict[str, Any]:
        """The columns of the row, without its key."""
        own = {name: getattr(self, name) for name in self.__slots__ if name != "moments"}
        return {
            "count": self.moments.count,
            "squared_deviation": self.moments.squared_deviation,
            **own,
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
    "unsure": 0,
}
_STATES = {"missing": "missing", "imputed": "imputed", "error": "errors"}


def _add_test(sums: dict[str, Any], status: str, duration: float | None) -> None:
    sums["total"] += 1
    if status in sums:
        sums[status] += 1
    if duration is not None:
        sums["timed"] += 1
        sums["duration_sum"] += duration
        longest = sums["duration_max"]
        sums["duration_max"] = duration if longest is None else max(duration, longest)
    sums["timeouts"] += timed_out(status, duration)


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
        elif column.name == "squared_deviation":
            changed[column.name] = _merged_deviation(table.c, insert.excluded)
        elif column.name not in keys:
            changed[column.name] = column + new
    connection.execute(insert.on_conflict_do_update(index_elements=keys, set_=changed), listed)


def _merged_deviation(old: Any, new: Any) -> Any:
    """Chan's merge of two rows in SQL, as `Moments.merge` does it; NULL means never divide by 0."""
    from sqlalchemy import func

    delta = new.sum / func.nullif(new["count"], 0) - old.sum / func.nullif(old["count"], 0)
    between = delta * delta * old["count"] * new["count"] / (old["count"] + new["count"])
    return old.squared_deviation + new.squared_deviation + func.coalesce(between, 0.0)
