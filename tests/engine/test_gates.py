import pytest

from assay.core import Result, Sample, Scores, UsageError, metric
from assay.engine import Tally, make_plan, parse_gate
from assay.engine.gates import check_gates


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
        *("median(text.safety)>=1", "a>=1 b>=1", "pass@0>=50%", "pass^0>=0.5"),
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


@metric(id="own.second", inputs=(), range=(0, None), polarity="lower")
def second(response):
    return Result(0.0)


def counted(unread=0):
    """Four samples under two metrics: one score is an error, one is missing."""
    tally = Tally(make_plan([share, second]))
    for first, other in (
        (_judged(1.0), Result(2.0)),
        (_judged(0.2), Result(6.0)),
        (Result.error("It broke."), Result.missing("The sample has no 'x'.")),
        (_judged(0.6), Result(4.0)),
    ):
        scores = Scores("", {"own.share": first, "own.second": other}, first.value, first.passed)
        tally.add(Sample(), scores)
    for number in range(unread):
        tally.add_unread(f"line {number}")
    return tally.summary()


@pytest.mark.parametrize(
    ("text", "value", "samples"),
    [
        ("samples>=1", 4.0, 4),
        ("unread<=1", 1.0, 4),
        ("unread<=1%", 0.2, 4),  # of five records
        ("errors<=1", 1.0, 4),
        ("errors<=1%", 0.125, 4),  # of eight scores
        ("errors(own.share)<=1%", 0.25, 4),
        ("missing(own.second)<=1", 1.0, 4),
        ("missing(own.second)<=1%", 0.25, 4),
        ("scored(own.share)>=1", 3.0, 4),
        ("min(own.second)>0", 2.0, 3),
        ("max(own.second)<=9", 6.0, 3),
        ("own.second<=9", 4.0, 3),
        ("weighted_mean(own.second)<=9", 4.0, 3),
        ("pass_rate(own.share)>=0.5", 2 / 3, 3),
        ("overall>=0.5", 0.6, 4),
    ],
)
def test_the_quantity_of_a_gate(text, value, samples):
    found = parse_gate(text).measure(counted(unread=1))
    assert found.value == pytest.approx(value)
    assert found.samples == samples


def test_overall_rests_on_the_samples_that_have_one():
    gate = parse_gate("overall>=0.5")
    assert gate.measure(counted(), scored=3).samples == 3
    nothing = Tally(make_plan([share])).summary()
    assert gate.measure(nothing)[:3] == (None, None, 0)


def test_shares_of_an_empty_run_have_no_value():
    nothing = Tally(make_plan([share])).summary()
    assert parse_gate("errors<=1%").measure(nothing)[:3] == (None, None, 0)


@pytest.mark.parametrize(
    ("text", "is_number", "is_exact"),
    [
        ("errors<=0", True, True),
        ("errors<=1%", False, True),
        ("min(own.share)>0", False, True),
        ("max(own.share)>0", False, True),
        ("own.share>0", False, False),
        ("overall>=0.5", False, False),
    ],
)
def test_counts_and_extremes_are_exact(text, is_number, is_exact):
    gate = parse_gate(text)
    assert (gate.is_number, gate.is_exact) == (is_number, is_exact)


@pytest.mark.parametrize(
    ("text", "limit", "is_share", "least"),
    [
        ("pass_rate>=95%", 0.95, True, 0),
        ("errors<=0.7%", 0.007, True, 0),
        ("pass_rate>=0.95", 0.95, False, 0),
        ("own.share>=0.9 n>=30", 0.9, False, 30),
    ],
)
def test_limits_and_fewest_samples(text, limit, is_share, least):
    gate = parse_gate(text)
    assert (gate.limit, gate.is_share, gate.min_samples) == (limit, is_share, least)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("own.share>=90%", "has a scale of its own"),
        ("samples>=90%", "has a scale of its own"),
        ("pass_rate>=95", "is from 0 to 1"),
        ("overall>=-0.1", "is from 0 to 1"),
        ("errors<=101%", "is from 0 to 1"),
        ("pass_rate[=x]>=0.5", "is not a gate"),
        ("pass_rate[tag=]>=0.5", "is not a gate"),
        ("unread[tag=x]<=1", "is not a gate"),
    ],
)
def test_shares_and_groups_that_cannot_be_are_refused(text, message):
    with pytest.raises(UsageError, match=message):
        parse_gate(text)


