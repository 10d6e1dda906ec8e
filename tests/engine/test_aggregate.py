import random
from math import fsum

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.core import Result, Sample, Scores, metric
from assay.engine import Tally, make_plan
from assay.engine.aggregate import GROUPS
from assay.engine.batch_counts import BINS, WORST


@metric(id="own.share", inputs=(), range=(0, 1), polarity="higher", threshold=0.5)
def share(response):
    return Result(0.0)


@metric(id="own.time", inputs=(), range=(0, None), polarity="lower", unit="s")
def time(response):
    return Result(0.0)


PLAN = make_plan([share, time])
UNIT = st.floats(0, 1)
STATES = st.one_of(
    st.builds(lambda v: ok(v), UNIT),
    st.builds(lambda v: ok(v)._replace(explanation="imputed", state="imputed"), UNIT),
    st.builds(Result.missing, st.sampled_from(["The sample has no 'query'.", "Why."])),
    st.builds(Result.error, st.just("ValueError: x")),
)
ENTRIES = st.lists(st.tuples(STATES, st.floats(0, 10)), max_size=60)
checked = settings(max_examples=120, deadline=None, derandomize=True)


def ok(value):
    passed = value >= 0.5
    verdict = "pass" if passed else "fail"
    return Result(value, "", passed=passed, quality=value, verdict=verdict, gates=True)


def tally_of(entries, **options):
    tally = Tally(PLAN, **options)
    for index, (result, weight) in enumerate(entries):
        sample = Sample(str(index), metadata={"weight": weight})
        results = {"own.share": result, "own.time": Result(2.0, quality=None)}
        score = result.value if result.state == "ok" else None
        passed = result.passed if result.state == "ok" else None
        tally.add(sample, Scores(sample.id, results, score, passed))
    return tally


def summary_of(values, **options):
    return tally_of([(ok(value), 1.0) for value in values], **options).summary()


@checked
@given(ENTRIES, st.booleans())
def test_counts_add_up(entries, include_imputed):
    found = tally_of(entries, include_imputed=include_imputed).summary()
    share = found.metrics["own.share"]
    assert found.samples == share.samples == len(entries)
    assert share.scored + share.missing + share.imputed + share.errors == share.samples
    assert share.errors == sum(result.state == "error" for result, _ in entries)
    assert share.missing == sum(result.state == "missing" for result, _ in entries)
    assert 0 <= share.passed <= share.judged <= share.samples
    assert found.errors == share.errors


@checked
@given(ENTRIES, st.booleans())
def test_means_are_those_of_the_counted_values(entries, include_imputed):
    counted = ("ok", "imputed") if include_imputed else ("ok",)
    values = [(r.value, weight) for r, weight in entries if r.state in counted]
    found = tally_of(entries, include_imputed=include_imputed).summary().metrics["own.share"]
    if not values:
        assert (found.mean, found.weighted_mean, found.minimum, found.maximum) == (None,) * 4
        assert (found.pass_rate, found.pass_rate_interval, found.distribution) == (None, None, ())
        return
    assert found.mean == pytest.approx(fsum(v for v, _ in values) / len(values), rel=1e-12)
    total = fsum(weight for _, weight in values)
    if total:
        weighted = fsum(v * weight for v, weight in values) / total
        assert found.weighted_mean == pytest.approx(weighted, rel=1e-12, abs=1e-300)
    else:
        assert found.weighted_mean is None
    assert (found.minimum, found.maximum) == (min(values)[0], max(values)[0])
    assert found.pass_rate == sum(v >= 0.5 for v, _ in values) / len(values)
    assert sum(found.distribution) == len(values)


@checked
@given(ENTRIES, st.randoms(use_true_random=False))
def test_the_order_of_samples_does_not_change_counts(entries, rng):
    shuffled = rng.sample(entries, len(entries))
    one, other = (tally_of(order).summary() for order in (entries, shuffled))
    for name in ("scored", "missing", "imputed", "errors", "passed", "judged", "minimum"):
        assert getattr(one.metrics["own.share"], name) == getattr(other.metrics["own.share"], name)
    assert one.metrics["own.share"].distribution == other.metrics["own.share"].distribution
    assert one.pass_rate == other.pass_rate


