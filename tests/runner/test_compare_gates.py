from dataclasses import astuple, replace

import pytest

from assay.core import Interval, UsageError
from assay.core.run_comparison import MetricChange, RunComparison
from assay.runner.compare_gates import gate_outcomes, parse_gates


def change(
    metric="m.up", low=-0.1, high=0.1, p=0.01, polarity="higher", tolerance=0.02,
    pairs=50, lost=0, gained=0,
):  # fmt: skip
    interval = None if low is None else Interval(low, high)
    middle = None if low is None else (low + high) / 2
    return MetricChange(
        metric, pairs, 9, 0.5, 0.5, middle, interval, "sign-flip", p, p, 0.1, 0.1, tolerance, 100,
        lost, gained, polarity, "worse",
    )  # fmt: skip


def comparison(*changes, refused=None):
    return RunComparison(
        "a", "b", "id", 50, 0, 0, 0, 0, "holm", 0, changes, refused or {}, (), (), {}, (), ()
    )


@pytest.mark.parametrize(
    ("made", "holds", "is_sure"),
    [
        (change(low=-0.10, high=-0.03), False, True),
        (change(low=-0.10, high=-0.01), True, False),  # worse, but perhaps within the tolerance
        (change(low=-0.10, high=-0.03, p=0.2), True, False),  # not after the correction
        (change(low=-0.01, high=0.01), True, True),
        (change(low=0.03, high=0.10), True, True),
        (change(low=-0.02, high=-0.01), True, True),
        (change(low=0.03, high=0.10, polarity="lower"), False, True),
        (change(low=-0.10, high=-0.03, polarity="lower"), True, True),
        (change(low=None, p=None), True, False),
        (change(p=None), True, False),
        (replace(change(), difference=None), True, False),
        (replace(change(), interval=None), True, False),
        (change(low=-0.10, high=-0.02), True, False),  # its end is the tolerance itself
        (change(low=-0.10, high=-0.03, p=0.05), False, True),  # the greatest p that counts
        (change(low=0.015, high=0.015, polarity="lower"), True, True),
    ],
)
def test_a_gate_fails_when_a_metric_is_worse_beyond_doubt(made, holds, is_sure):
    (outcome,) = gate_outcomes(comparison(made), {"m.up": None})
    assert (outcome.holds, outcome.is_sure) == (holds, is_sure)
    (strict,) = gate_outcomes(comparison(made), {"m.up": None}, strict=True)
    assert strict.holds == (holds and is_sure)


@pytest.mark.parametrize(
    ("pairs", "lost", "gained", "allow_lost", "holds"),
    [
        (7, 7, 0, 0, False),  # a collapse
        (5, 5, 0, 0, False),  # the smallest that the test can tell
        (50, 4, 0, 0, True),
        (50, 5, 0, 0, False),
        (50, 8, 2, 0, True),  # p = 0.055
        (50, 9, 1, 0, False),
        (4, 1, 0, 0, False),  # too few to test: any lost pass fails
        (4, 1, 3, 0, False),
        (4, 0, 3, 0, True),
        (5, 1, 0, 0, True),  # enough to test
        (4, 1, 0, 1, True),
        (7, 7, 0, 6, False),
        (7, 7, 0, 7, True),
    ],
)
def test_lost_passes_fail_a_gate(pairs, lost, gained, allow_lost, holds):
    made = change(p=1.0, pairs=pairs, lost=lost, gained=gained)
    (outcome,) = gate_outcomes(comparison(made), {"m.up": None}, allow_lost=allow_lost)
    assert outcome.holds == holds


def test_lost_passes_fail_a_gate_whose_mean_surely_holds():
    made = change(low=-0.01, high=0.01, p=1.0, pairs=7, lost=7)
    assert not gate_outcomes(comparison(made), {"m.up": None})[0].holds


def test_no_lost_pass_is_accepted_unless_allowed():
    made = change(p=1.0, pairs=4, lost=1)
    assert not gate_outcomes(comparison(made), {"m.up": None})[0].holds