@pytest.mark.parametrize(
    ("group", "sample", "belongs"),
    [
        ("tag=ar", Sample(tags=("ar", "x")), True),
        ("tag=ar", Sample(tags=("x",)), False),
        ("language=ar", Sample(language="ar"), True),
        ("language=ar", Sample(language="en"), False),
        ("region=gulf", Sample(metadata={"region": "gulf"}), True),
        ("region=gulf", Sample(metadata={"region": "nile"}), False),
        ("region=gulf", Sample(), False),
        ("paid=true", Sample(metadata={"paid": True}), True),
        ("paid=True", Sample(metadata={"paid": True}), False),
        ("level=3", Sample(metadata={"level": 3}), True),
    ],
)
def test_the_samples_of_a_group(group, sample, belongs):
    gate = parse_gate(f"pass_rate[{group}]>=0.5")
    assert gate.group is not None
    assert gate.group.has(sample) is belongs


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("own.shere>=0.5", "did you mean 'own.share'"),
        ("text.safety>=0.5", "add it with -m text.safety"),
        ("shares>=0.5", "is not a gate"),
        ("own.share>=1.5", "has values from 0 to 1"),
        ("own.share>=-0.5", "has values from 0 to 1"),
        ("own.second>=-1", "has values from 0 to any"),
    ],
)
def test_gates_on_what_is_not_scored_or_cannot_be_are_refused(text, message):
    with pytest.raises(UsageError, match=message):
        check_gates([parse_gate(text)], [share, second])


@pytest.mark.parametrize(
    "text",
    ["own.share>=1", "own.share>=0", "own.second<=999", "errors<=0", "scored(own.share)>=100"],
)
def test_gates_that_can_be_are_accepted(text):
    check_gates([parse_gate(text)], [share, second])


@pytest.mark.parametrize(
    ("value", "metadata", "belongs"),
    [
        ("Gulf", "Gulf", True),
        ("gulf", "Gulf", False),
        ("true", True, True),
        ("True", True, False),
        ("2", 2, True),
    ],
)
def test_a_group_is_told_by_the_value_as_it_is_written(value, metadata, belongs):
    gate = parse_gate(f"samples[region={value}]>=1")
    assert gate.group.has(Sample(metadata={"region": metadata})) is belongs


@pytest.mark.parametrize("quantity", ["mean", "weighted_mean", "min", "max", "pass_rate"])
def test_a_quantity_is_measured_with_its_interval_and_counts(quantity):
    tally = Tally({"own.share": ("", 0.5, (0.0, 1.0), True, ("query",))})
    for value, weight in ((0.2, 1.0), (0.6, 3.0), (0.9, 1.0)):
        sample = Sample(query="Why?", metadata={"weight": weight})
        tally.add(sample, Scores("", {"own.share": _judged(value)}, value))
    tally.add(Sample(query="Why?"), Scores("", {"own.share": Result.missing("No.")}))
    summary = tally.summary()
    found = summary.metrics["own.share"]
    expected = {
        "mean": (found.mean, found.mean_interval),
        "weighted_mean": (found.weighted_mean, found.weighted_mean_interval),
        "min": (0.2, None),
        "max": (0.9, None),
        "pass_rate": (2 / 3, found.pass_rate_interval),
    }[quantity]
    measured = parse_gate(f"{quantity}(own.share)>=0").measure(summary)
    assert measured == (*expected, 3, 4)
    assert found.weighted_mean == pytest.approx(0.58)
