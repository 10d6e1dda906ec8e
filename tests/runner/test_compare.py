import json
from math import sqrt

import numpy as np
import pytest

from assay.core import Metric, Result, UsageError, metric
from assay.runner.compare import CompareOptions, compare_runs
from assay.runner.sides import SampleView, ScoredSample


@metric(id="made.up", inputs=("response",), range=(0.0, 1.0), polarity="higher")
def up(response: str) -> Result:
    """Made for tests."""


@metric(id="made.down", inputs=("response",), range=(0.0, None), polarity="lower")
def down(response: str) -> Result:
    """Made for tests."""


@metric(id="made.neutral", inputs=("response",), range=(0.0, 1.0), polarity="neutral")
def neutral(response: str) -> Result:
    """Made for tests."""


@metric(id="made.percent", inputs=("response",), range=(0.0, 100.0), polarity="higher")
def percent(response: str) -> Result:
    """Made for tests."""


KNOWN: dict[str, Metric] = {m.id: m for m in (up, down, neutral, percent)}


class FakeSide:
    """A run whose scores are given: metric → values, None for an absent one."""

    def __init__(self, name="run", keys=None, thresholds=None, signatures=None, **columns):
        columns = {f"made.{metric}": values for metric, values in columns.items()}
        self.name, self.columns = name, columns
        self.signatures = {m: f"{m}|v:1|assay:1" for m in columns} | (signatures or {})
        self.thresholds = thresholds or dict.fromkeys(columns)
        self.weights, self.unread, self.notes = {}, 0, []
        self.gating = set(columns)
        size = max(map(len, columns.values()))
        self.keys = keys or [f"s{place:05}" for place in range(size)]

    def read(self, by):
        for place, key in enumerate(self.keys):
            values = {
                metric: (values[place], values[place] >= 0.5 if self.thresholds[metric] else None)
                for metric, values in self.columns.items()
                if values[place] is not None
            }
            yield ScoredSample(key, values, None, None)

    def show(self, places):
        return {
            place: SampleView(
                self.keys[place],
                "Why?",
                f"{self.name} says {place}.",
                {metric: f"{self.name} explains {metric}." for metric in self.columns},
            )
            for place in places
        }


def compare(a, b, **options):
    return compare_runs(a, b, CompareOptions(known=KNOWN, **options))


def change(found, metric="made.up"):
    return next(change for change in found.metrics if change.metric == metric)


def noise(size, mean=0.0, spread=0.1, seed=1):
    return (0.5 + np.random.default_rng(seed).normal(mean, spread, size)).tolist()


@pytest.mark.parametrize(
    ("metric", "shift", "verdict"),
    [
        ("up", 0.2, "better"),
        ("up", -0.2, "worse"),
        ("down", 0.2, "worse"),
        ("down", -0.2, "better"),
        ("neutral", 0.2, "higher"),
        ("neutral", -0.2, "lower"),
        ("unknown", -0.2, "lower"),
    ],
)
def test_a_real_change_has_the_direction_that_the_metric_declares(metric, shift, verdict):
    a, b = FakeSide(**{metric: noise(60)}), FakeSide(**{metric: noise(60, shift, seed=2)})
    found = change(compare(a, b), f"made.{metric}")
    assert found.verdict == verdict
    assert found.test == "sign-flip"
    assert found.difference == pytest.approx(shift, abs=0.06)
    assert found.interval.low < found.difference < found.interval.high
    assert found.mean_b - found.mean_a == pytest.approx(found.difference)


@pytest.mark.parametrize(
    ("size", "spread", "verdict"),
    [(2000, 0.05, "no real change"), (40, 0.3, "too few samples"), (5, 0.3, "too few samples")],
)
def test_no_change_is_told_from_too_few_samples(size, spread, verdict):
    a, b = FakeSide(up=noise(size, 0, spread)), FakeSide(up=noise(size, 0, spread, seed=2))
    found = change(compare(a, b))
    assert found.verdict == verdict
    assert found.pairs_needed > 0
    assert (found.detectable > found.tolerance) == (verdict == "too few samples")


def test_pass_fail_scores_have_mcnemars_test():
    a = FakeSide(up=[1.0] * 60 + [0.0] * 40)
    b = FakeSide(up=[1.0] * 45 + [0.0] * 15 + [1.0] * 2 + [0.0] * 38)
    found = change(compare(a, b))
    assert (found.test, found.lost, found.gained, found.changed) == ("McNemar", 15, 2, 17)
    assert found.p == pytest.approx(0.00235, abs=1e-5)
    assert found.effect == 2.5 / 15.5
    assert found.verdict == "worse"
    assert found.difference == pytest.approx(-0.13)


