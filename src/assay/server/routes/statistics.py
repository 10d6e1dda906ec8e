"""Figures of the stored tests: rates, trends, series, categories, critical metrics."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any

from fastapi import Depends, Query, Request

from assay.data.metric_targets import board
from assay.server import overview
from assay.server.access import role
from assay.server.requests import Hours, Now, TheStore, make_router
from assay.server.routes.targets import find_targets
from assay.server.schemas.statistics import (
    Category,
    CriticalReport,
    Current,
    MetricBucket,
    Overview,
    Snapshot,
    Statistics,
    TestBucket,
    TrendReport,
)
from assay.store import Store
from assay.store.run_list import find_run
from assay.store.snapshots import history
from assay.store.statistics import (
    DAY,
    StatisticsFilter,
    iso,
    metric_counts,
    metric_series,
    metric_trends,
    missing_reasons,
    statistics,
    timeseries,
)

router = make_router("statistics")

WEEK = 7 * DAY
RunName = Annotated[str | None, Query(max_length=500, description="Only this run's tests.")]
Tag = Annotated[str, Query(max_length=500, description="Only tests with this tag.")]
Language = Annotated[str | None, Query(max_length=100, description="Only tests in this language.")]


def _window(standard: int | None) -> Callable[..., StatisticsFilter]:
    """Reads which tests are meant: those of the standard hours, unless others are named."""

    def window(
        store: TheStore, now: Now, hours: Hours = standard, run: RunName = None, tag: Tag = ""
    ) -> StatisticsFilter:
        number = None if run is None else find_run(store, run).id
        return StatisticsFilter.before(now, hours, run=number, tag=tag)

    return window


OfAllTime = Annotated[StatisticsFilter, Depends(_window(None))]
OfTheWeek = Annotated[StatisticsFilter, Depends(_window(WEEK))]


def _statistics(store: Store, window: StatisticsFilter, now: float) -> dict[str, Any]:
    return {**statistics(store, window, now), "system_metrics": overview.system_metrics()}


@router.get("/v1/statistics", operation_id="get_statistics")
@router.get("/api/statistics", include_in_schema=False)
@role("read")
def get_statistics(
    store: TheStore, now: Now, window: OfAllTime, language: Language = None
) -> Statistics:
    """Tests, rates, metrics and the four trends."""
    window = replace(window, language=language)
    figures = _statistics(store, window, now)
    reasons = missing_reasons(store, window)
    for id, counts in _counts(store, window).items():
        figures["validation_metrics"][id]["reason"] = overview.why_absent(id, counts, reasons)
    return Statistics(**figures)


@router.get("/v1/trends", operation_id="get_trends")
@router.get("/api/trends", include_in_schema=False)
@role("read")
def get_trends(
    store: TheStore, now: Now, window: OfTheWeek, language: Language = None
) -> TrendReport:
    """Tests by hour, the oldest first, and the last 24 hours against the 24 before."""
    window = replace(window, language=language)
    trends = statistics(store, window, now)["trends"]
    return TrendReport(timeseries=_series(store, window), trends=trends)


def _series(store: Store, window: StatisticsFilter) -> list[TestBucket]:
    return [TestBucket(**bucket) for bucket in timeseries(store, window)]


@router.get("/v1/overview", operation_id="get_overview")
@role("read")
def get_overview(
    store: TheStore, now: Now, window: OfAllTime, language: Language = None
) -> Overview:
    """All that the first page shows, in one answer."""
    window = replace(window, language=language)
    figures = _statistics(store, window, now)
    counts = _counts(store, window)
    reasons = missing_reasons(store, window)
    return Overview.model_validate(
        {
            "statistics": figures,
            "critical": _critical(store, window, counts, reasons, now),
            "categories": _categories(store, window, counts, figures),
            "radar": overview.radar(board(), counts, reasons),
            "timeseries": _series(store, window),
        }
    )


def _counts(store: Store, window: StatisticsFilter, *, is_gating: bool = False) -> overview.Counts:
    return store.read(lambda connection: metric_counts(connection, window, is_gating=is_gating))


def _categories(
    store: Store, window: StatisticsFilter, counts: overview.Counts, figures: dict[str, Any]
) -> list[dict[str, Any]]:
    own = {"pass_rate": figures["pass_rate"], "safety": figures["safety"]}
    gating = _counts(store, window, is_gating=True)
    return overview.categories(board(), counts, gating, own)


def _critical(
    store: Store,
    window: StatisticsFilter,
    counts: overview.Counts,
    reasons: overview.Reasons,
    now: float,
) -> dict[str, Any]:
    chosen = find_targets(store)
    targets, counted = dict(chosen.targets), None
    if not chosen.version:  # the defaults
        shown = board().shown(targets, counts)
        targets = {id: targets[id] for id in shown}
        counted = _counts(store, window, is_gating=True).keys()
    # of all time, the last day is compared with the day before it
    recent = counts if window.first is not None else _counts(store, _last_day(window, now))
    before = _counts(store, _before(window, now))
    trends = store.read(lambda connection: metric_trends(connection, [*targets], window))
    return overview.critical(
        targets, counts, (recent, before), trends, counted=counted, reasons=reasons
    )


def _last_day(window: StatisticsFilter, now: float) -> StatisticsFilter:
    end = int(now // 3600) + 1
    return replace(window, first=end - DAY, last=end)


def _before(window: StatisticsFilter, now: float) -> StatisticsFilter:
    """The period before a window, as long as it; of all time, the day before the last."""
    end = int(now // 3600) + 1
    first = end - DAY if window.first is None else window.first
    last = end if window.last is None else window.last
    return replace(window, first=2 * first - last, last=first)


@router.get("/v1/critical", operation_id="list_critical")
@role("read")
def list_critical(store: TheStore, now: Now, window: OfAllTime) -> CriticalReport:
    """The critical metrics against their targets."""
    counts, reasons = _counts(store, window), missing_reasons(store, window)
    return CriticalReport.model_validate(_critical(store, window, counts, reasons, now))


@router.get("/v1/categories", operation_id="list_categories")
@role("read")
def list_categories(store: TheStore, now: Now, window: OfAllTime) -> list[Category]:
    """The categories' scores, from 0 to 1."""
    figures = statistics(store, window, now)
    listed = _categories(store, window, _counts(store, window), figures)
    return [Category(**category) for category in listed]


