from dataclasses import replace
from math import sqrt
from statistics import fmean, pstdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.store.scored import HOUR, NOON, RUN_PLAN, make_samples, score, stored_run

from assay.core import Result, Sample, Scores
from assay.data.metric_roles import HealthRoles, SafetyRoles, metric_roles
from assay.stats.aggregates import relative_change
from assay.store import open_store
from assay.store.packed_scores import pack_scores
from assay.store.rollups import RollupScores
from assay.store.run_writer import start_run
from assay.store.snapshots import history
from assay.store.statistics import (
    MetricCounts,
    StatisticsFilter,
    bucket_name,
    metric_series,
    metric_trends,
    statistics,
    timeseries,
)
from assay.store.test_filter import TestFilter
from assay.store.tests import list_tests


@given(st.lists(st.none() | st.floats(-1e6, 1e6), max_size=30))
def test_sums_give_mean_deviation_and_ends(values):
    results = [Result.missing("none") if value is None else Result(value) for value in values]
    outcomes = [pack_scores([result], [None]).outcomes for result in results]
    table = RollupScores(["m"], [[value] for value in values], outcomes, [1.0] * len(values))
    counts = MetricCounts(**table.sums(range(len(values)))["m"]) if values else MetricCounts()
    present = [value for value in values if value is not None]
    assert (counts.count, counts.missing) == (len(present), len(values) - len(present))
    if not present:
        assert (counts.mean, counts.deviation, counts.minimum) == (None, None, None)
        return
    assert counts.mean == pytest.approx(fmean(present), rel=1e-9, abs=1e-9)
    assert counts.deviation == pytest.approx(pstdev(present), rel=1e-6, abs=1e-9)
    assert (counts.minimum, counts.maximum) == (min(present), max(present))


def keep_values(store, values, weights=None, at=NOON, size=2, name="values"):
    """Keep a run whose samples have these values of one metric."""
    writer = start_run(store, name, RUN_PLAN, now=lambda: at)
    weights = weights or [1.0] * len(values)
    for start in range(0, len(values), size):
        pairs = list(zip(values, weights, strict=True))[start : start + size]
        writer.record(
            [Sample(id="", metadata={"weight": weight}) for _, weight in pairs],
            [Scores("", {"text.safety": Result(value)}) for value, _ in pairs],
        )
    return writer


def test_deviations_of_values_close_together_survive_batches_hours_and_runs(store):
    values = [0.999999, 0.9999991, 0.9999992, 0.9999993, 0.9999994, 0.9999995]
    keep_values(store, values[:3], size=1, name="a")
    keep_values(store, values[3:5], at=NOON + HOUR, name="b")
    keep_values(store, values[5:], at=NOON + 2 * HOUR, name="c")
    found = statistics(store, StatisticsFilter(), NOON)["validation_metrics"]["text.safety"]
    assert found["deviation"] == pytest.approx(pstdev(values), rel=1e-6)
    (first, *_) = metric_series(store, "text.safety", StatisticsFilter())
    assert first["deviation"] == pytest.approx(pstdev(values[:3]), rel=1e-6)


@pytest.fixture(scope="module")
def one_store(tmp_path_factory):
    """A store that the examples of a property share; each keeps a run of its own."""
    opened = open_store(f"sqlite:///{tmp_path_factory.mktemp('store') / 'assay.db'}")
    yield opened
    opened.close()


@settings(derandomize=True, deadline=None, max_examples=30)
@given(st.lists(st.none() | st.floats(-1e3, 1e3), max_size=12), st.integers(1, 4))
def test_batches_in_a_store_give_the_deviation_of_all_values(one_store, values, size):
    writer = start_run(one_store, None, RUN_PLAN, now=lambda: NOON)
    results = [Result.missing("none") if value is None else Result(value) for value in values]
    for start in range(0, len(results), size):
        batch = results[start : start + size]
        scored = [Scores("", {"text.safety": result}) for result in batch]
        writer.record([Sample(id="") for _ in batch], scored)
    found = statistics(one_store, StatisticsFilter(run=writer.id), NOON)["validation_metrics"]
    present = [value for value in values if value is not None]
    if not values:
        assert found == {}
    elif not present:
        assert found["text.safety"]["deviation"] is None
    else:
        expected = pytest.approx(pstdev(present), rel=1e-6, abs=1e-9)
        assert found["text.safety"]["deviation"] == expected


