import pytest

from assay.core import Result, Sample, Scores, UsageError, metric
from assay.engine import Tally, make_plan, parse_gate


@metric(id="own.share", inputs=(), range=(0, 1), polarity="higher", threshold=0.5)
def share(response):
    return Result(0.0)


def _judged(value):
    passed = value >= 0.5
    return Result(value, passed=passed, verdict="pass" if passed else "fail", gates=True)


def summary_of(*values):
    tally = Tally(make_plan([share]))
    for value in values:
        result = Result.missing("No.") if value is None else _judged(value)
        tally.add(Sample(), Scores("", {"own.share": result}, value, result.passed))
    return tally.summary()


@pytest.mark.parametrize(
    ("text", "quantity", "named", "operator", "limit"),
    [
        ("text.safety>=0.9", "mean", "text.safety", ">=", 0.9),
        (" text.safety >= 0.9 ", "mean", "text.safety", ">=", 0.9),
        ("text.cost<=1e-3", "mean", "text.cost", "<=", 0.001),
        ("text.cost<.5", "mean", "text.cost", "<", 0.5),
        ("x.y>-1", "mean", "x.y", ">", -1.0),
        ("pass_rate(text.safety)>=0.95", "pass_rate", "text.safety", ">=", 0.95),
        ("overall>=0.8", "overall", "", ">=", 0.8),
        ("pass_rate>0.9", "pass_rate", "", ">", 0.9),
    ],
)
def test_gates_are_read(text, quantity, named, operator, limit):
    gate = parse_gate(text)
    assert (gate.quantity, gate.metric, gate.operator, gate.limit) == (
        quantity,
        named,
        operator,
        limit,
    )


@pytest.mark.parametrize(
    "text",
    [
        *("", "text.safety", "text.safety=0.9", "text.safety==0.9", "text.safety>="),
        *(">=0.9", "a>=b", "text.safety>=0.9.1", "text.safety>=nan", "a>=1e999"),
        *("median(text.safety)>=1", "a>=1 b>=1"),
    ],
)
def test_what_is_no_gate_is_refused(text):
    with pytest.raises(UsageError, match="is not a gate; expected for instance"):
        parse_gate(text)


@pytest.mark.parametrize(
    ("text", "values", "holds"),
    [
        ("own.share>=0.5", (0.5,), True),
        ("own.share>0.5", (0.5,), False),
        ("own.share<=0.5", (0.5,), True),
        ("own.share<0.5", (0.5,), False),
        ("own.share>=0.6", (0.2, 1.0), True),
        ("own.share>=0.61", (0.2, 1.0), False),
        ("own.share>=0.9", (None, 1.0), True),
        ("pass_rate(own.share)>=0.5", (0.2, 1.0), True),
        ("pass_rate(own.share)>0.5", (0.2, 1.0), False),
        ("overall>=0.6", (0.2, 1.0), True),
        ("pass_rate>=0.5", (0.2, 1.0), True),
        ("pass_rate>=0.6", (0.2, 1.0), False),
    ],
)
def test_gates_hold_or_not(text, values, holds):
    gate = parse_gate(text)
    assert gate.accepts(gate.measure(summary_of(*values)).value) is holds


@pytest.mark.parametrize("values", [(), (None, None)])
@pytest.mark.parametrize(
    "text",
    ["own.share>=0", "own.share<=1", "overall>=0", "pass_rate>=0", "pass_rate(own.share)>=0"],
)
def test_a_gate_fails_when_nothing_was_scored(text, values):
    gate = parse_gate(text)
    assert gate.measure(summary_of(*values)).value is None
    assert gate.accepts(None) is False