@pytest.mark.parametrize(("failed", "fixed"), [(40, 25), (100, 0), (0, 0)])
def test_two_valued_scores_have_figures_on_their_own_scale(failed, fixed):
    before = [0.0] * failed + [1.0] * (100 - failed)
    after = [1.0] * fixed + before[fixed:]
    share = change(compare(FakeSide(up=before), FakeSide(up=after)))
    a, b = (FakeSide(percent=[100 * value for value in side]) for side in (before, after))
    found = change(compare(a, b), "made.percent")
    assert (found.test, found.p, found.verdict) == ("McNemar", share.p, share.verdict)
    assert (found.lost, found.gained, found.effect) == (share.lost, share.gained, share.effect)
    for name in ("difference", "detectable", "tolerance"):
        assert getattr(found, name) == pytest.approx(100 * getattr(share, name))
    assert found.interval == pytest.approx([100 * end for end in share.interval])
    assert found.pairs_needed == share.pairs_needed


def test_ones_of_a_hundred_are_not_passes():
    a, b = FakeSide(percent=[0.0, 1.0] * 20), FakeSide(percent=[1.0, 1.0] * 20)
    found = change(compare(a, b), "made.percent")
    assert (found.test, found.difference) == ("sign-flip", 0.5)
    assert found.interval.high < 1


@pytest.mark.parametrize(("size", "verdict"), [(20, "too few samples"), (500, "no real change")])
@pytest.mark.parametrize("value", [1.0, 0.25])
def test_runs_without_a_changed_sample_are_equal_once_there_are_enough(size, verdict, value):
    found = change(compare(FakeSide(up=[value] * size), FakeSide(up=[value] * size)))
    assert found.verdict == verdict
    assert (found.p, found.adjusted_p, found.changed) == (1.0, 1.0, 0)
    assert found.interval.low == -found.interval.high < 0


def test_exchanging_the_runs_turns_the_differences():
    a, b = (
        FakeSide(up=noise(30), down=[1.0, 0.0] * 15),
        FakeSide(up=noise(30, 0.1, seed=3), down=[1.0] * 30),
    )
    forward, back = compare(a, b), compare(b, a)
    for one, other in zip(forward.metrics, back.metrics, strict=True):
        assert one.difference == pytest.approx(-other.difference)
        assert (one.p, one.adjusted_p) == (other.p, other.adjusted_p)
        assert (one.lost, one.gained) == (other.gained, other.lost)
    assert (forward.only_a, forward.only_b) == (back.only_b, back.only_a)


def test_the_order_of_samples_does_not_matter():
    keys = [f"k{place}" for place in range(2500)]
    a, b = FakeSide(keys=keys, up=noise(2500)), FakeSide(keys=keys, up=noise(2500, 0.005, seed=2))
    turned = FakeSide(keys=keys[::-1], up=noise(2500, 0.005, seed=2)[::-1])
    assert compare(a, b).metrics == compare(a, turned).metrics


def test_samples_are_paired_by_their_keys_and_the_rest_is_counted():
    a = FakeSide(keys=["x", "y", "y", "z", ""], up=[0.1, 0.2, 0.3, 0.4, 0.5])
    b = FakeSide(keys=["y", "q", "x", "y", "y", ""], up=[0.2, 0.9, 0.1, 0.3, 0.7, 0.1])
    found = compare(a, b)
    assert (found.pairs, found.only_a, found.only_b, found.repeated) == (3, 2, 3, 3)
    assert change(found).difference == 0
    with pytest.raises(UsageError, match=r"share no sample by id; .* pair them by query$"):
        compare(FakeSide(keys=["x"], up=[1.0]), FakeSide(keys=["y"], up=[1.0]))


def test_absent_scores_leave_their_pair_out():
    a, b = FakeSide(up=[0.5, None, 0.5, 0.2]), FakeSide(up=[0.5, 0.1, None, 0.2])
    assert change(compare(a, b)).pairs == 2
    none = change(compare(FakeSide(up=[None, 0.5]), FakeSide(up=[0.5, None])))
    assert (none.pairs, none.p, none.interval, none.verdict) == (0, None, None, "too few samples")


def test_p_values_are_corrected_over_metrics_with_a_change():
    rng = np.random.default_rng(0)
    columns = {f"m{place}": rng.random(40).tolist() for place in range(10)}
    a = FakeSide(**columns, same=[0.3] * 40)
    b = FakeSide(**{m: rng.random(40).tolist() for m in columns}, same=[0.3] * 40)
    by = {name: compare(a, b, correction=name).metrics for name in ("holm", "bh", "none")}
    smallest = min(change.p for change in by["none"])
    assert min(change.adjusted_p for change in by["holm"]) == pytest.approx(10 * smallest)
    for strict, mild, plain in zip(by["holm"], by["bh"], by["none"], strict=True):
        assert strict.adjusted_p >= mild.adjusted_p >= plain.adjusted_p == plain.p


