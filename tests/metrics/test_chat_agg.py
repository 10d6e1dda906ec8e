"""The aggregates of the chat family."""

from math import isclose

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.core import DataError
from assay.metrics.chat.agg.averages import avg_duration, metric_average, to_percentage
from assay.metrics.chat.agg.health import health
from assay.metrics.chat.agg.history import history
from assay.metrics.chat.agg.rates import hallucination_rate, pass_rate, timeout_rate
from assay.metrics.chat.agg.safety import safety, safety_literal
from assay.metrics.chat.agg.timeseries import time_bucket, timeseries
from assay.metrics.chat.agg.trends import (
    duration_trend,
    health_trend,
    safety_trend,
    satisfaction_trend,
    trend,
)

steady = settings(derandomize=True, deadline=None)
VALUES = st.lists(st.none() | st.floats(0, 1e6))
PERCENT = st.none() | st.floats(0, 100)
UNIT = st.none() | st.floats(0, 1)
STATUSES = st.sampled_from(["passed", "failed", "skipped"])
TIMES = st.datetimes().map(str)


def timed(*rows):
    return [{"duration": duration, "status": status} for duration, status in rows]


@pytest.mark.parametrize(
    ("why", "statuses", "expected"),
    [
        ("skipped tests count", ["passed"] * 7 + ["failed"] * 2 + ["skipped"], 70.0),
        ("an unknown status is skipped", ["passed", None], 100.0),
        ("none passed is a value", ["failed"], 0.0),
        ("no tests, no rate", [], None),
        ("nothing given, no rate", None, None),
    ],
)
def test_pass_rate(why, statuses, expected):
    assert pass_rate(statuses) == expected, why


@pytest.mark.parametrize(
    ("why", "rows", "expected"),
    [
        (
            "the limit itself is in time",
            timed((31.0, "passed"), (30.0, "passed"), (5.0, "skipped"), (2.0, "failed")),
            50.0,
        ),
        ("slow and skipped is one test", timed((45.0, "skipped"), (1.0, "passed")), 50.0),
        ("an unknown duration is in time", timed((None, "passed")), 0.0),
        ("no tests, no rate", [], None),
        ("nothing given, no rate", None, None),
    ],
)
def test_timeout_rate(why, rows, expected):
    assert timeout_rate(rows) == expected, why


def test_the_timeout_can_be_set():
    assert timeout_rate(timed((31.0, "passed"), (61.0, "passed")), timeout=60.0) == 50.0


def test_hallucination_rate_skips_tests_without_a_verdict():
    assert hallucination_rate([True, False, None, False, True]) == 50.0
    assert hallucination_rate([None]) is None


@pytest.mark.parametrize("average", [avg_duration, metric_average])
@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1.0, 2.0, 3.0], 2.0),
        ([0.5, None, 1.0], 0.75),
        ([0.0, None], 0.0),
        ([None], None),
        ([], None),
        (None, None),
    ],
)
def test_averages_skip_what_is_missing(average, values, expected):
    assert average(values) == expected


@steady
@given(VALUES)
def test_an_average_lies_among_its_values_in_any_order(values):
    average = metric_average(values)
    present = [value for value in values if value is not None]
    assert average == metric_average(values[::-1])
    assert average == metric_average(present)
    if present:
        assert min(present) <= average <= max(present) or isclose(average, present[0])


@pytest.mark.parametrize(
    ("value", "expected"), [(0.85674, 85.67), (0.0, 0.0), (1, 100), (None,) * 2]
)
def test_to_percentage(value, expected):
    assert to_percentage(value) == expected


@pytest.mark.parametrize(
    "rule", [trend, health_trend, duration_trend, safety_trend, satisfaction_trend]
)
@pytest.mark.parametrize(
    ("current", "previous", "expected"),
    [
        (80.0, 100.0, -20.0),
        (75.0, 50.0, 50.0),
        (0.0, 50.0, -100.0),
        (5.0, 0.0, None),
        (0.0, 0.0, None),
        (None, 50.0, None),
        (50.0, None, None),
    ],
)
def test_trends(rule, current, previous, expected):
    assert rule(current, previous) == expected


@steady
@given(st.floats(0.01, 1e6), st.floats(0.01, 1e6))
def test_a_trend_leads_from_the_previous_value_to_the_current_one(current, previous):
    assert isclose(previous * (1 + trend(current, previous) / 100), current, abs_tol=1e-6)


@pytest.mark.parametrize(
    ("why", "given_", "expected"),
    [
        ("half and half", (80.0, 0.9, 0.8, 1.0), 85.0),
        ("a missing part is skipped", (80.0, 0.9, None, None), 85.0),
        ("without reliability the pass rate alone", (80.0,), 80.0),
        ("0 is a value", (80.0, 0.0, 0.0, 0.0), 40.0),
        ("without a pass rate nothing", (None, 0.9, 0.8, 1.0), None),
    ],
)
def test_health(why, given_, expected):
    assert health(*given_) == pytest.approx(expected), why


@steady
@given(PERCENT, UNIT, UNIT, UNIT)
def test_health_is_a_percentage(rate, stability, validity, compliance):
    value = health(rate, stability, validity, compliance)
    assert (value is None) == (rate is None)
    assert value is None or 0 <= value <= 100


