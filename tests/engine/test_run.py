import pytest

from assay import registry
from assay.backends import Backends
from assay.core import NO_THRESHOLD, Feature, Result, Sample, Span, metric
from assay.data import Profile
from assay.data.json_options import JsonOptions
from assay.engine import failed_scores, make_plan, run, score_batch
from assay.engine.plan import Plan


def own(id, **declared):
    declared = {"inputs": ("response",), "range": (0, 1), "polarity": "higher", **declared}
    return metric(id=id, **declared)


def giving(given, id="own.giving", **declared):
    """A metric that gives always the same."""

    @own(id, **declared)
    def found(response):
        if isinstance(given, Exception):
            raise given
        return given

    return found


good = giving(Result(0.75, "Fine.", (Span("response", 0, 1),)), "own.good", threshold=0.5)
SAMPLE = Sample(id="s", response="text")


def score(*metrics, sample=SAMPLE, **profile):
    known = {metric.id: metric for metric in metrics}
    (scores,) = score_batch(make_plan(metrics, Profile(**profile), known), [sample])
    return scores


def test_a_result_carries_all_that_the_engine_knows():
    plan = make_plan([good])
    (scores,) = score_batch(plan, [SAMPLE])
    assert scores.id == "s"
    assert scores["own.good"] == Result(
        value=0.75,
        explanation="Fine.",
        evidence=(Span("response", 0, 1),),
        state="ok",
        passed=True,
        metric="own.good",
        quality=0.75,
        threshold=0.5,
        signature=plan.steps[0].signature,
        verdict="pass",
        gates=True,
    )


@pytest.mark.parametrize(
    ("given", "explanation"),
    [
        (ValueError("bad thing"), "ValueError: bad thing"),
        (ZeroDivisionError("division by zero"), "ZeroDivisionError: division by zero"),
        (RecursionError("too deep"), "RecursionError: too deep"),
        (ValueError("two\nlines"), "ValueError: two lines"),
        (KeyError("key"), "KeyError: 'key'"),
        (Result(float("nan")), "The value nan"),
        (Result(float("inf")), "The value inf"),
        (Result(-0.01), "The value -0.01 lies outside"),
        (Result(1.01), "The value 1.01 lies outside"),
        (Result(None), "The metric gave no value."),
        (Result(None, state="imputed"), "The metric gave no value."),
        (None, "TypeError: "),
        (Result("high"), "ValueError: "),
    ],
)
def test_a_metric_that_fails_is_an_error_and_the_others_go_on(given, explanation):
    scores = score(giving(given), good)
    failed = scores["own.giving"]
    assert (failed.state, failed.value, failed.quality, failed.passed) == (
        "error",
        None,
        None,
        None,
    )
    assert failed.explanation.startswith(explanation)
    assert failed.evidence == ()
    assert failed.metric == "own.giving"
    assert failed.signature
    assert scores["own.good"].state == "ok"
    assert scores.score == 0.75
    assert scores.passed is True


def test_a_long_message_is_cut():
    assert len(score(giving(ValueError("x" * 10_000)))["own.giving"].explanation) <= 500


def test_a_metric_that_fails_on_one_sample_scores_the_others():
    @own("own.picky")
    def picky(response):
        return Result(1.0 / len(response))

    found = score_batch(make_plan([picky]), [Sample(response=text) for text in ("ab", "", "a")])
    assert [scores["own.picky"].state for scores in found] == ["ok", "error", "ok"]


def broken(text):
    if text == "bad":
        raise ValueError("no good")
    return len(text)


def planned(*metrics):
    """A plan whose features are one that fails on "bad", and one that reads it."""
    broken_feature = Feature("response_broken", broken, ("response",))
    upon = Feature("response_upon", lambda value: value + 1, ("response_broken",))
    steps = make_plan(metrics, given=("response_broken", "response_upon")).steps
    return Plan(steps, (broken_feature, upon), ("response",), {})