@router.get("/v1/current", operation_id="get_current")
@router.get("/api/metrics/current", include_in_schema=False)
@role("read")
def get_current(
    store: TheStore, now: Now, hours: Annotated[int, Query(ge=1, le=100_000)] = DAY
) -> Current:
    """Every metric over the last hours."""
    window = StatisticsFilter.before(now, hours)
    figures = statistics(store, window, now)
    return Current.model_validate(
        {
            "timestamp": iso(now),
            "hours": hours,
            "metrics": figures["validation_metrics"],
            "categories": _categories(store, window, _counts(store, window), figures),
        }
    )


@router.get("/v1/history/{metric_type}", operation_id="list_history")
@router.get("/api/metrics/history/{metric_type}", include_in_schema=False)
@role("read")
def list_history(
    store: TheStore,
    now: Now,
    metric_type: str,
    request: Request,
    hours: Annotated[int, Query(ge=1, le=100_000)] = DAY,
) -> list[Snapshot]:
    """Results of runs by metric of one family, the oldest first.

    Other parameters of the question are labels that a snapshot must have: `run`, the name of the
    run, and `source`, the file or system that it read.
    """
    labels = {name: value for name, value in request.query_params.items() if name != "hours"}
    points = history(store, metric_type, now - hours * 3600.0, labels)
    return [Snapshot(**snapshot) for snapshot in points]


@router.get("/v1/series/{metric_id}", operation_id="list_series")
@role("read")
def list_series(store: TheStore, metric_id: str, window: OfTheWeek) -> list[MetricBucket]:
    """One metric by hour, the oldest first."""
    return [MetricBucket(**bucket) for bucket in metric_series(store, metric_id, window)]
