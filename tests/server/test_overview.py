import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay import registry
from assay.core import ProfileError
from assay.data.metric_targets import Board, Ramp, board, check_targets
from assay.metrics.chat.agg.categories import category_score, category_status, ramp
from assay.metrics.chat.agg.targets import system_health, target_ratio, target_status
from assay.server.overview import categories, critical, mean_interval, radar, why_absent
from assay.stats.aggregates import Moments
from assay.store.statistics import MetricCounts


def counts(*values):
    found = Moments()
    for value in values:
        found.add(value)
    return MetricCounts(len(values), sum(values), found.squared_deviation)


def test_the_board_names_metrics_that_exist():
    known = registry.metrics()
    found = board()
    assert sum(id.startswith("chat.") for id in found.targets) == 15
    parts = {part for listed in found.categories.values() for part in listed}
    for id in {*found.targets, *found.ramps, *found.radar, *parts} - {"pass_rate", "safety"}:
        assert id in known, id
    for id, target in found.targets.items():
        low, high = known[id].range
        assert low < target <= (high or target), id
        assert known[id].polarity in ("higher", "lower")
    for id in {*found.radar, *parts} - {"pass_rate", "safety"}:
        assert id in found.ramps or known[id].quality(known[id].range[0]) is not None, id


@pytest.mark.parametrize(
    ("value", "target", "polarity", "ratio", "status"),
    [
        (85.0, 85.0, "higher", 1.0, "excellent"),
        (76.5, 85.0, "higher", 0.9, "good"),
        (42.5, 85.0, "higher", 0.5, "watch"),
        (400.0, 100.0, "higher", 2.0, "excellent"),
        (5.0, 5.0, "lower", 1.0, "excellent"),
        (10.0, 5.0, "lower", 0.5, "watch"),
        (1.0, 5.0, "lower", 2.0, "excellent"),
        (0.0, 5.0, "lower", 2.0, "excellent"),
        (0.009, 5.0, "lower", 2.0, "excellent"),
        (None, 5.0, "lower", None, None),
        (1.0, 0.0, "higher", None, None),
        (1.0, None, "higher", None, None),
        (-3.0, 5.0, "higher", 0.0, "watch"),
    ],
)
def test_a_target_is_reached_in_part(value, target, polarity, ratio, status):
    assert target_ratio(value, target, polarity) == ratio
    assert target_status(ratio) == status


def test_system_health_counts_nothing_above_the_target():
    assert system_health([2.0, 0.5, None]) == 75.0
    assert system_health([None]) is None
    assert system_health(None) is None


@pytest.mark.parametrize(
    ("value", "zero", "full", "score"),
    [
        (2000.0, 4000.0, 2000.0, 100.0),
        (2020.0, 4000.0, 2000.0, 99.0),
        (9000.0, 4000.0, 2000.0, 0.0),
        (305.0, 800.0, 300.0, 99.0),
        (30.0, 10.0, 50.0, 50.0),
        (51.5, 200.0, 50.0, 99.0),
        (None, 200.0, 50.0, None),
    ],
)
def test_a_ramp_is_the_documented_formula(value, zero, full, score):
    assert ramp(value, zero, full) == (score if score is None else pytest.approx(score))


@pytest.mark.parametrize(
    ("score", "status"),
    [(90.0, "excellent"), (89.9, "good"), (80.0, "good"), (79.9, "fair"), (None, None)],
)
def test_the_status_of_a_category(score, status):
    assert category_status(score) == status


def test_categories_and_radar_are_means_of_what_is_there():
    small = Board(
        {},
        {
            "quality": ("chat.accuracy", "chat.bias_score", "pass_rate"),
            "speed": ("chat.ttft",),
            "none": ("x",),
        },
        {"chat.ttft": Ramp(800.0, 300.0)},
        ("chat.reranker_score", "chat.bias_score"),
    )
    found = {
        "chat.accuracy": counts(0.8, 1.0),
        "chat.bias_score": counts(30.0),
        "chat.ttft": counts(550.0),
    }
    quality, speed, none = categories(small, found, found, {"pass_rate": None})
    assert quality["parts"] == {"chat.accuracy": 0.9, "chat.bias_score": 0.7, "pass_rate": None}
    assert (quality["score"], quality["status"]) == (0.8, "good")
    assert (speed["score"], none["score"], none["status"]) == (0.5, None, None)
    (axis,) = radar(small, found)
    assert (axis["score"], axis["value"], axis["is_inverted"]) == (0.7, 30.0, True)
    assert (quality["inverted"], speed["inverted"]) == (["chat.bias_score"], ["chat.ttft"])
    assert category_score(None) is None


def test_a_part_that_decides_nothing_is_shown_and_not_counted():
    small = Board({}, {"quality": ("chat.accuracy", "chat.bias_score")}, {}, ())
    every = {"chat.accuracy": counts(0.8, 0.4), "chat.bias_score": counts(30.0)}
    (quality,) = categories(small, every, {"chat.accuracy": counts(0.8)}, {})
    assert quality["parts"] == {"chat.accuracy": 0.8, "chat.bias_score": 0.7}
    assert quality["score"] == 0.8