def test_a_feature_that_fails_is_an_error_in_its_readers_only():
    @own("own.reader")
    def reader(response_broken):
        return Result(1.0)

    @own("own.second")
    def second(response_upon):
        return Result(1.0)

    samples = [Sample(response="bad"), Sample(response="fine"), Sample()]
    failed, fine, absent = score_batch(planned(reader, second, good), samples)
    for id in ("own.reader", "own.second"):
        assert failed[id].state == "error"
        assert failed[id].explanation == "response_broken: ValueError: no good"
        assert fine[id].state == "ok"
        assert absent[id].state == "missing"
    assert failed["own.good"].state == "ok"


@pytest.mark.parametrize(
    ("sample", "state", "explanation"),
    [
        (Sample(response="x"), "missing", "The sample has no 'query'."),
        (Sample(query="x"), "missing", "The sample has no 'response'."),
        (Sample(), "missing", "The sample has no 'query'."),
        (Sample(query="x", response="y"), "missing", "The sample has no 'candidates'."),
        (Sample(query="", response="", candidates=("",)), "ok", ""),
    ],
)
def test_an_absent_input_is_named(sample, state, explanation):
    @own("own.needy", inputs=("query", "response", "candidates"), threshold=0.5)
    def needy(query, response, candidates):
        return Result(0.0)

    result = score(needy, sample=sample)["own.needy"]
    assert (result.state, result.explanation) == (state, explanation)
    assert result.passed is (False if state == "ok" else None)


def test_zero_is_a_value():
    result = score(giving(Result(0.0), threshold=0.5))["own.giving"]
    assert (result.state, result.value, result.quality, result.passed) == ("ok", 0.0, 0.0, False)


@pytest.mark.parametrize(
    ("polarity", "range", "value", "quality", "passed"),
    [
        ("higher", (0, 1), 0.25, 0.25, False),
        ("lower", (0, 1), 0.25, 0.75, True),
        ("lower", (0, 1), 0.5, 0.5, True),
        ("higher", (0, 1), 0.5, 0.5, True),
        ("higher", (-1, 1), 0.5, 0.75, True),
        ("lower", (0, 100), 25.0, 0.75, False),
        ("lower", (0, None), 25.0, None, False),
        ("higher", (None, None), -1e100, None, False),
        ("neutral", (0, 1), 0.5, None, True),
    ],
)
def test_quality_and_verdict_follow_range_and_polarity(polarity, range, value, quality, passed):
    found = giving(Result(value), polarity=polarity, range=range, threshold=0.5)
    result = score(found)["own.giving"]
    assert (result.quality, result.passed) == (quality, passed)


def test_a_metrics_own_verdict_stands():
    result = score(giving(Result(0.9, passed=False), threshold=0.5))["own.giving"]
    assert result.passed is False


def test_the_sample_score_is_the_weighted_mean_of_what_was_scored():
    parts = [
        giving(Result(1.0), "own.one"),
        giving(Result(0.5), "own.two", polarity="lower"),
        giving(Result(0.1), "own.three"),
        giving(Result.imputed(0.0, "No."), "own.imputed", threshold=0.5),
        giving(Result.missing("No."), "own.missing", threshold=0.5),
        giving(ValueError(), "own.failed", threshold=0.5),
        giving(Result(5.0), "own.open", range=(0, None), threshold=1.0),
    ]
    scores = score(*parts, weights={"own.one": 2.0, "own.three": 0.0})
    assert scores.score == pytest.approx((2 * 1.0 + 0.5) / 3, abs=1e-15)
    assert scores.passed is True


@pytest.mark.parametrize(
    ("values", "passed"),
    [((), None), ((0.9,), True), ((0.9, 0.4), False), ((0.4, 0.9), False), ((0.9, 0.9), True)],
)
def test_a_sample_passes_when_all_its_metrics_do(values, passed):
    gated = [giving(Result(v), f"own.m{i}", threshold=0.5) for i, v in enumerate(values)]
    assert score(giving(Result(0.1), "own.free"), *gated).passed is passed


def test_nothing_scored_gives_no_score():
    scores = score(good, sample=Sample())
    assert (scores.score, scores.passed) == (None, None)


def test_options_reach_the_metric():
    @own("own.optional")
    def optional(response, *, share=0.5, words=()):
        return Result(share, ", ".join(words))

    assert score(optional)["own.optional"].value == 0.5
    options = {"own.optional": {"share": 0.25, "words": ["a", "b"]}}
    result = score(optional, options=options)["own.optional"]
    assert (result.value, result.explanation) == (0.25, "a, b")


