"""Figures of the stored tests: rates, means, trends and hourly series.

Everything is read from the roll-ups, so the cost depends on the hours and metrics, not on the
tests. A window is whole hours; absent values are skipped, and every figure says its count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from assay.core.bounds import MAX_MOMENT
from assay.core.jsontext import loads
from assay.data.metric_roles import metric_roles
from assay.stats import aggregates
from assay.stats.aggregates import Verdicts, share
from assay.store import schema, usable_sums
from assay.store.connect import Store

if TYPE_CHECKING:
    from sqlalchemy import Column, ColumnElement, Connection, Table

DAY = 24
"""Hours in each of the two periods that a trend compares."""


@dataclass(frozen=True, slots=True)
class StatisticsFilter:
    """Which tests are meant; a part that is not given excludes nothing."""

    first: int | None = None
    """The first hour since 1970."""
    last: int | None = None
    """The hour after the last one."""
    run: int | None = None
    tag: str = ""
    language: str | None = None

    @classmethod
    def before(cls, now: float, hours: int | None, **given: Any) -> StatisticsFilter:
        """The last hours, the running one included; all time without a number."""
        if hours is None:
            return cls(**given)
        end = int(now // 3600) + 1
        return cls(end - hours, end, **given)


@dataclass(frozen=True, slots=True)
class TestCounts:
    """Tests by outcome, with their durations."""

    __test__ = False  # not a test case of pytest's

    total: int = 0
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    timed: int = 0
    """Tests with a duration."""
    duration_sum: float = 0.0
    duration_max: float | None = None
    timeouts: int = 0
    unsure: int = 0

    @property
    def verdicts(self) -> Verdicts:
        """The tests by verdict."""
        judged = self.passed + self.failed + self.unsure + self.skipped
        return Verdicts(
            passed=self.passed,
            failed=self.failed,
            unsure=self.unsure,
            skipped=self.skipped,
            unjudged=self.total - judged,
        )

    @property
    def pass_rate(self) -> float | None:
        """The share of judged tests that passed."""
        return self.verdicts.pass_rate

    @property
    def avg_duration(self) -> float | None:
        """The mean duration in seconds."""
        return self.duration_sum / self.timed if self.timed else None

    @property
    def timeout_rate(self) -> float | None:
        """The share of tests that took too long or were skipped."""
        return share(self.timeouts, self.total)


@dataclass(frozen=True, slots=True)
class MetricCounts:
    """One metric's values, in its native scale."""

    count: int = 0
    sum: float = 0.0
    squared_deviation: float = 0.0
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

    @property
    def mean(self) -> float | None:
        """The mean of the values that are there."""
        return self.sum / self.count if self.count else None

    @property
    def weighted_mean(self) -> float | None:
        """The mean with the samples' weights."""
        return self.weighted_sum / self.weight_sum if self.weight_sum else None

    @property
    def deviation(self) -> float | None:
        """The standard deviation of the values (of the population)."""
        return aggregates.deviation(self.count, self.squared_deviation)

    @property
    def verdicts(self) -> Verdicts:
        """The results with a threshold by verdict."""
        failed = self.judged - self.passed - self.unsure
        return Verdicts(passed=self.passed, failed=failed, unsure=self.unsure)

    @property
    def pass_rate(self) -> float | None:
        """The share of judged results that hold their threshold."""
        return self.verdicts.pass_rate

    def to_json(self) -> dict[str, Any]:
        """All figures as plain data."""
        return {name: getattr(self, name) for name in FIGURES}


FIGURES = (
    "count",
    "sum",
    "minimum",
    "maximum",
    "passed",
    "unsure",
    "judged",
    "missing",
    "imputed",
    "errors",
    "mean",
    "weighted_mean",
    "deviation",
    "pass_rate",
)
"""What is shown of a metric."""


def test_counts(connection: Connection, window: StatisticsFilter) -> TestCounts:
    """The tests of a window, by outcome."""
    row = connection.execute(_summed(schema.test_rollups, _TEST_SUMS, window)).one()
    return TestCounts(*row) if row[0] is not None else TestCounts()


