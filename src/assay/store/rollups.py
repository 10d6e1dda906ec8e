"""Sums by metric, hour, run and tag, written with the rows that they sum up.

A question of the dashboard reads these: it costs the number of hours, not of scores.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from assay.stats.aggregates import timed_out
from assay.store import schema
from assay.store.batch_rows import BatchRows
from assay.store.packed_scores import ABSENT, DECIDED
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


class Tested(NamedTuple):
    """What the sums of tests ask of one."""

    tags: Sequence[str]
    language: str
    status: str
    duration: float | None


class Rollups(NamedTuple):
    """The sums of some tests, as plain data."""

    metrics: list[dict[str, Any]]
    """Rows of `metric_rollups`, without run and hour."""
    tests: list[dict[str, Any]]
    """Rows of `test_rollups`, without run and hour."""


def add_rollups(connection: Connection, rows: BatchRows) -> None:
    """Add the sums of a batch."""
    known = (_groups(connection, rows.run, name) for name in ("tag", "language"))
    tests = [
        Tested(sample.tags, code, outcome.status, outcome.duration)
        for sample, _, outcome, code in rows.tests
    ]
    scores = RollupScores(
        list(rows.thresholds),
        rows.values,
        [packed.outcomes for packed in rows.packed],
        [sample.weight for sample, *_ in rows.tests],
    )
    _write(connection, rows.run, rows.timestamp, sum_up(tests, scores, *known))


def sum_up(
    tests: Sequence[Tested], scores: RollupScores, tags: set[str], languages: set[str]
) -> Rollups:
    """The sums of some tests; tags and languages that have sums of their own are added to."""
    members: dict[str, list[int]] = {}
    by_language: dict[tuple[str, str], dict[str, Any]] = {}
    for number, test in enumerate(tests):
        language = _group(languages, str(safe(test.language)))
        own_tags = (_group(tags, str(safe(tag))) for tag in test.tags[:MAX_TAGS])
        for tag in dict.fromkeys(["", *own_tags]):
            members.setdefault(tag, []).append(number)
            counts = by_language.setdefault((tag, language), dict(_NO_TESTS))
            _add_test(counts, test.status, test.duration)
    return Rollups(
        [
            {"metric_name": metric, "tag": tag, **sums}
            for tag, own in members.items()
            for metric, sums in scores.sums(own).items()
        ],
        [{"tag": t, "language": c, **counts} for (t, c), counts in by_language.items()],
    )


def add_block_rollups(connection: Connection, run: int, timestamp: float, rollups: Rollups) -> None:
    """Add the sums that another process made of a block.

    Beyond the cap on groups, a sample counts for the rest once with each of its further tags.
    """
    known = {name: _groups(connection, run, name) for name in ("tag", "language")}

    def grouped(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        names = [name for name in known if rows and name in rows[0]]
        return [row | {name: _group(known[name], row[name]) for name in names} for row in rows]

    _write(connection, run, timestamp, Rollups(*map(grouped, rollups)))


def _write(connection: Connection, run: int, timestamp: float, rollups: Rollups) -> None:
    place = {"run_id": run, "hour": int(timestamp // 3600)}
    for table, rows in zip((schema.metric_rollups, schema.test_rollups), rollups, strict=True):
        _upsert(connection, table, [{**place, **row} for row in rows])


def _groups(connection: Connection, run: int, name: str) -> set[str]:
    """The tags or languages of the run that have sums already."""
    from sqlalchemy import select

    table = schema.test_rollups
    column = table.c[name]
    query = select(column).distinct().where(table.c.run_id == run, column.not_in(("", OTHER)))
    return set(connection.scalars(query))


def _group(known: set[str], name: str) -> str:
    """The name under which a tag or a language is summed."""
    if name in known or name in ("", OTHER):
        return name
    if len(known) >= MAX_GROUPS:
        return OTHER
    known.add(name)
    return name


class RollupScores:
    """The scores of some tests, a row for each: values, outcomes and the weights of the samples."""

    def __init__(
        self,
        metrics: Sequence[str],
        values: Sequence[Sequence[float | None]],
        outcomes: Sequence[str],
        weights: Sequence[float],
    ) -> None:
        import numpy as np

        shape = len(values), len(metrics)
        self._metrics = metrics
        self._values = np.array(values, dtype=float).reshape(shape)
        self._codes = np.frombuffer("".join(outcomes).encode("latin-1"), np.uint8).reshape(shape)
        self._weights = np.array(weights, dtype=float).reshape(-1, 1)
        self._known = {
            name: np.isin(self._codes, list(codes.encode("latin-1")))
            for name, codes in _COUNTED.items()
        }
        self._known["count"] &= ~np.isnan(self._values)

    def sums(self, tests: Sequence[int]) -> dict[str, dict[str, Any]]:
        """Metric → the columns of its row of `metric_rollups`, of some tests in order.

        Only a computed value enters the sums. They are added up one by one, as they come.
        """
        import numpy as np

        if not self._metrics:
            return {}
        counts = {name: known[tests].sum(axis=0) for name, known in self._known.items()}
        scored = self._known["count"][tests]
        values = np.where(scored, self._values[tests], 0.0)
        weights = np.where(scored, self._weights[tests], 0.0)
        lowest = np.where(scored, values, np.inf).min(axis=0)
        highest = np.where(scored, values, -np.inf).max(axis=0)
        first = values[scored.argmax(axis=0), range(values.shape[1])]
        above = np.where(scored, values - first, 0.0)
        mean = first + above.sum(axis=0) / np.maximum(counts["count"], 1)
        columns = {
            **counts,
            "sum": np.add.accumulate(values)[-1],
            "squared_deviation": np.where(scored, (values - mean) ** 2, 0.0).sum(axis=0),
            "weight_sum": np.add.accumulate(weights)[-1],
            "weighted_sum": np.add.accumulate(values * weights)[-1],
            "minimum": lowest,
            "maximum": highest,
        }
        rows = zip(*(column.tolist() for column in columns.values()), strict=True)
        return {
            metric: _without_ends(dict(zip(columns, row, strict=True)))
            for metric, row, is_there in zip(
                self._metrics, rows, (self._codes[tests] != ord(ABSENT)).any(axis=0), strict=True
            )
            if is_there
        }


def _without_ends(row: dict[str, Any]) -> dict[str, Any]:
    return row if row["count"] else row | {"minimum": None, "maximum": None}


def _codes(**wanted: str) -> str:
    """The characters of the outcomes that have these words."""
    return "".join(
        code
        for code, decided in DECIDED.items()
        if all(getattr(decided, name) == word for name, word in wanted.items())
    )


_COUNTED = {
    "count": _codes(state="ok"),
    "missing": _codes(state="missing"),
    "imputed": _codes(state="imputed"),
    "errors": _codes(state="error"),
    "judged": "".join(_codes(state="ok", verdict=word) for word in ("pass", "fail", "unsure")),
    "passed": _codes(state="ok", verdict="pass"),
    "unsure": _codes(state="ok", verdict="unsure"),
}
"""Column of `metric_rollups` → the outcomes that it counts."""
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
    listed = list(rows)
    if listed:
        connection.execute(_addition(connection.dialect.name, table), listed)


@cache
def _addition(dialect: str, table: Table) -> Any:
    """The statement that inserts a row, or adds it to the one that is there."""
    from sqlalchemy import case, func
    from sqlalchemy.dialects import postgresql, sqlite

    own: Any = postgresql if dialect == "postgresql" else sqlite
    insert = own.insert(table)
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
    return insert.on_conflict_do_update(index_elements=keys, set_=changed)


def _merged_deviation(old: Any, new: Any) -> Any:
    """Chan's merge of two rows in SQL, as `Moments.merge` does it; NULL means never divide by 0."""
    from sqlalchemy import func

    delta = new.sum / func.nullif(new["count"], 0) - old.sum / func.nullif(old["count"], 0)
    between = delta * delta * old["count"] * new["count"] / (old["count"] + new["count"])
    return old.squared_deviation + new.squared_deviation + func.coalesce(between, 0.0)