def test_equal_runs_raise_hardly_an_alarm_over_many_metrics():
    rng = np.random.default_rng(9)
    alarms = 0
    for _ in range(40):
        columns = [{f"m{m}": rng.random(30).tolist() for m in range(8)} for _ in range(2)]
        found = compare(FakeSide(**columns[0]), FakeSide(**columns[1]), samples=0)
        alarms += any(change.adjusted_p <= 0.05 for change in found.metrics)
    assert alarms / 40 <= 0.125


def test_scores_of_different_rules_are_refused_and_the_parts_named():
    a = FakeSide(up=noise(9), down=noise(9))
    b = FakeSide(
        up=noise(9), down=noise(9), signatures={"made.up": "made.up|v:2|lex:a@1|lex:b@2|assay:1"}
    )
    found = compare(a, b)
    assert found.refused == {"made.up": ("v: 1 → 2", "lex: none → a@1 b@2")}
    assert [change.metric for change in found.metrics] == ["made.down"]
    assert "differ in their metrics, rules or weights" in found.notes[0]
    allowed = compare(a, b, allow_different=True)
    assert not allowed.refused
    assert change(allowed).rule_changes == found.refused["made.up"]
    with pytest.raises(UsageError, match=r"'made.up' differs in v: 1 → 2, .*--allow-different"):
        compare(a, b, metrics=("made.up",))


def test_metrics_of_one_run_and_other_thresholds_are_said():
    a = FakeSide(up=[0.6, 0.2, 0.7], down=[1.0] * 3, thresholds={"made.up": 0.5, "made.down": None})
    b = FakeSide(
        up=[0.4, 0.8, 0.9], neutral=[0.1] * 3, thresholds={"made.up": 0.6, "made.neutral": None}
    )
    found = compare(a, b)
    assert (found.metrics_only_a, found.metrics_only_b) == (("made.down",), ("made.neutral",))
    assert found.thresholds == {"made.up": (0.5, 0.6)}
    assert (change(found).lost, change(found).gained) == (1, 1)
    with pytest.raises(UsageError, match="share no metric"):
        compare(a, b, metrics=("text",))


def test_tolerances_are_shares_of_the_range_or_of_the_mean():
    a, b = FakeSide(up=noise(9), down=[200.0] * 9), FakeSide(up=noise(9), down=[210.0] * 9)
    found = compare(a, b, tolerance=0.1)
    assert change(found).tolerance == 0.1
    assert change(found, "made.down").tolerance == 20.0
    own = compare(a, b, tolerances={"made.down": 3.0})
    assert change(own, "made.down").tolerance == 3.0


def test_the_samples_that_changed_most_are_shown_with_both_answers():
    a = FakeSide("A", up=[0.5, 0.5, 0.5, 0.5], down=[10.0, 10.0, 10.0, 20.0])
    b = FakeSide("B", up=[0.5, 0.6, 0.1, 0.5], down=[10.0, 20.0, 10.0, 20.0])
    found = compare(a, b, samples=2).samples
    assert [sample.id_a for sample in found] == ["s00001", "s00002"]
    assert found[0].size == pytest.approx((0.1 + 1.0) / 2)
    assert (found[0].response_a, found[0].response_b) == ("A says 1.", "B says 1.")
    first, second = found[0].scores
    assert (first.metric, first.value_a, first.value_b) == ("made.down", 10.0, 20.0)
    assert (first.explanation_a, first.explanation_b) == (
        "A explains made.down.",
        "B explains made.down.",
    )
    assert second.metric == "made.up"
    assert len(compare(a, b).samples) == 2


def test_a_comparison_is_plain_data():
    found = compare(FakeSide(up=noise(20)), FakeSide(up=noise(20, 0.1)))
    assert json.loads(json.dumps(found.to_json()))["metrics"][0]["metric"] == "made.up"
    assert found.metrics[0].to_json()["interval"] == list(found.metrics[0].interval)


def test_many_samples_have_the_interval_of_all_their_pairs():
    a, b = FakeSide(up=noise(3000)), FakeSide(up=noise(3000, 0.01, seed=2))
    found = change(compare(a, b))
    half = 1.96 * 0.1 * sqrt(2 / 3000)
    assert found.interval.high - found.interval.low == pytest.approx(2 * half, rel=0.1)


def test_runs_in_which_other_metrics_decide_have_no_common_overall():
    a, b = (FakeSide(up=[0.2, 0.8] * 10, down=[1.0, 2.0] * 10) for _ in range(2))
    b.gating = {"made.up"}
    found = compare_runs(a, b, CompareOptions(known=KNOWN))
    assert {change.metric for change in found.metrics} == {"made.up", "made.down"}
    assert any("made.down decides them in one of the runs alone" in note for note in found.notes)
    b.gating = set(a.gating)
    found = compare_runs(a, b, CompareOptions(known=KNOWN))
    assert not found.notes
