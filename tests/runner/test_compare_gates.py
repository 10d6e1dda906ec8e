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
        (4, 1, 0, 1, True),
        (7, 7, 0, 6, False),
        (7, 7, 0, 7, True),
    ],
)
def test_lost_passes_fail_a_gate(pairs, lost, gained, allow_lost, holds):
    made = change(p=1.0, pairs=pairs, lost=lost, gained=gained)
    (outcome,) = gate_outcomes(comparison(made), {"m.up": None}, allow_lost=allow_lost)
    assert outcome.holds == holds


def test_lost_passes_within_a_tolerance_of_the_gate_itself_are_accepted():
    made = change(p=1.0, low=-0.2, high=0.1, tolerance=0.1, pairs=7, lost=7)
    assert gate_outcomes(comparison(made), {"m.up": 0.1})[0].holds
    assert not gate_outcomes(comparison(made), {"m.up": None})[0].holds


def test_a_gate_says_how_many_passes_were_lost():
    made = change(p=1.0, pairs=7, lost=7)
    (outcome,) = gate_outcomes(comparison(made), {"m.up": None})
    assert outcome.explanation == "it lost 7 passes and gained 0, of 7 pairs"


def test_all_metrics_with_a_better_end_can_be_gated():
    found = comparison(change(), change("m.two"), change("m.neutral", polarity="neutral"))
    assert [o.metric for o in gate_outcomes(found, {"all": None})] == ["m.up", "m.two"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("m.none", "names nothing that was compared"),
        ("m.neutral", "neither end of it is the better"),
        ("m.other", r"the rules of 'm.other' differ in v: 1 → 2"),
        ("all", r"'all' cannot be decided: the rules of 'm.other' differ"),
    ],
)
def test_a_gate_that_cannot_be_decided_is_refused(name, message):
    found = comparison(change("m.neutral", polarity="neutral"), refused={"m.other": ("v: 1 → 2",)})
    with pytest.raises(UsageError, match=message):
        gate_outcomes(found, {name: None})


def test_gates_are_read():
    assert parse_gates(["a.b", "c.d:0.5", "all"]) == {"a.b": None, "c.d": 0.5, "all": None}


@pytest.mark.parametrize("text", ["", "a.b:", "a.b:x", "a.b:-1", "a.b:inf", "a.b:nan", "all:0.1"])
def test_wrong_gates_are_refused(text):
    with pytest.raises(UsageError, match=r"expected a metric|of different scales"):
        parse_gates([text])