def metric_counts(
    connection: Connection, window: StatisticsFilter, *, is_gating: bool = False
) -> dict[str, MetricCounts]:
    """Every metric of a window with its figures, by id; `is_gating`: of runs where it gates."""
    table = schema.metric_rollups
    rows = connection.execute(_metric_sums(window, table.c.metric_name, is_gating=is_gating))
    return {row[0]: MetricCounts(*row[1:]) for row in rows}


REASON_RUNS = 20
"""Runs of a window that are asked why samples have no score, the newest."""


def missing_reasons(store: Store, window: StatisticsFilter) -> dict[str, dict[str, int]]:
    """Why samples of a window have no score: metric → reason → samples, the commonest first.

    The summaries of finished runs tell; a run that goes on has none yet.
    """

    def work(connection: Connection) -> dict[str, dict[str, int]]:
        from sqlalchemy import select

        table, runs = schema.metric_rollups, schema.runs
        inside = select(table.c.run_id).where(*_inside(table, window), table.c.missing > 0)
        query = (
            select(runs.c.summary)
            .where(runs.c.id.in_(inside), runs.c.summary.is_not(None))
            .order_by(runs.c.created.desc(), runs.c.id.desc())
            .limit(REASON_RUNS)
        )
        counts: dict[str, Counter[str]] = {}
        for text in connection.execute(query).scalars():
            for id, entry in loads(text)["metrics"].items():
                if entry.get("missing"):
                    counts.setdefault(id, Counter()).update(entry.get("reasons", {}))
        return {id: dict(reasons.most_common()) for id, reasons in counts.items()}

    return store.read(work)


TREND_STEPS = 48
"""Points of a trend at most."""
_TEST_SUMS = tuple(TestCounts.__slots__)
_METRIC_SUMS = tuple(MetricCounts.__slots__)


def _summed(
    table: Table, names: Sequence[str], window: StatisticsFilter, *groups: ColumnElement[Any]
) -> Any:
    """The sums of a roll-up over a window, by group."""
    from sqlalchemy import func, select

    merge: dict[str, Any] = {"minimum": func.min, "maximum": func.max, "duration_max": func.max}
    columns = usable_sums.test_columns()
    sums = [merge.get(name, func.sum)(columns[name]) for name in names]
    query = select(*groups, *sums).where(*_inside(table, window))
    return query.group_by(*groups) if groups else query


def _metric_sums(
    window: StatisticsFilter,
    *groups: Column[Any],
    metrics: Sequence[str] = (),
    is_gating: bool = False,
) -> Any:
    """The sums of the metrics' roll-ups over a window, by group; of some metrics alone if named.

    With `is_gating`, a run counts for the metrics that decide its passes.

    Squared deviations are merged about the mean of the whole group:
    Σ(own squared deviation + count · (own mean − mean)²).
    """
    from sqlalchemy import exists, func, select

    table = schema.metric_rollups
    usable = usable_sums.metric_columns()
    count = func.nullif(usable["count"], 0)
    whole = func.sum(usable["count"]).over(partition_by=groups)
    total = func.sum(usable["sum"]).over(partition_by=groups)
    distance = usable["sum"] / count - total / func.nullif(whole, 0)
    usable["squared_deviation"] += func.coalesce(usable["count"] * distance * distance, 0.0)
    columns = [usable[name].label(name) for name in _METRIC_SUMS]
    conditions = _inside(table, window)
    if metrics:
        conditions.append(table.c.metric_name.in_(metrics))
    if is_gating:
        own_plan = schema.run_metrics
        is_informational = exists().where(
            own_plan.c.run_id == table.c.run_id,
            own_plan.c.metric_name == table.c.metric_name,
            ~own_plan.c.gates,
        )
        conditions.append(~is_informational)
    rows = select(*groups, *columns).where(*conditions).subquery()
    merge: dict[str, Any] = {"minimum": func.min, "maximum": func.max}
    sums = [merge.get(name, func.sum)(rows.c[name]) for name in _METRIC_SUMS]
    own = [rows.c[group.name] for group in groups]
    return select(*own, *sums).group_by(*own).order_by(*own)


