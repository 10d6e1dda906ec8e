"""Verdicts of gates: groups, counts, too few samples, intervals that straddle the limit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core import Interval, Result, Sample, Scores, UsageError, metric
from assay.engine import GatePolicy, GateWatch, Tally, make_plan, parse_gate
from assay.engine.gate_watch import judge
from assay.engine.gates import GateMeasurement


@metric(id="own.share", inputs=(), range=(0, 1), polarity="higher", threshold=0.5)
def share(response):
    return Result(0.0)


def outcomes(samples, *texts, policy=None, unread=0):
    """The verdicts of gates over samples, each (value or state, fields of the sample)."""
    plan = make_plan([share])
    tally = Tally(plan)
    watch = GateWatch([parse_gate(text) for text in texts], plan, policy)
    for value, fields in samples:
        result = _result(value)
        scores = Scores("", {"own.share": result}, result.value, result.passed)
        tally.add(Sample(**fields), scores)
        watch.write(Sample(**fields), scores)
    for _ in range(unread):
        tally.add_unread("bad line")
    return watch.verdicts(tally.summary())


def _result(value):
    if value == "error":
        return Result.error("No.")
    if value is None:
        return Result.missing("No.")
    passed = value >= 0.5
    return Result(value, passed=passed, verdict="pass" if passed else "fail", gates=True)


def plain(*values):
    return [(value, {}) for value in values]


def test_a_group_is_judged_by_its_own_samples():
    samples = [
        *[(0.0, {"tags": ("ar", "new"), "language": "ar", "metadata": {"region": "gulf"}})] * 3,
        *[(1.0, {"tags": ("en",), "language": "en", "metadata": {"live": True, "tier": 2}})] * 5,
    ]
    found = outcomes(
        samples,
        *("own.share[tag=ar]<=0.7", "own.share[language=en]>=0.5", "own.share[region=gulf]<=0.7"),
        *("samples[live=true]>=5", "samples[tier=2]>=5", "samples[tier=3]>=1", "own.share>=0.5"),
        *("overall[tag=none]>=0", "pass_rate(own.share)[tag=new]<=0%"),
    )
    assert [v.state for v in found[:5]] == ["holds"] * 5
    assert [v.samples for v in found[:6]] == [3, 5, 3, 5, 5, 0]
    assert [v.state for v in found[5:8]] == ["fails", "flaky", "undecided"]
    assert found[8].value == 0.0
    assert found[8].samples == 3


@pytest.mark.parametrize(
    ("text", "state", "said"),
    [
        ("errors<=1", "holds", "it is 1 over 4 samples"),
        ("errors<=0", "fails", "it is 1 over 4 samples"),
        ("errors(own.share)<=25%", "holds", "it is 25 % over 4 samples"),
        ("missing(own.share)<25%", "fails", "it is 25 % over 4 samples"),
        ("scored(own.share)>=2", "holds", "it is 2 over 4 samples"),
        ("imputed(own.share)<=0", "holds", "it is 0 over 4 samples"),
        ("unread<=20%", "holds", "it is 20 % over 4 samples"),
        ("unread<=0", "fails", "it is 1 over 4 samples"),
        ("samples>=4", "holds", "there are 4"),
        ("samples>=5", "fails", "there are 4"),
        ("min(own.share)>=0.5", "holds", "it is 0.5000 over 2 samples"),
        ("max(own.share)<1", "fails", "it is 1.0000 over 2 samples"),
        ("weighted_mean(own.share)>=0.2", "holds", "it is 0.7500 [0.5473, 0.9527] over 2 samples"),
    ],
)
def test_numbers_and_shares_are_exact(text, state, said):
    policy = GatePolicy(min_coverage=0)
    (found,) = outcomes(plain(0.5, 1.0, None, "error"), text, unread=1, policy=policy)
    assert (found.state, found.explanation) == (state, said)
    assert found.passes is (state == "holds")


@pytest.mark.parametrize("values", [(), (None, None), ("error",)])
@pytest.mark.parametrize(
    "text", ["own.share>=0", "own.share<=1", "overall>=0", "pass_rate>=0", "min(own.share)>=0"]
)
def test_nothing_scored_is_undecided_and_fails(text, values):
    (found,) = outcomes(plain(*values), text)
    assert (found.state, found.passes, found.value) == ("undecided", False, None)
    (allowed,) = outcomes(plain(*values), text, policy=GatePolicy(allow_undecided=True))
    assert (allowed.state, allowed.passes) == ("undecided", True)


def test_substitutes_alone_decide_nothing():
    plan = make_plan([share])
    tally, watch = Tally(plan, include_imputed=True), GateWatch([parse_gate("own.share>=0")], plan)
    scores = Scores("", {"own.share": Result.imputed(1.0, "Stand-in.")})
    tally.add(Sample(), scores)
    watch.write(Sample(), scores)
    (found,) = watch.verdicts(tally.summary())
    assert (found.state, found.passes, found.value) == ("undecided", False, 1.0)


def test_too_few_samples_are_undecided():
    found = outcomes(
        plain(1.0, 1.0, 1.0, None),
        *("own.share>=0.4", "own.share>=0.4 n>=4", "own.share>=0.4, n >= 2"),
        policy=GatePolicy(min_samples=3),
    )
    assert [verdict.state for verdict in found] == ["holds", "undecided", "holds"]
    assert found[1].explanation == "only 3 samples; it needs 4"
    (few,) = outcomes(plain(1.0), "own.share>=0.5", policy=GatePolicy(min_samples=2))
    assert (few.state, few.passes) == ("undecided", False)


def test_a_few_perfect_samples_are_not_sure():
    (found,) = outcomes(plain(1.0, 1.0, 1.0), "own.share>=0.9")
    assert (found.state, found.passes) == ("flaky", True)
    (strict,) = outcomes(plain(1.0, 1.0, 1.0), "own.share>=0.9", policy=GatePolicy(flaky="fail"))
    assert not strict.passes


def test_the_mean_of_one_sample_is_not_sure():
    found = outcomes(plain(1.0), "own.share>=0.5", "overall>=0.5", policy=GatePolicy(flaky="fail"))
    assert [(verdict.state, verdict.passes) for verdict in found] == [("flaky", False)] * 2
    assert found[0].explanation == "it is 1.0000 over 1 sample, too few for an interval"
    (warned,) = outcomes(plain(1.0), "own.share>=0.5")
    assert (warned.state, warned.passes) == ("flaky", True)
    (lowest,) = outcomes(plain(1.0), "min(own.share)>=0.5")
    assert lowest.state == "holds"


def test_a_group_without_samples_is_named():
    (found,) = outcomes(plain(1.0), "own.share[tag=nope]>=0.5")
    assert found.explanation == "nothing was scored among the samples with tag=nope"


@pytest.mark.parametrize(
    ("value", "gate", "said"),
    [
        (0.89999, "own.share>=0.9", "it is 0.89999 "),
        (0.9, "own.share>=0.9", "it is 0.9000 "),
        (1e-7, "own.share<=0.00000001", "it is 0.0000001 "),
        (0.949999, "pass_rate>=95%", "it is 94.9999 % "),
    ],
)
def test_a_value_beside_the_limit_does_not_read_as_the_limit(value, gate, said):
    found = judge(parse_gate(gate), GateMeasurement(value, Interval(0, 1), 9), GatePolicy())
    assert found.explanation.startswith(said)


@pytest.mark.parametrize(
    ("limit", "flaky", "passes"),
    [
        *((0.5, "warn", True), (0.7, "warn", False)),
        *((0.5, "fail", False), (0.7, "pass", True)),
    ],
)
def test_the_policy_decides_flaky_gates(limit, flaky, passes):
    values = plain(*[1.0, 0.2] * 10)
    (found,) = outcomes(values, f"own.share>={limit}", policy=GatePolicy(flaky=flaky))
    assert (found.state, found.passes) == ("flaky", passes)
    assert found.explanation.endswith("over 20 samples; the limit is within the interval")


@pytest.mark.parametrize(
    "text", ["own.share>=90%", "min(own.share)>=1%", "samples>=3%", "mean(own.share)>=1%"]
)
def test_per_cent_is_refused_on_other_scales(text):
    with pytest.raises(UsageError, match="has a scale of its own; give a number, not %"):
        parse_gate(text)


@pytest.mark.parametrize(
    "text",
    [
        *("unread[tag=a]<=0", "pass_rate[tag=]>=1", "pass_rate[=a]>=1", "pass_rate[tag]>=1"),
        *("missing<=0", "overall(own.share)>=1", "min>=1", "own.share>=1 n>=x", "errors<=%"),
    ],
)
def test_half_written_gates_are_refused(text):
    with pytest.raises(UsageError, match="is not a gate"):
        parse_gate(text)


def test_a_gate_on_what_is_not_scored_is_refused():
    with pytest.raises(UsageError, match=r"names 'own.other', which is not scored; add it with -m"):
        GateWatch([parse_gate("pass_rate(own.other)>=1")], make_plan([share]))
    with pytest.raises(UsageError, match=r"did you mean 'own.share'\?"):
        GateWatch([parse_gate("own.shares>=1")], make_plan([share]))


@pytest.mark.parametrize("text", ["pass_rate>=95", "overall<=1.5", "errors<=150%", "overall>=-1%"])
def test_shares_that_no_run_can_have_are_refused(text):
    with pytest.raises(UsageError, match="is from 0 to 1, or from 0% to 100%"):
        parse_gate(text)


@pytest.mark.parametrize("text", ["own.share>=50", "max(own.share)<=1.01", "own.share>=-0.1"])
def test_limits_off_the_scale_of_a_metric_are_refused(text):
    with pytest.raises(UsageError, match=r"'own.share' has values from 0 to 1"):
        GateWatch([parse_gate(text)], make_plan([share]))


@pytest.mark.parametrize("text", ["n>=30", "overal>=0.5", "pass_rate(safety)>=0.5"])
def test_what_cannot_be_a_metric_is_no_gate(text):
    with pytest.raises(UsageError, match="is not a gate"):
        GateWatch([parse_gate(text)], make_plan([share]))


@given(st.integers(1, 100_000))
def test_a_share_on_the_limit_holds(thousandths):
    gate = parse_gate(f"pass_rate>={thousandths / 1000}%")
    assert gate.accepts(thousandths / 100_000)


limits = st.floats(-2, 2)
signs = st.sampled_from([">=", ">", "<=", "<"])
values = st.floats(0, 1)
policies = st.builds(
    GatePolicy, st.sampled_from(["warn", "pass", "fail"]), st.integers(0, 50), st.booleans()
)


@st.composite
def measured(draw):
    value, low, high = draw(values), draw(values), draw(values)
    ends = Interval(min(low, value), max(high, value)) if draw(st.booleans()) else None
    return GateMeasurement(value, ends, draw(st.integers(1, 100)))


def verdict(sign, limit, found, policy):
    return judge(parse_gate(f"own.share{sign}{limit!r}"), found, policy)


@given(signs, limits, measured(), policies)
def test_the_state_says_where_the_interval_lies(sign, limit, found, policy):
    gate = parse_gate(f"own.share{sign}{limit!r}")
    state = judge(gate, found, policy).state
    ends = {gate.accepts(end) for end in (*(found.interval or ()), found.value)}
    if found.samples < policy.min_samples:
        assert state == "undecided"
    elif len(ends) == 2 or found.interval is None:
        assert state == "flaky"
    else:
        assert state == ("holds" if ends == {True} else "fails")


@given(signs, limits, limits, measured(), policies)
def test_a_stricter_limit_never_turns_a_failure_into_a_pass(sign, one, other, found, policy):
    mild, strict = sorted((one, other), reverse=sign in ("<=", "<"))
    if verdict(sign, strict, found, policy).passes:
        assert verdict(sign, mild, found, policy).passes


@given(signs, limits, measured(), st.integers(0, 50), st.booleans())
def test_a_stricter_policy_never_passes_more(sign, limit, found, least, allow):
    by = {
        flaky: verdict(sign, limit, found, GatePolicy(flaky, least, allow)).passes
        for flaky in ("pass", "warn", "fail")
    }
    assert by["pass"] >= by["warn"] >= by["fail"]


@given(st.lists(st.sampled_from([0.0, 0.3, 1.0, None, "error"]), max_size=12), st.randoms())
def test_verdicts_do_not_depend_on_order(values, random):
    texts = ("own.share>=0.4", "pass_rate(own.share)>=50%", "errors<=1", "missing(own.share)<=30%")
    shuffled = random.sample(values, len(values))
    for one, other in zip(
        outcomes(plain(*values), *texts), outcomes(plain(*shuffled), *texts), strict=True
    ):
        assert other.samples == one.samples
        assert other.value == pytest.approx(one.value, abs=1e-12)


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("own.share>=0.5", "fails"),
        ("min(own.share)>=0.5", "fails"),
        ("pass_rate>=50%", "fails"),
        ("overall>=0.5", "fails"),
        ("errors<=4", "holds"),
        ("samples>=10", "holds"),
    ],
)
def test_a_gate_fails_when_too_few_samples_with_its_inputs_could_be_scored(text, state):
    (found,) = outcomes(plain(*[1.0] * 8, "error", "error", None), text)
    assert found.state == state
    if state == "fails":
        assert found.explanation == (
            "only 8 of 10 samples with its inputs could be scored (80 %); at least 90 % are needed"
        )
    (found,) = outcomes(plain(*[1.0] * 8, "error", "error", None), text, policy=LENIENT)
    assert found.state in ("holds", "flaky")


LENIENT = GatePolicy(min_coverage=0.8)


def test_samples_without_the_inputs_of_a_metric_do_not_count_against_it():
    (found,) = outcomes(plain(*[1.0] * 9, *[None] * 50), "own.share>=0.5")
    assert found.state == "holds"


def test_unsure_samples_are_judged_and_do_not_pass():
    tally = Tally(make_plan([share]))
    for verdict in ("pass", "unsure", "unsure", "fail"):
        result = Result(0.5, verdict=verdict, gates=True)
        passed = {"pass": True, "fail": False}.get(verdict)
        scores = Scores("", {"own.share": result}, 0.5, passed, is_unsure=verdict == "unsure")
        tally.add(Sample(), scores)
    found = tally.summary()
    assert (found.passed, found.failed, found.unsure, found.judged) == (1, 1, 2, 4)
    assert found.pass_rate == found.metrics["own.share"].pass_rate == 0.25
    assert found.metrics["own.share"].unsure == 2
    assert found.causes == {"own.share": 1}


def watched(gate, entries, **options):
    """The verdict of a gate over results, each with the overall score of its sample."""
    plan = make_plan([share])
    tally, watch = Tally(plan, **options), GateWatch([parse_gate(gate)], plan, **options)
    for result, score in entries:
        scores = Scores("", {"own.share": result}, score, result.passed)
        tally.add(Sample(tags=("a",)), scores)
        watch.write(Sample(tags=("a",)), scores)
    return watch.verdicts(tally.summary())[0]


@pytest.mark.parametrize("include_imputed", [True, False])
def test_imputed_values_count_in_groups_as_in_the_run(include_imputed):
    entries = [(_result(1.0), 1.0), (_result(1.0), 1.0), (Result.imputed(0.0, "Stand-in."), None)]
    values = [
        watched(gate, entries, include_imputed=include_imputed).value
        for gate in ("own.share>=0", "own.share[tag=a]>=0")
    ]
    assert values == [pytest.approx(2 / 3 if include_imputed else 1.0)] * 2


def test_overall_of_a_group_rests_on_its_samples_with_a_score():
    entries = [(_result(1.0), 1.0), (_result(0.5), 0.5), (Result.error("No."), None)]
    for gate in ("overall>=0", "overall[tag=a]>=0"):
        assert watched(gate, entries).samples == 2


def test_intervals_of_groups_come_from_the_seed_of_the_run():
    entries = [(_result(n / 20), n / 20) for n in range(20)]
    first, second = (watched("own.share[tag=a]>=0", entries, seed=seed) for seed in (0, 1))
    assert watched("own.share[tag=a]>=0", entries).interval == first.interval != second.interval