def test_each_feature_is_computed_once_for_all_metrics():
    calls = []
    counted = Feature("response_counted", lambda text: calls.append(text), ("response",))
    plan = make_plan([good, giving(Result(1.0))])
    plan = Plan(plan.steps, (counted,), plan.fields, {})
    run.score_batch(plan, [SAMPLE, SAMPLE])
    assert calls == ["text", "text"]


def test_an_empty_batch_gives_nothing():
    assert score_batch(make_plan([good]), []) == []


@pytest.mark.parametrize(
    ("given", "profile", "threshold", "passed"),
    [
        (Result(0.6, threshold=0.7), {}, 0.7, False),
        (Result(0.6, threshold=NO_THRESHOLD), {}, None, None),
        (Result(0.6), {}, 0.5, True),
        (Result(0.6, threshold=0.7), {"own.giving": 0.55}, 0.55, True),
    ],
)
def test_a_result_may_bring_a_threshold_that_nobody_chose(given, profile, threshold, passed):
    found = score(giving(given, threshold=0.5), thresholds=profile)["own.giving"]
    assert (found.threshold, found.passed) == (threshold, passed)


def test_a_text_in_a_script_that_the_rule_does_not_read_is_missing():
    reader = giving(Result(1.0), languages=("en",))
    arabic = Sample(id="s", response="المكتبة مفتوحة من الأحد إلى الخميس")
    found = score(reader, sample=arabic)["own.giving"]
    assert (found.state, found.explanation) == (
        "missing",
        "The rule reads en; the response is in 'ar'.",
    )
    assert (
        score(reader, sample=Sample(id="s", response="The library is open."))["own.giving"].value
        == 1.0
    )


def test_a_composite_gets_the_parts_that_a_profile_names():
    seen = []

    @own("own.whole", inputs=())
    def whole(scores, *, metrics=("own.good",)):
        seen.append(sorted(scores))
        return Result(1.0)

    other = giving(Result(0.5), "own.other")
    score(whole, good, other)
    score(whole, good, other, options={"own.whole": {"metrics": ["own.other"]}})
    assert seen == [["own.good"], ["own.other"]]


def test_a_choice_of_the_profile_reaches_every_sample_of_a_batch():
    @own("own.choice", inputs=())
    def choice(json_options):
        return Result(float(json_options.depth == "nested"))

    plan = make_plan([choice], Profile(json_options=JsonOptions(depth="nested")))
    found = score_batch(plan, [SAMPLE, SAMPLE])
    assert [scores["own.choice"].value for scores in found] == [1.0, 1.0]


def test_one_sample_does_not_fail_a_batch_feature_for_the_others():
    @own("own.reader")
    def reader(response_length):
        return Result(response_length / 10)

    def lengths(responses):
        return [len(text) // (text != "bad") for text in responses]

    feature = Feature("response_length", lengths, ("response",), is_batch=True)
    steps = make_plan([reader], given=("response_length",)).steps
    plan = Plan(steps, (feature,), ("response",), {})
    samples = [Sample(text, response=text) for text in ("one", "bad", "three")]
    found = [scores["own.reader"] for scores in score_batch(plan, samples)]
    assert [result.value for result in found] == [0.3, None, 0.5]
    assert found[1].explanation.startswith("response_length: ZeroDivisionError")


def test_a_sample_that_could_not_be_scored_has_an_error_for_every_metric():
    plan = make_plan([good, giving(Result(1.0), "own.other")])
    sample = Sample(id="s", response="text", language="ar")
    found = failed_scores(plan, sample, "the worker ended")
    assert (found.id, found.score, found.passed, found.language) == ("s", None, None, "ar")
    for step in plan.steps:
        result = found[step.metric.id]
        assert (result.state, result.explanation) == ("error", "the worker ended")
        assert (result.metric, result.signature) == (step.metric.id, step.signature)


def test_an_optional_part_of_a_feature_may_be_absent():
    plan = make_plan(registry.select(["answer.relevance"]), backends=Backends(embedder=""))
    sample = Sample(id="s", query="When does it open?", response="It opens at nine.")
    (scores,) = score_batch(plan, [sample])
    assert scores["answer.relevance"].state == "ok"