def _inside(table: Table, window: StatisticsFilter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = [table.c.tag == window.tag]
    if window.first is not None:
        conditions.append(table.c.hour >= window.first)
    if window.last is not None:
        conditions.append(table.c.hour < window.last)
    if window.run is not None:
        conditions.append(table.c.run_id == window.run)
    if window.language is not None and "language" in table.c:
        conditions.append(table.c.language == window.language)
    return conditions


def statistics(store: Store, window: StatisticsFilter, now: float) -> dict[str, Any]:
    """The answer as in the PyAI-Slayer guide: tests, rates, metrics and the four trends."""

    def work(connection: Connection) -> dict[str, Any]:
        tests = test_counts(connection, window)
        metrics = metric_counts(connection, window)
        gating = metric_counts(connection, window, is_gating=True)
        return {
            "total_tests": tests.total,
            "passed": tests.passed,
            "failed": tests.failed,
            "unsure": tests.unsure,
            "skipped": tests.skipped,
            "unjudged": tests.verdicts.unjudged,
            "pass_rate": tests.pass_rate,
            "pass_rate_interval": tests.verdicts.pass_rate_interval,
            "avg_duration": tests.avg_duration,
            "timeout_rate": tests.timeout_rate,
            "max_duration": tests.duration_max,
            "counts": {"judged": tests.verdicts.judged, "with_duration": tests.timed},
            "health": _health(tests, gating),
            "safety": _safety(gating),
            "safety_literal": _safety_literal(gating),
            "validation_metrics": {id: one.to_json() for id, one in metrics.items()},
            "metrics_tracked": len(metrics),
            "data_points": sum(one.count for one in metrics.values()),
            "trends": _trends(connection, window, now),
            "security_test_counts": {
                id: metrics[id].count if id in metrics else 0 for id in metric_roles().attacks
            },
        }

    return store.read(work)


def _health(tests: TestCounts, metrics: Mapping[str, MetricCounts]) -> float | None:
    roles = metric_roles().health
    return aggregates.health(
        tests.pass_rate, (_share(metrics, *part) for part in roles.reliability)
    )


def _safety(metrics: Mapping[str, MetricCounts]) -> float | None:
    roles = metric_roles().safety
    return aggregates.safety(
        _share(metrics, roles.compliance),
        [_share(metrics, *part) for part in roles.harms],
        violation=_share(metrics, roles.violation),
        leakage=_share(metrics, *roles.leakage),
    )


def _safety_literal(metrics: Mapping[str, MetricCounts]) -> float | None:
    return aggregates.mean(_share(metrics, id) for id in metric_roles().safety.literal)


def _share(metrics: Mapping[str, MetricCounts], *ids: str) -> float | None:
    """The mean of the first of these metrics that has values, as a share."""
    for id in ids:
        if id in metrics and (mean := metrics[id].mean) is not None:
            return mean / metric_roles().scale(id)
    return None


def _trends(connection: Connection, window: StatisticsFilter, now: float) -> dict[str, Any]:
    """The change of the last 24 hours against the 24 before, as a share of these; None without."""
    end = int(now // 3600) + 1
    periods = [
        StatisticsFilter(
            end - DAY * back, end - DAY * (back - 1), window.run, window.tag, window.language
        )
        for back in (1, 2)
    ]
    values = []
    for period in periods:
        tests = test_counts(connection, period)
        metrics = metric_counts(connection, period, is_gating=True)
        values.append(
            {
                "health_trend": _health(tests, metrics),
                "duration_trend": tests.avg_duration,
                "safety_trend": _safety(metrics),
                "satisfaction_trend": tests.pass_rate,
            }
        )
    current, previous = values
    return aggregates.trends(current, previous)


def timeseries(store: Store, window: StatisticsFilter) -> list[dict[str, Any]]:
    """Tests by hour, the oldest first; hours without a test are left out."""

    def work(connection: Connection) -> list[dict[str, Any]]:
        table = schema.test_rollups
        query = _summed(table, _TEST_SUMS, window, table.c.hour).order_by(table.c.hour)
        metrics = _headline_metrics(connection, window)
        listed = []
        for hour, *sums in connection.execute(query):
            tests = TestCounts(*sums)
            own_metrics = metrics.get(hour, {})
            listed.append(
                {
                    "time_bucket": bucket_name(hour),
                    "total": tests.total,
                    "passed": tests.passed,
                    "failed": tests.failed,
                    "pass_rate": tests.pass_rate,
                    "avg_duration": tests.avg_duration,
                    "health": _health(tests, own_metrics),
                    "safety": _safety(own_metrics),
                }
            )
        return listed

    return store.read(work)


def _headline_metrics(
    connection: Connection, window: StatisticsFilter
) -> dict[int, dict[str, MetricCounts]]:
    """The metrics behind health and safety where they gate: hour → metric → counts."""
    table = schema.metric_rollups
    roles = metric_roles()
    behind = (*roles.health.metrics, *roles.safety.metrics)
    query = _metric_sums(window, table.c.hour, table.c.metric_name, metrics=behind, is_gating=True)
    by_hour: dict[int, dict[str, MetricCounts]] = {}
    for hour, metric, *sums in connection.execute(query):
        by_hour.setdefault(hour, {})[metric] = MetricCounts(*sums)
    return by_hour


def metric_series(store: Store, metric: str, window: StatisticsFilter) -> list[dict[str, Any]]:
    """One metric by hour, the oldest first."""

    def work(connection: Connection) -> list[dict[str, Any]]:
        table = schema.metric_rollups
        query = _metric_sums(window, table.c.hour, metrics=[metric])
        return [
            {"time_bucket": bucket_name(hour), **MetricCounts(*sums).to_json()}
            for hour, *sums in connection.execute(query)
        ]

    return store.read(work)


def metric_trends(
    connection: Connection, metrics: Sequence[str], window: StatisticsFilter
) -> dict[str, list[dict[str, Any]]]:
    """Each metric's mean in time, the oldest first: by hour, or by longer steps of a long window.

    Steps without a value are left out; a metric without any is absent.
    """
    from sqlalchemy import func, select

    table = schema.metric_rollups
    inside = [*_inside(table, window), table.c.metric_name.in_(metrics), table.c["count"] > 0]
    inside.append(usable_sums.is_usable(table.name))
    first, last = connection.execute(
        select(func.min(table.c.hour), func.max(table.c.hour)).where(*inside)
    ).one()
    if first is None:
        return {}
    step = -(-(last - first + 1) // TREND_STEPS)
    place = ((table.c.hour - first) // step).label("place")
    sums = func.sum(table.c["count"]), func.sum(table.c.sum)
    query = select(table.c.metric_name, place, *sums).where(*inside)
    points: dict[str, list[dict[str, Any]]] = {}
    for metric, at, count, total in connection.execute(
        query.group_by(table.c.metric_name, place).order_by(table.c.metric_name, place)
    ):
        time_bucket = bucket_name(first + at * step)
        point = {"time_bucket": time_bucket, "value": total / count, "count": count}
        points.setdefault(metric, []).append(point)
    return points


def bucket_name(hour: int) -> str:
    """An hour since 1970 as `YYYY-MM-DD HH:00:00`."""
    return f"{_date(hour * 3600):%Y-%m-%d %H:00:00}"


def iso(moment: float) -> str:
    """A moment as text, in UTC."""
    return _date(moment).isoformat(timespec="milliseconds")


def _date(moment: float) -> datetime:
    """A moment as a date; one that no date can show as the nearest that can be."""
    return datetime.fromtimestamp(min(max(moment, 0.0), MAX_MOMENT), UTC)
