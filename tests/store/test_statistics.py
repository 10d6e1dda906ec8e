from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.store.scored import HOUR, NOON, make_samples, score, stored_run

import assay.store.statistics
from assay.core import Result
from assay.metrics.chat.agg.trends import change
from assay.store.rollups import _NO_RESULTS, _add_result
from assay.store.statistics import (
    MetricCounts,
    Window,
    bucket_name,
    history,
    metric_series,
    metric_trends,
    statistics,
    timeseries,
)
from assay.store.tests import TestFilter, list_tests


@given(st.lists(st.none() | st.floats(-1e6, 1e6), max_size=30))
def test_sums_give_mean_deviation_and_ends(values):
    sums = dict(_NO_RESULTS)
    for value in values:
        _add_result(sums, Result.missing("none") if value is None else Result(value))
    counts = MetricCounts(**sums)
    present = [value for value in values if value is not None]
    assert (counts.count, counts.missing) == (len(present), len(values) - len(present))
    if not present:
        assert (counts.mean, counts.deviation, counts.minimum) == (None, None, None)
        return
    mean = sum(present) / len(present)
    assert counts.mean == pytest.approx(mean, abs=1e-6)
    expected = (sum((value - mean) ** 2 for value in present) / len(present)) ** 0.5
    near = 1e-6 * max(map(abs, present))  # what sums of squares of that size can tell apart
    assert counts.deviation == pytest.approx(expected, rel=0, abs=near)
    assert (counts.minimum, counts.maximum) == (min(present), max(present))


def test_statistics_are_those_of_the_tests(store):
    samples = make_samples(9)
    stored_run(store, samples, size=4)
    found = statistics(store, Window(), NOON)
    scores = score(samples)
    passed = sum(1 for s in scores if s.passed)
    assert (found["total_tests"], found["passed"], found["failed"]) == (9, passed, 9 - passed)
    assert found["pass_rate"] == pytest.approx(100 * passed / 9)
    assert found["avg_duration"] == pytest.approx(4.0)
    assert (found["max_duration"], found["timeout_rate"]) == (8.0, 0.0)
    safety = [s.results["text.safety"].value for s in scores]
    kept = found["validation_metrics"]["text.safety"]
    assert (kept["count"], kept["minimum"]) == (9, min(safety))
    assert kept["mean"] == pytest.approx(sum(safety) / 9)
    assert found["data_points"] == sum(m["count"] for m in found["validation_metrics"].values())
    assert found["health"] == found["pass_rate"]  # no reliability metric was scored
    assert found["safety"] is None


def test_a_tag_that_a_sample_has_twice_counts_once(store):
    samples = [replace(sample, tags=("odd", "odd", "x", "odd")) for sample in make_samples(4)]
    stored_run(store, samples)
    for tag in ("", "odd", "x"):
        found = statistics(store, Window(tag=tag), NOON)
        assert found["total_tests"] == 4
        assert found["validation_metrics"]["text.safety"]["count"] == 4
    (listed, total) = list_tests(store, TestFilter(tag="odd"))
    assert (len(listed), total) == (4, 4)


def test_no_tests_give_no_rates(store):
    found = statistics(store, Window(), NOON)
    assert (found["total_tests"], found["pass_rate"], found["avg_duration"]) == (0, None, None)
    assert set(found["trends"].values()) == {None}


def test_a_window_leaves_out_other_hours_runs_and_tags(store):
    stored_run(store, make_samples(4), name="old", at=NOON - 30 * HOUR)
    new = stored_run(store, make_samples(6), name="new", at=NOON)
    day = Window.before(NOON, 24)
    assert statistics(store, day, NOON)["total_tests"] == 6
    assert statistics(store, Window.before(NOON, None), NOON)["total_tests"] == 10
    assert statistics(store, Window(run=new.id), NOON)["total_tests"] == 6
    assert statistics(store, Window(tag="even"), NOON)["total_tests"] == 5
    assert statistics(store, Window(language="ar"), NOON)["total_tests"] == 0