@pytest.mark.parametrize(
    ("why", "given_", "expected"),
    [
        ("safest", {"compliance_score": 100, "toxicity_score": 0, "harmfulness_score": 0}, 100.0),
        ("worst", {"compliance_score": 0, "toxicity_score": 100, "harmfulness_score": 100}, 0.0),
        ("bias and leakage count", {"bias_score": 50, "data_leakage": 100}, 25.0),
        ("a twin does not count twice", {"compliance_score": 40, "ethical_violation": 60}, 40.0),
        ("a twin stands in", {"ethical_violation": 60, "pii_leakage": 100}, 20.0),
        ("an attack in the query is no answer", {"bias_score": 10, "prompt_injection": 100}, 90.0),
        ("an attack alone says nothing", {"prompt_injection": 100}, None),
        ("nothing known, nothing said", {}, None),
    ],
)
def test_safety(why, given_, expected):
    assert safety(**given_) == expected, why


@steady
@given(PERCENT, PERCENT, PERCENT, PERCENT, PERCENT)
def test_safety_is_a_percentage_and_falls_with_toxicity(comp, toxic, bias, harm, leak):
    value = safety(comp, toxic, bias, harm, leak)
    assert value is None or 0 <= value <= 100
    if toxic is not None:
        assert safety(comp, 100, bias, harm, leak) <= value + 1e-9


def test_the_documented_safety_has_its_polarity_wrong():
    safe = safety_literal(compliance_score=1.0, toxicity_score=0.0, harmfulness_score=0.0)
    toxic = safety_literal(compliance_score=0.0, toxicity_score=1.0, harmfulness_score=1.0)
    assert (safe, toxic) == (pytest.approx(100 / 3), pytest.approx(200 / 3))
    assert safety_literal(compliance_score=1.0) == 100.0
    assert safety_literal() is None


@pytest.mark.parametrize(
    ("timestamp", "expected"),
    [
        ("2025-11-17 13:45:10", "2025-11-17 13:00:00"),
        ("2025-11-17T13:45:10.250", "2025-11-17 13:00:00"),
        ("2025-11-17 14:00:00", "2025-11-17 14:00:00"),
        ("2025-11-17T23:45:10Z", "2025-11-17 23:00:00"),
        ("2025-11-18T01:15:00+03:00", "2025-11-17 22:00:00"),
        ("2025-11-17", "2025-11-17 00:00:00"),
        ("0001-01-01T00:00:00+05:00", None),
        ("yesterday", None),
        ("", None),
        (None, None),
    ],
)
def test_time_bucket(timestamp, expected):
    assert time_bucket(timestamp) == expected


@steady
@given(TIMES)
def test_a_bucket_is_its_own_bucket(timestamp):
    bucket = time_bucket(timestamp)
    assert bucket == f"{timestamp[:13]}:00:00"
    assert time_bucket(bucket) == bucket


def row(timestamp, status, duration):
    return {"timestamp": timestamp, "status": status, "duration": duration}


def test_timeseries_has_one_entry_per_hour_oldest_first():
    rows = [
        row("2025-11-17 14:00:00", "passed", 5.0),
        row("2025-11-17 13:05:00", "passed", 1.0),
        row("2025-11-17 13:55:00", "failed", 3.0),
        row("2025-11-17 15:00:00", "skipped", None),
        row("no time", "passed", 1.0),
    ]
    keys = ("time_bucket", "total", "passed", "failed", "pass_rate", "avg_duration")
    assert [tuple(entry[key] for key in keys) for entry in timeseries(rows)] == [
        ("2025-11-17 13:00:00", 2, 1, 1, 50.0, 2.0),
        ("2025-11-17 14:00:00", 1, 1, 0, 100.0, 5.0),
        ("2025-11-17 15:00:00", 1, 0, 0, 0.0, None),
    ]


@pytest.mark.parametrize("rows", [[], None])
def test_no_rows_make_no_series(rows):
    assert timeseries(rows) == []
    assert history(rows, "safety", "2025-11-17 13:00:00") == []


@steady
@given(st.lists(st.builds(row, TIMES, STATUSES, st.none() | st.floats(0, 100))))
def test_a_series_loses_no_test(rows):
    series = timeseries(rows)
    assert sum(entry["total"] for entry in series) == len(rows)
    assert [entry["time_bucket"] for entry in series] == sorted(
        {time_bucket(row["timestamp"]) for row in rows}
    )
    assert series == timeseries(rows[::-1])


def snapshot(timestamp, metric_type="safety", labels=None):
    return {"timestamp": timestamp, "metric_type": metric_type, "labels": labels}


def test_history_keeps_one_kind_within_the_hours_oldest_first():
    late, early = snapshot("2025-11-17 12:00:00"), snapshot("2025-11-16T13:00:00Z")
    others = [
        snapshot("2025-11-16 12:59:59"),
        snapshot("2025-11-17 12:00:00", "rag"),
        snapshot("never"),
    ]
    assert history([late, *others, early], "safety", "2025-11-17 13:00:00") == [early, late]
    assert history([late, early], "safety", "2025-11-17 13:00:00", hours=1) == [late]


def test_history_can_ask_for_labels():
    rows = [
        snapshot("2025-11-17 12:00:00", labels=labels)
        for labels in ({"model": "a", "n": [1]}, None)
    ]
    assert history(rows, "safety", "2025-11-17 13:00:00", labels={"model": "a"}) == rows[:1]


def test_history_needs_a_time():
    with pytest.raises(DataError, match="'now' is 'soon'; expected a time"):
        history([], "safety", "soon")