def test_weights_make_the_weighted_mean(store):
    keep_values(store, [1.0, 0.0, 0.5], weights=[3.0, 1.0, 2.0])
    found = statistics(store, StatisticsFilter(), NOON)["validation_metrics"]["text.safety"]
    assert found["mean"] == pytest.approx(0.5)
    assert found["weighted_mean"] == pytest.approx(4.0 / 6.0)
    assert found["deviation"] == pytest.approx(sqrt(0.5 / 3))


def test_unjudged_tests_change_no_rate_and_skipped_ones_are_no_pass(store):
    writer = start_run(store, "mixed", RUN_PLAN, now=lambda: NOON)
    scored = [
        Scores("", {}, passed=True),
        Scores("", {}, passed=False),
        Scores("", {}),
        Scores("", {}, is_skipped=True),
    ]
    writer.record([Sample(id="") for _ in scored], scored)
    found = statistics(store, StatisticsFilter(), NOON)
    assert found["pass_rate"] == pytest.approx(1 / 3)
    assert (found["skipped"], found["unjudged"], found["counts"]["judged"]) == (1, 1, 3)
    assert found["pass_rate_interval"].low < 1 / 3 < found["pass_rate_interval"].high


def test_statistics_are_those_of_the_tests(store):
    samples = make_samples(9)
    stored_run(store, samples, size=4)
    found = statistics(store, StatisticsFilter(), NOON)
    scores = score(samples)
    passed = sum(1 for s in scores if s.passed)
    assert (found["total_tests"], found["passed"], found["failed"]) == (9, passed, 9 - passed)
    assert found["pass_rate"] == pytest.approx(passed / 9)
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
        found = statistics(store, StatisticsFilter(tag=tag), NOON)
        assert found["total_tests"] == 4
        assert found["validation_metrics"]["text.safety"]["count"] == 4
    (listed, total) = list_tests(store, TestFilter(tag="odd"))
    assert (len(listed), total) == (4, 4)


def test_no_tests_give_no_rates(store):
    found = statistics(store, StatisticsFilter(), NOON)
    assert (found["total_tests"], found["pass_rate"], found["avg_duration"]) == (0, None, None)
    assert set(found["trends"].values()) == {None}


def test_a_window_leaves_out_other_hours_runs_and_tags(store):
    stored_run(store, make_samples(4), name="old", at=NOON - 30 * HOUR)
    new = stored_run(store, make_samples(6), name="new", at=NOON)
    day = StatisticsFilter.before(NOON, 24)
    assert statistics(store, day, NOON)["total_tests"] == 6
    assert statistics(store, StatisticsFilter.before(NOON, None), NOON)["total_tests"] == 10
    assert statistics(store, StatisticsFilter(run=new.id), NOON)["total_tests"] == 6
    assert statistics(store, StatisticsFilter(tag="even"), NOON)["total_tests"] == 5
    assert statistics(store, StatisticsFilter(language="ar"), NOON)["total_tests"] == 0


def test_trends_compare_the_last_day_with_the_one_before(store):
    stored_run(store, make_samples(4), name="before", at=NOON - 24 * HOUR)
    stored_run(store, make_samples(9), name="now", at=NOON)
    stored_run(store, make_samples(2), name="long ago", at=NOON - 49 * HOUR)
    found = statistics(store, StatisticsFilter(), NOON)["trends"]
    assert found["duration_trend"] == pytest.approx(relative_change(4.0, 1.5))
    rates = [sum(1 for s in score(make_samples(count)) if s.passed) / count for count in (9, 4)]
    assert found["satisfaction_trend"] == pytest.approx(relative_change(*rates))
    assert found["safety_trend"] is None


