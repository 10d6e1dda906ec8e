"""Counts and means for Prometheus, read from the roll-ups when it asks."""

from __future__ import annotations

from collections.abc import Iterator

from fastapi.responses import Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from assay.server.access import role
from assay.server.requests import TheStore, make_router
from assay.store import Store
from assay.store.run_list import count_runs
from assay.store.statistics import (
    MetricCounts,
    StatisticsFilter,
    TestCounts,
    metric_counts,
    test_counts,
)

router = make_router("prometheus")


class StoredFigures(Collector):
    """All tests and metrics of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def collect(self) -> Iterator[Metric]:
        """The figures as Prometheus has them."""
        tests = self._store.read(lambda connection: test_counts(connection, StatisticsFilter()))
        metrics = self._store.read(lambda connection: metric_counts(connection, StatisticsFilter()))
        yield GaugeMetricFamily("assay_runs", "Stored runs", value=count_runs(self._store))
        yield from _tests(tests)
        yield from _metrics(metrics)


def _tests(tests: TestCounts) -> Iterator[Metric]:
    counted = CounterMetricFamily("assay_tests", "Stored tests by status", labels=["status"])
    for status in ("passed", "failed", "unsure", "skipped"):
        counted.add_metric([status], getattr(tests, status))
    counted.add_metric(["unjudged"], tests.verdicts.unjudged)
    yield counted
    yield CounterMetricFamily(
        "assay_test_duration_seconds", "Sum of the tests' durations", value=tests.duration_sum
    )


def _metrics(metrics: dict[str, MetricCounts]) -> Iterator[Metric]:
    means = GaugeMetricFamily(
        "assay_metric_mean", "Mean of a metric, in its own scale", labels=["metric"]
    )
    results = CounterMetricFamily(
        "assay_metric_results", "Results of a metric by state", labels=["metric", "state"]
    )
    passed = CounterMetricFamily(
        "assay_metric_passed", "Results that hold their threshold", labels=["metric"]
    )
    for id, figures in metrics.items():
        if figures.mean is not None:
            means.add_metric([id], figures.mean)
        states = {
            "ok": figures.count,
            "missing": figures.missing,
            "imputed": figures.imputed,
            "error": figures.errors,
        }
        for state, count in states.items():
            results.add_metric([id, state], count)
        passed.add_metric([id], figures.passed)
    yield from (means, results, passed)


@router.get("/metrics", operation_id="get_prometheus", response_class=Response)
@role("read")
def get_prometheus(store: TheStore) -> Response:
    """All counts and means, in Prometheus' text format."""
    registry = CollectorRegistry()
    registry.register(StoredFigures(store))
    return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)