@checked
@given(st.lists(UNIT, min_size=1, max_size=50))
def test_intervals_hold_the_mean(values):
    found = summary_of(values)
    share = found.metrics["own.share"]
    if len(values) > 1:
        low, high = share.mean_interval
        floor, ceiling = (min(values), max(values)) if len(set(values)) > 1 else (0.0, 1.0)
        assert floor - 1e-12 <= low <= share.mean + 1e-12
        assert share.mean - 1e-12 <= high <= ceiling + 1e-12
        assert found.overall_interval == share.mean_interval == share.weighted_mean_interval
    else:
        assert share.mean_interval is None
    low, high = share.pass_rate_interval
    assert 0 <= low <= share.pass_rate <= high <= 1


@pytest.mark.parametrize("count", [GROUPS, GROUPS + 1, 3 * GROUPS + 7])
def test_many_samples_in_groups_keep_the_mean(count):
    rng = random.Random(5)  # noqa: S311
    values = [rng.betavariate(5, 2) for _ in range(count)]
    found = summary_of(values).metrics["own.share"]
    mean = fsum(values) / count
    assert found.mean == pytest.approx(mean, rel=1e-12)
    low, high = found.mean_interval
    deviation = (fsum((v - mean) ** 2 for v in values) / count / count) ** 0.5
    assert low == pytest.approx(mean - 1.96 * deviation, abs=0.35 * deviation)
    assert high == pytest.approx(mean + 1.96 * deviation, abs=0.35 * deviation)


def test_the_same_run_gives_the_same_intervals():
    values = [index / 40 for index in range(40)]
    assert summary_of(values, seed=3) == summary_of(values, seed=3)
    assert summary_of(values) == summary_of(values, seed=0) != summary_of(values, seed=1)
    one, other = (summary_of(values, seed=seed).overall_interval for seed in (1, 2))
    assert one != other


def test_imputed_values_enter_only_when_asked_for():
    entries = [(ok(1.0), 1.0), (Result.imputed(0.0, "Substitute."), 1.0)]
    assert tally_of(entries).summary().metrics["own.share"].mean == 1.0
    included = tally_of(entries, include_imputed=True).summary().metrics["own.share"]
    assert included.mean == 0.5


def test_weights_come_from_the_samples():
    found = tally_of([(ok(1.0), 3.0), (ok(0.0), 1.0)]).summary().metrics["own.share"]
    assert (found.mean, found.weighted_mean) == (0.5, 0.75)


def test_weighted_intervals_follow_the_weights():
    values = [index / 10 for index in range(10)]
    entries = [(ok(value), 1.0 + 9.0 * (value > 0.5)) for value in values]
    found = tally_of(entries, seed=4).summary().metrics["own.share"]
    low, high = found.weighted_mean_interval
    assert low < found.weighted_mean < high
    assert low > found.mean_interval.low
    again = tally_of(entries, seed=4).summary().metrics["own.share"]
    other = tally_of(entries, seed=5).summary().metrics["own.share"]
    assert found.weighted_mean_interval == again.weighted_mean_interval
    assert found.weighted_mean_interval != other.weighted_mean_interval


def test_equal_weights_change_no_interval():
    entries = [(ok(value), 1.0) for value in (0.1, 0.4, 0.9)]
    found = tally_of(entries).summary().metrics["own.share"]
    assert found.weighted_mean_interval is found.mean_interval


@metric(id="own.told", inputs=("query",), range=(0, 1), polarity="higher")
def told(query):
    return Result(0.0)


@pytest.mark.parametrize(
    ("result", "query", "applies"),
    [
        (ok(1.0), "Why?", True),
        (Result.error("ValueError: x"), "Why?", True),
        (Result.missing("There is nothing to say."), "Why?", True),
        (Result.missing("The sample has no 'query'."), None, False),
    ],
)
def test_a_metric_applies_to_samples_with_its_inputs(result, query, applies):
    tally = Tally({"own.told": ("sig", 0.25, (0.0, 1.0), True, ("query",))})
    for id in ("1", "2"):
        tally.add(Sample(id, query=query), Scores(id, {"own.told": result}, None))
    found = tally.summary()
    assert found.applicable == found.metrics["own.told"].applicable == 2 * applies
    assert (found.metrics["own.told"].threshold, found.metrics["own.told"].signature) == (
        0.25,
        "sig",
    )


