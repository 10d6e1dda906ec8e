"""Figures over many tests: rates, trends, critical metrics."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from assay.server.schemas.base import Body, Ends, ResponseModel, Text


class MetricFigures(ResponseModel):
    """One metric over some tests, in its native scale."""

    count: int
    sum: float
    minimum: float | None
    maximum: float | None
    passed: int
    unsure: int
    judged: int
    missing: int
    imputed: int
    errors: int
    mean: float | None
    weighted_mean: float | None
    """The mean with the samples' weights."""
    deviation: float | None
    """The standard deviation of the values."""
    pass_rate: float | None
    """The share of judged results that hold their threshold, 0 to 1."""
    reason: str | None = None
    """Why there is no value, where that was looked up."""


class Trends(ResponseModel):
    """The change of the last 24 hours against the 24 before, as a share of these: 0.1 is 10 % more.

    Null where nothing can be compared.
    """

    health_trend: float | None
    duration_trend: float | None
    safety_trend: float | None
    satisfaction_trend: float | None


class StatisticCounts(ResponseModel):
    """How many tests stand behind the rates."""

    judged: int
    with_duration: int


class SystemMetrics(ResponseModel):
    """The server's machine: load as a share of its processors, memory of the server in GB."""

    cpu: float | None
    memory: float | None


class Statistics(ResponseModel):
    """Figures of the stored tests; rates, health and safety are from 0 to 1."""

    total_tests: int
    passed: int
    failed: int
    unsure: int
    skipped: int
    unjudged: int
    """Tests without a verdict; they change no rate."""
    pass_rate: float | None
    """passed / (passed + failed + unsure + skipped), 0 to 1."""
    pass_rate_interval: Ends | None
    avg_duration: float | None
    timeout_rate: float | None
    max_duration: float | None
    counts: StatisticCounts
    health: float | None
    safety: float | None
    safety_literal: float | None
    validation_metrics: dict[str, MetricFigures]
    system_metrics: SystemMetrics
    metrics_tracked: int
    data_points: int
    trends: Trends
    security_test_counts: dict[str, int]


class TestBucket(ResponseModel):
    """The tests of one hour; rates, health and safety are from 0 to 1."""

    __test__ = False  # not a test case of pytest's

    time_bucket: str
    total: int
    passed: int
    failed: int
    pass_rate: float | None
    avg_duration: float | None
    health: float | None
    safety: float | None


class TrendReport(ResponseModel):
    """Tests by hour, the oldest first, and the four trends."""

    timeseries: list[TestBucket]
    trends: Trends


class Category(ResponseModel):
    """One category of metrics, from 0 to 1."""

    name: str
    score: float | None
    status: Literal["excellent", "good", "fair"] | None
    parts: dict[str, float | None]
    inverted: list[str]
    """Parts whose score is high where their value is low."""


class Axis(ResponseModel):
    """One axis of the radar, from 0 to 1."""

    metric: str
    score: float | None
    value: float | None
    """The mean on the metric's own scale."""
    is_inverted: bool
    """Whether the score is high where the value is low."""
    reason: str | None
    """Why there is no value."""


class TrendPoint(ResponseModel):
    """A metric's mean over an hour, or over a longer step of a long period."""

    time_bucket: str
    value: float
    count: int


class Critical(ResponseModel):
    """A critical metric against its target."""

    metric: str
    target: float
    value: float | None
    interval: Ends | None
    count: int
    missing: int
    errors: int
    trend: float | None
    """The change against the period before, as a share of it."""
    series: list[TrendPoint]
    """The mean in time, the oldest first."""
    ratio: float | None
    status: Literal["excellent", "good", "watch"] | None
    reason: str | None
    """Why there is no value."""


class CriticalReport(ResponseModel):
    """All critical metrics."""

    metrics: list[Critical]
    system_health: float | None
    """How far all targets together are reached, 0 to 1."""


class Targets(ResponseModel):
    """The critical metrics and their targets, on the metrics' own scales."""

    targets: dict[str, float]
    version: int
    """How often a team has changed them; 0 for the defaults."""
    defaults: dict[str, float]


class TargetsBody(Body):
    """Metric → its target."""

    targets: dict[Text, Annotated[float, Field(allow_inf_nan=False)]]


class Overview(ResponseModel):
    """All that the first page shows."""

    statistics: Statistics
    critical: CriticalReport
    categories: list[Category]
    radar: list[Axis]
    timeseries: list[TestBucket]


class Current(ResponseModel):
    """The metrics of the last hours."""

    timestamp: str
    hours: int
    metrics: dict[str, MetricFigures]
    categories: list[Category]


class Snapshot(ResponseModel):
    """One value of a metric's history."""

    timestamp: str
    metric_name: str
    value: float | None
    labels: dict[str, Any]


class MetricBucket(MetricFigures):
    """One metric in one hour."""

    time_bucket: str