def test_a_target_of_our_own_lies_halfway_from_the_threshold_to_the_best_value():
    known = registry.metrics()
    for id, target in board().targets.items():
        if not id.startswith("chat."):
            best = known[id].range[1] if known[id].polarity == "higher" else known[id].range[0]
            assert target == pytest.approx((known[id].threshold + best) / 2), id


def test_the_board_shows_what_was_scored_and_else_what_a_default_run_scores():
    whole = board()
    assert whole.shown(whole.targets, {"chat.ttft", "x.y"}) == ["chat.ttft"]
    default = whole.shown(whole.targets, {})
    assert "answer.correctness" in default
    assert not [id for id in default if id.startswith("chat.")]


def test_only_counted_metrics_enter_system_health():
    targets = {"chat.ttft": 300.0, "chat.e2e_latency": 2000.0}
    found = {"chat.ttft": counts(600.0), "chat.e2e_latency": counts(2000.0)}
    for counted, health in ((None, 0.75), ({"chat.ttft"}, 0.5), (set(), None)):
        report = critical(targets, found, ({}, {}), counted=counted)
        assert report["system_health"] == health
        assert len(report["metrics"]) == 2


def test_critical_metrics_say_why_they_have_no_value():
    targets = {
        "chat.ttft": 300.0,
        "chat.truthfulness": 90.0,
        "chat.e2e_latency": 2000.0,
        "chat.output_stability": 90.0,
        "no.metric": 1.0,
    }
    found = {
        "chat.ttft": counts(200.0, 400.0),
        "chat.truthfulness": MetricCounts(missing=3),
        "chat.e2e_latency": MetricCounts(errors=2),
        "chat.output_stability": MetricCounts(imputed=4),
    }
    points = [{"time_bucket": "2026-11-15 10:00:00", "value": 300.0, "count": 2}]
    report = critical(targets, found, (found, {"chat.ttft": counts(600.0)}), {"chat.ttft": points})
    ttft, truth, latency, stable, none = report["metrics"]
    assert (ttft["series"], truth["series"]) == (points, ())
    assert stable["reason"] == (
        "No sample has previous_responses: all 4 values are imputed, which do not count."
    )
    assert (ttft["value"], ttft["ratio"], ttft["trend"], ttft["reason"]) == (
        300.0,
        1.0,
        -0.5,
        None,
    )
    assert ttft["interval"].low < 300.0 < ttft["interval"].high
    assert truth["reason"] == "None of 3 samples has a score; it needs expected, response."
    reasons = {"chat.truthfulness": {"The response is empty.": 2, "Too long.": 1}}
    _, truth, *_ = critical(targets, found, (found, {}), reasons=reasons)["metrics"]
    assert truth["reason"] == "The response is empty (2 samples)."
    assert latency["reason"] == "All 2 attempts failed."
    assert none["reason"] == "The metric 'no.metric' is not installed."
    assert report["system_health"] == 1.0


def test_a_score_made_of_others_names_them_instead_of_fields():
    words = "it is made of toxicity_score, bias_score."
    found = why_absent("chat.compliance_score", MetricCounts(missing=3))
    assert found == f"None of 3 samples has a score; {words}"
    assert why_absent("chat.compliance_score", MetricCounts()).endswith(words)
    assert why_absent("governance.cost_efficiency", MetricCounts()) == (
        "Not scored in this period; it needs response and it is made of inference_cost."
    )


def test_axes_of_the_radar_say_why_they_have_no_value():
    found = {"chat.truthfulness": MetricCounts(missing=3), "chat.accuracy": counts(50.0)}
    axes = {axis["metric"]: axis for axis in radar(board(), found)}
    assert {id for id, axis in axes.items() if axis["value"] is None} == {
        id for id, axis in axes.items() if axis["reason"]
    }
    assert any(axis["reason"] for axis in axes.values())


@given(st.lists(st.floats(0, 1), min_size=2, max_size=50))
def test_an_interval_holds_the_mean_and_stays_in_the_range(values):
    low, high = mean_interval(registry.metrics()["text.safety"], counts(*values))
    mean = sum(values) / len(values)
    assert 0.0 <= low <= mean + 1e-9
    assert mean - 1e-9 <= high <= 1.0


def test_few_values_have_no_interval():
    assert mean_interval(None, counts(1.0)) is None


@pytest.mark.parametrize("given", [[], {"a": "b"}, {"a": True}, {"a": float("nan")}])
def test_wrong_targets_are_refused(given):
    with pytest.raises(ProfileError, match="expected"):
        check_targets(given)


def test_own_targets_are_numbers():
    assert check_targets({"chat.ttft": 250}) == {"chat.ttft": 250.0}