def test_a_metric_without_declared_inputs_applies_where_it_has_a_score():
    found = tally_of([(ok(1.0), 1.0), (Result.missing("Why."), 1.0)]).summary()
    assert found.metrics["own.share"].applicable == 1


@pytest.mark.parametrize(
    ("gating", "applicable"), [((True, True), 2), ((True, False), 1), ((False, False), 0)]
)
def test_only_metrics_that_gate_make_a_sample_applicable(gating, applicable):
    declared = {
        id: ("", None, (0.0, 1.0), gates, ("query",))
        for id, gates in zip(("own.a", "own.b"), gating, strict=True)
    }
    tally = Tally(declared)
    absent = Result.missing("The sample has no 'query'.")
    tally.add(Sample("1", query="Why?"), Scores("1", {"own.a": ok(1.0), "own.b": ok(1.0)}, 1.0))
    tally.add(Sample("2"), Scores("2", {"own.a": absent, "own.b": ok(1.0)}, None))
    found = tally.summary()
    assert found.applicable == applicable
    assert tuple(found.metrics[id].gates for id in declared) == gating


def test_a_metric_declared_without_more_gates():
    tally = Tally({"own.a": ("", None, (0.0, 1.0))})
    tally.add(Sample("1"), Scores("1", {"own.a": ok(1.0)}, 1.0))
    found = tally.summary()
    assert (found.applicable, found.metrics["own.a"].gates) == (1, True)


def test_unsure_and_failed_verdicts_are_counted():
    unsure = ok(0.5)._replace(passed=None, verdict="unsure")
    tally = Tally(PLAN)
    for index, result in enumerate([ok(1.0), ok(0.0), ok(0.1), unsure]):
        is_unsure = result.verdict == "unsure"
        results = {"own.share": result}
        scores = Scores(str(index), results, result.value, result.passed, is_unsure=is_unsure)
        tally.add(Sample(str(index)), scores)
    found = tally.summary()
    share = found.metrics["own.share"]
    assert (share.metric, share.passed, share.unsure, share.judged) == ("own.share", 1, 1, 4)
    assert (found.passed, found.failed, found.unsure, found.judged) == (1, 2, 1, 4)
    assert share.pass_rate_interval == found.pass_rate_interval
    assert found.pass_rate_interval.low < 0.25 < found.pass_rate_interval.high
    assert found.overall == pytest.approx(0.4)


def test_a_summary_names_the_selection_of_its_plan():
    plan = make_plan([share], selection="auto chose own.share (always)")
    assert Tally(plan).summary().selection == "auto chose own.share (always)"
    assert Tally({"own.a": ("", None, (0.0, 1.0))}).summary().selection == ""


def test_the_worst_samples_come_first_and_earlier_ones_before_later_equals():
    values = [1.0, 0.25, 0.75, 0.25, 0.0]
    found = summary_of(values)
    assert [sample.id for sample, _ in found.worst] == ["4", "1", "3", "2", "0"]
    assert [scores.score for _, scores in found.worst] == sorted(values)


def test_only_so_many_of_the_worst_are_kept():
    values = [(index * 37 % 101) / 101 for index in range(WORST * 3)]
    found = summary_of(values)
    assert [scores.score for _, scores in found.worst] == sorted(values)[:WORST]


def test_a_sample_takes_the_place_of_the_least_bad_one():
    values = [*(index / 100 for index in range(WORST)), (WORST - 1.5) / 100]
    found = summary_of(values)
    assert [scores.score for _, scores in found.worst] == sorted(values)[:WORST]


def test_a_sample_without_a_score_is_not_among_the_worst():
    assert tally_of([(Result.missing("No."), 1.0)]).summary().worst == []


def test_the_pass_rate_is_that_of_judged_samples():
    entries = [(ok(1.0), 1.0), (ok(0.1), 1.0), (ok(0.9), 1.0), (Result.missing("No."), 1.0)]
    found = tally_of(entries).summary()
    assert (found.passed, found.judged, found.pass_rate) == (2, 3, 2 / 3)


def test_the_distribution_counts_by_quality():
    found = summary_of([0.0, 0.049, 0.05, 0.999, 1.0]).metrics["own.share"]
    expected = [0] * BINS
    expected[0], expected[1], expected[-1] = 2, 1, 2
    assert list(found.distribution) == expected


