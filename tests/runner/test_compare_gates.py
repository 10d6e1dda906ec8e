import pytest

from assay.core import Interval, UsageError
from assay.core.comparing import MetricChange, RunComparison
from assay.runner.compare_gates import gate_outcomes, parse_gates


def change(metric="m.up", low=-0.1, high=0.1, p=0.01, polarity="higher", tolerance=0.02):
    interval = None if low is None else Interval(low, high)
    middle = None if low is None else (low + high) / 2
    return MetricChange(
        metric, 50, 9, 0.5, 0.5, middle, interval, "sign-flip", p, p, 0.1, 0.1, tolerance, 100,
        0, 0, polarity, "worse",
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