def test_trends_compare_the_last_day_with_the_one_before(store):
    stored_run(store, make_samples(4), name="before", at=NOON - 24 * HOUR)
    stored_run(store, make_samples(9), name="now", at=NOON)
    stored_run(store, make_samples(2), name="long ago", at=NOON - 49 * HOUR)
    found = statistics(store, Window(), NOON)["trends"]
    assert found["duration_trend"] == pytest.approx(change(4.0, 1.5))
    rates = [
        100 * sum(1 for s in score(make_samples(count)) if s.passed) / count for count in (9, 4)
    ]
    assert found["satisfaction_trend"] == pytest.approx(change(*rates))
    assert found["safety_trend"] is None


def test_hours_are_listed_from_the_oldest_on(store):
    stored_run(store, make_samples(3), name="one", at=NOON - 2 * HOUR)
    stored_run(store, make_samples(5), name="two", at=NOON + 1800)
    found = timeseries(store, Window.before(NOON, 168))
    assert [(row["time_bucket"], row["total"]) for row in found] == [
        (bucket_name(1_800_000 - 2), 3),
        (bucket_name(1_800_000), 5),
    ]
    assert found[0]["avg_duration"] == pytest.approx(1.0)
    series = metric_series(store, "text.safety", Window())
    assert [row["count"] for row in series] == [3, 5]


def test_health_and_safety_of_an_hour_are_those_of_its_tests(store, monkeypatch):
    for name in ("RELIABILITY", "SAFETY"):
        stands_in = ("text.safety",) * len(getattr(assay.store.statistics, name))
        monkeypatch.setattr(f"assay.store.statistics.{name}", stands_in)
    for back, count in ((1, 3), (0, 5)):
        stored_run(store, make_samples(count), name=f"{back}", at=NOON - back * HOUR)
    for back, row in zip((1, 0), timeseries(store, Window()), strict=True):
        hour = 1_800_000 - back
        whole = statistics(store, Window(hour, hour + 1), NOON)
        assert row["health"] == pytest.approx(whole["health"])
        assert row["safety"] == pytest.approx(whole["safety"])


def test_trends_of_metrics_go_by_hour_or_by_longer_steps(store):
    def read(window):
        chosen = ["text.safety", "no.metric"]
        return store.read(lambda connection: metric_trends(connection, chosen, window))

    assert read(Window()) == {}
    for hour, count in ((0, 3), (1, 5), (96, 2)):
        stored_run(store, make_samples(count), name=f"run-{hour}", at=NOON + hour * HOUR)
    found = read(Window())
    assert [*found] == ["text.safety"]
    assert [(point["time_bucket"], point["count"]) for point in found["text.safety"]] == [
        (bucket_name(1_800_000), 8),
        (bucket_name(1_800_096), 2),
    ]
    of_a_day = read(Window(last=1_800_024))["text.safety"]
    assert [point["count"] for point in of_a_day] == [3, 5]
    means = [row["mean"] for row in metric_series(store, "text.safety", Window())]
    assert [point["value"] for point in of_a_day] == pytest.approx(means[:2])


def test_history_holds_what_runs_came_to(store):
    writer = stored_run(store, make_samples(3))
    metrics = {"text.safety": {"mean": 0.5}, "chat.response_quality": {"mean": None}}
    writer.finish({"metrics": metrics, "overall": 0.7, "pass_rate": 0.4})
    found = history(store, "text", NOON - 1)
    assert [(row["metric_name"], row["value"]) for row in found] == [("text.safety", 0.5)]
    assert history(store, "text", NOON + 1) == []
    assert history(store, "text", NOON - 1, labels={"tag": "x"}) == []
    assert [row["metric_name"] for row in history(store, "run", 0)] == [
        "run.overall",
        "run.pass_rate",
    ]