def test_an_open_range_has_no_distribution():
    found = summary_of([0.5]).metrics["own.time"]
    assert (found.mean, found.distribution, found.threshold) == (2.0, (), None)
    assert (found.pass_rate, found.judged) == (None, 0)


def test_reasons_are_counted_the_commonest_first():
    why = ["b", "a", "b", "c", "d", "e", "f", "a", "b"]
    entries = [(Result.missing(reason), 1.0) for reason in why]
    found = tally_of(entries).summary().metrics["own.share"].reasons
    assert list(found.items()) == [("b", 3), ("a", 2), ("c", 1), ("d", 1), ("e", 1)]


def test_reasons_beyond_a_limit_are_no_longer_told_apart():
    why = [str(index) for index in range(GROUPS + 5)]
    entries = [(Result.missing(reason), 1.0) for reason in [*why, "0", str(GROUPS), str(GROUPS)]]
    found = tally_of(entries).summary().metrics["own.share"].reasons
    assert found == {"0": 2, "1": 1, "10": 1, "100": 1, "101": 1}


def test_equal_reasons_are_in_the_order_of_their_words():
    entries = [(Result.missing(reason), 1.0) for reason in "fedcba"]
    found = tally_of(entries).summary().metrics["own.share"].reasons
    assert list(found) == ["a", "b", "c", "d", "e"]


def test_an_empty_run_comes_to_nothing():
    found = Tally(PLAN).summary()
    assert (found.samples, found.overall, found.pass_rate, found.worst) == (0, None, None, [])
    assert found.metrics["own.share"].mean is None


def test_records_that_could_not_be_read_are_counted():
    tally = Tally(PLAN)
    for line in range(30):
        tally.add_unread(f"line {line}")
    found = tally.summary()
    assert found.unread == 30
    assert found.problems[:2] == ("line 0", "line 1")
    assert len(found.problems) == 21
    assert found.problems[-1] == "… and 10 more with other reasons"


def test_records_of_one_reason_are_one_line():
    tally = Tally(PLAN)
    for line in range(1, 2001):
        tally.add_unread(f"a, b.jsonl, line {line}: 'tags' is 3: expected text")
    tally.add_unread("a, b.jsonl, line 2001: invalid JSON")
    tally.add_unread("a, b.jsonl, line 2002: id 'x' was used before")
    tally.add_unread("a, b.jsonl, line 2003: id 'x' was used before")
    assert tally.summary().problems == (
        "a, b.jsonl, lines 1, 2, 3 and 1,997 more: 'tags' is 3: expected text",
        "a, b.jsonl, line 2001: invalid JSON",
        "a, b.jsonl, lines 2002 and 2003: id 'x' was used before",
    )


@pytest.mark.parametrize(
    ("given", "shown"), [((None, None), 0.5), ((0.4, 0.4), 0.4), ((0.4, 0.6), None)]
)
def test_the_threshold_is_that_of_the_results_if_they_have_one(given, shown):
    entries = [(ok(0.7)._replace(threshold=threshold), 1.0) for threshold in given]
    assert tally_of(entries).summary().metrics["own.share"].threshold == shown


def test_calibrated_probabilities_estimate_the_pass_rate_of_all():
    calibrated = [ok(value)._replace(details={"calibrated": True}) for value in (0.9, 0.6, 0.3)]
    unsure = ok(0.45)._replace(details={"calibrated": True}, passed=None, verdict="unsure")
    others = [ok(0.1), ok(0.1)._replace(details={"calibrated": False}), Result.missing("Why.")]
    entries = [(result, 1.0) for result in (*calibrated, unsure, *others)]
    found = tally_of(entries).summary().metrics["own.share"]
    assert (found.passed, found.failed, found.unsure) == (2, 3, 1)
    assert found.estimated_pass_rate == pytest.approx((0.9 + 0.6 + 0.3 + 0.45) / 4)
    low, high = found.estimated_pass_rate_interval
    assert low < found.estimated_pass_rate < high
    assert found.estimated_samples == 4
    assert summary_of([0.2, 0.9]).metrics["own.share"].estimated_pass_rate is None