def test_hours_are_listed_from_the_oldest_on(store):
    stored_run(store, make_samples(3), name="one", at=NOON - 2 * HOUR)
    stored_run(store, make_samples(5), name="two", at=NOON + 1800)
    found = timeseries(store, StatisticsFilter.before(NOON, 168))
    assert [(row["time_bucket"], row["total"]) for row in found] == [
        (bucket_name(1_800_000 - 2), 3),
        (bucket_name(1_800_000), 5),
    ]
    assert found[0]["avg_duration"] == pytest.approx(1.0)
    series = metric_series(store, "text.safety", StatisticsFilter())
    assert [row["count"] for row in series] == [3, 5]


def test_health_and_safety_of_an_hour_are_those_of_its_tests(store, monkeypatch):
    stand_in = "text.safety"
    roles = replace(
        metric_roles(),
        health=HealthRoles(((stand_in,),)),
        safety=SafetyRoles(stand_in, "", (), (), ()),
    )
    monkeypatch.setattr("assay.store.statistics.metric_roles", lambda: roles)
    for back, count in ((1, 3), (0, 5)):
        stored_run(store, make_samples(count), name=f"{back}", at=NOON - back * HOUR)
    for back, row in zip((1, 0), timeseries(store, StatisticsFilter()), strict=True):
        hour = 1_800_000 - back
        whole = statistics(store, StatisticsFilter(hour, hour + 1), NOON)
        assert row["health"] == pytest.approx(whole["health"])
        assert row["safety"] == pytest.approx(whole["safety"])
        assert 0 < row["safety"] < 1
        assert row["health"] == pytest.approx((row["pass_rate"] + row["safety"]) / 2)


def test_trends_of_metrics_go_by_hour_or_by_longer_steps(store):
    def read(window):
        chosen = ["text.safety", "no.metric"]
        return store.read(lambda connection: metric_trends(connection, chosen, window))

    assert read(StatisticsFilter()) == {}
    for hour, count in ((0, 3), (1, 5), (96, 2)):
        stored_run(store, make_samples(count), name=f"run-{hour}", at=NOON + hour * HOUR)
    found = read(StatisticsFilter())
    assert [*found] == ["text.safety"]
    assert [(point["time_bucket"], point["count"]) for point in found["text.safety"]] == [
        (bucket_name(1_800_000), 8),
        (bucket_name(1_800_096), 2),
    ]
    of_a_day = read(StatisticsFilter(last=1_800_024))["text.safety"]
    assert [point["count"] for point in of_a_day] == [3, 5]
    means = [row["mean"] for row in metric_series(store, "text.safety", StatisticsFilter())]
    assert [point["value"] for point in of_a_day] == pytest.approx(means[:2])


def test_history_holds_what_runs_came_to(store):
    writer = stored_run(store, make_samples(3))
    metrics = {"text.safety": {"mean": 0.5}, "chat.response_quality": {"mean": None}}
    writer.finish({"metrics": metrics, "overall": 0.7, "pass_rate": 0.4})
    found = history(store, "text", NOON - 1)
    assert [(row["metric_name"], row["value"]) for row in found] == [("text.safety", 0.5)]
    assert history(store, "text", NOON + 1) == []
    assert [row["labels"] for row in found] == [{"run": "first"}]
    assert history(store, "text", NOON - 1, labels={"run": "first"}) == found
    assert history(store, "text", NOON - 1, labels={"run": "second"}) == []
    assert history(store, "text", NOON - 1, labels={"tag": "x"}) == []
    assert [row["metric_name"] for row in history(store, "run", 0)] == [
        "run.overall",
        "run.pass_rate",
    ]