@pytest.mark.parametrize(
    ("ends", "holds"),
    [((-0.2, 0.0), True), ((-0.25, 0.0), False), ((-0.1, 0.1), True), ((None, None), True)],
)
def test_lost_passes_are_accepted_up_to_the_tolerance_of_the_gate(ends, holds):
    made = change(p=1.0, low=ends[0], high=ends[1], tolerance=0.1, pairs=7, lost=7)
    assert gate_outcomes(comparison(made), {"m.up": 0.1})[0].holds == holds


def test_lost_passes_within_a_tolerance_of_the_gate_itself_are_accepted():
    made = change(p=1.0, low=-0.2, high=0.1, tolerance=0.1, pairs=7, lost=7)
    assert gate_outcomes(comparison(made), {"m.up": 0.1})[0].holds
    assert not gate_outcomes(comparison(made), {"m.up": None})[0].holds


LOST = "it lost 7 passes and gained 1, of 9 pairs"
CHANGED = "it changed by -0.065 [-0.1, -0.03], tolerance 0.02"


@pytest.mark.parametrize(
    ("made", "outcome"),
    [
        (change(p=1.0, pairs=9, lost=7, gained=1), (False, True, LOST)),
        (change(low=-0.10, high=-0.03), (False, True, CHANGED)),
        (change(low=-0.10, high=-0.03, pairs=9, lost=7, gained=1), (False, True, CHANGED)),
        (change(low=None, p=None), (True, False, "it has no scores in both runs to judge by")),
    ],
)
def test_a_gate_says_what_decided_it(made, outcome):
    (decided,) = gate_outcomes(comparison(made), {"m.up": None})
    assert astuple(decided) == ("m.up", 0.02, *outcome)


def test_only_the_named_metrics_are_gated():
    changes = comparison(change(), change("m.two"))
    assert [o.metric for o in gate_outcomes(changes, {"m.two": None})] == ["m.two"]


def test_all_metrics_with_a_better_end_can_be_gated():
    found = comparison(change(), change("m.two"), change("m.neutral", polarity="neutral"))
    assert [o.metric for o in gate_outcomes(found, {"all": None})] == ["m.up", "m.two"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("m.none", "names a metric that was not compared"),
        ("m.neutral", "neither a higher nor a lower value is better"),
        ("m.other", r"the rules of 'm.other' differ in v: 1 → 2"),
        ("all", r"'all' cannot be decided: the rules of 'm.other' differ"),
        ("m.other", r"differ in v: 1 → 2, lex; score again, or add --allow-different$"),
    ],
)
def test_a_gate_that_cannot_be_decided_is_refused(name, message):
    found = comparison(
        change("m.neutral", polarity="neutral"), refused={"m.other": ("v: 1 → 2", "lex")}
    )
    with pytest.raises(UsageError, match=message):
        gate_outcomes(found, {name: None})


def test_gates_are_read():
    assert parse_gates(["a.b", "c.d:0.5", "all"]) == {"a.b": None, "c.d": 0.5, "all": None}
    assert parse_gates(["a.b:0"]) == {"a.b": 0.0}


@pytest.mark.parametrize("text", ["", "a.b:", "a.b:x", "a.b:-1", "a.b:inf", "a.b:nan"])
def test_a_text_that_is_no_gate_is_rejected(text):
    with pytest.raises(UsageError) as caught:
        parse_gates([text])
    assert str(caught.value) == (
        f"{text!r} is not a gate; expected a metric, or METRIC:TOLERANCE such as "
        "'text.safety:0.01' with a tolerance of 0 or more on the metric's scale"
    )


def test_one_tolerance_for_all_metrics_is_rejected():
    with pytest.raises(UsageError) as caught:
        parse_gates(["all:0.1"])
    assert str(caught.value) == (
        "'all:0.1' gives one tolerance to metrics of different scales; use --tolerance, "
        "which is a share of each metric's range"
    )
