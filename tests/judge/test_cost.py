"""What a judge takes: counted, capped and estimated."""

from dataclasses import replace

import pytest
from tests.judge.chat import graded

import assay
from assay.backends import Backends, JudgeSettings
from assay.backends.judge import EndpointJudge
from assay.core import ProfileError, Sample, SampleError
from assay.data import Profile
from assay.engine import score_batch
from assay.runner.job import Job
from assay.runner.judge_cost import estimate, price_of_judge, spent

SAMPLES = [{"query": f"What is {n}?", "response": f"It is the number {n}."} for n in range(12)]


def backends(chat, **options):
    return Backends(embedder="fake", judge=chat.spec, cache=False, judging=JudgeSettings(**options))


def score(chat, sample, metric="judge.helpfulness", **options):
    plan = Job((metric,), Profile(), backends=backends(chat, **options)).plan()
    return score_batch(plan, [sample])[0][metric]


def test_usage_is_measured(chat):
    report = assay.evaluate(SAMPLES, ["judge.tone"], backends=backends(chat, price=(1.0, 2.0)))
    assert report.summary.judge == {
        "calls": 12,
        "cached": 0,
        "prompt_tokens": 1200,
        "completion_tokens": 240,
        "is_usage_estimated": False,
        "usd": pytest.approx((1200 + 2 * 240) / 1e6),
    }
    assert report.summary.to_json()["judge"]["calls"] == 12
    details = report.scores[0]["judge.tone"].details
    assert (details["prompt_tokens"], details["completion_tokens"]) == (100, 20)


def test_without_a_judge_the_summary_says_nothing_of_one():
    assert assay.evaluate(SAMPLES, ["text.safety"]).summary.judge is None


@pytest.mark.parametrize(
    "usage",
    [
        None,
        {},
        {"prompt_tokens": -1, "completion_tokens": 2},
        {"prompt_tokens": True, "completion_tokens": 2},
        {"prompt_tokens": 1.5, "completion_tokens": 2},
        {"prompt_tokens": 10**12, "completion_tokens": 2},
        {"prompt_tokens": "7", "completion_tokens": 2},
    ],
)
def test_counts_that_cannot_be_are_replaced_by_an_estimate(chat, usage):
    chat.usage = usage
    result = score(chat, Sample(query="What is it?", response="It is a door."))
    assert result.details["is_usage_estimated"]
    assert 100 < result.details["prompt_tokens"] < 5000


def test_calls_are_capped(chat):
    report = assay.evaluate(SAMPLES, ["judge.tone"], backends=backends(chat, max_calls=5))
    states = [scores["judge.tone"].state for scores in report.scores]
    assert len(chat.asked) == 5
    assert (states.count("ok"), states.count("error")) == (5, 7)
    (reason,) = {s["judge.tone"].explanation for s in report.scores if not s["judge.tone"].value}
    assert "the cap of 5 calls is reached" in reason
    assert {s["judge.tone"].details.get("fault") for s in report.scores} == {None, "budget"}


@pytest.mark.parametrize(
    "cap", [{"max_tokens": 300}, {"max_spend": 0.0003, "price": (1.0, 1.0)}], ids=["tokens", "usd"]
)
def test_tokens_and_money_are_capped_up_to_the_calls_on_their_way(chat, cap):
    chosen = backends(chat, **cap, concurrency=1)
    report = assay.evaluate(SAMPLES, ["judge.tone"], backends=chosen)
    assert len(chat.asked) == 3  # 120 tokens each
    assert sum(scores["judge.tone"].state == "error" for scores in report.scores) == 9


def test_caps_are_the_runs_own(chat):
    chosen = backends(chat, max_calls=1)
    for _ in range(2):
        report = assay.evaluate(SAMPLES[:1], ["judge.tone"], backends=chosen)
        assert report.scores[0]["judge.tone"].state == "ok"


def test_a_cap_on_money_needs_a_price(chat):
    result = score(chat, Sample(query="What is it?", response="A door."), max_spend=1.0)
    assert "price of 'small' is not known" in result.explanation
    assert chat.asked == []
    with pytest.raises(ProfileError, match="judge_price"):
        EndpointJudge("small", chat.url, judging=JudgeSettings(max_spend=1.0))


def test_the_price_of_a_known_model_is_known():
    assert price_of_judge("openai:http://localhost/v1#gpt-4o") is not None
    assert price_of_judge("openai:http://localhost/v1#nobody-knows-it") is None
    assert price_of_judge("fake") is None


def test_several_processes_share_caps_and_tell_what_they_took(chat):
    samples = [Sample(id=str(n), **fields) for n, fields in enumerate(SAMPLES)]
    report = assay.evaluate(
        samples, ["judge.tone"], workers=2, batch_size=3, backends=backends(chat, max_calls=8)
    )
    assert report.summary.judge["calls"] == len(chat.asked) <= 8
    alone = assay.evaluate(samples[:1], ["judge.tone"], backends=backends(chat, max_calls=8))
    assert report.scores[0]["judge.tone"].signature == alone.scores[0]["judge.tone"].signature


@pytest.mark.parametrize(("parts", "expected"), [(1, 8), (2, 4), (3, 2), (100, 1)])
def test_shares(parts, expected):
    assert JudgeSettings(max_calls=8).share(parts).max_calls == expected
    assert JudgeSettings().share(parts) == JudgeSettings()


def plan_of(chat, *metrics, **options):
    chosen = backends(chat, **options)
    return Job(metrics, Profile(), backends=chosen).plan(), chosen


def test_an_estimate_before_the_run(chat):
    plan, chosen = plan_of(chat, "judge.tone", "judge.helpfulness", price=(1.0, 2.0), repeats=2)
    samples = [Sample(**fields) for fields in SAMPLES]
    found = estimate(plan, chosen, samples[:6], total=12)
    assert found.calls == 12 * 2 * 2
    assert not found.has_more
    expected = (found.prompt_tokens + 2 * found.completion_tokens) / 1e6
    assert found.usd == pytest.approx(expected)
    score_batch(plan, samples)
    assert spent(plan).calls == found.calls
    text = sum(len(asked.system + asked.user) for asked in chat.asked)
    assert found.prompt_tokens == pytest.approx(text / 4, rel=0.02)


def test_records_that_cannot_be_read_cost_nothing(chat):
    plan, chosen = plan_of(chat, "judge.tone")
    samples = [Sample(**fields) for fields in SAMPLES]
    odd = [*samples[:3], *[SampleError("odd")] * 3]
    assert estimate(plan, chosen, odd, total=12).calls == 6


def test_an_estimate_leaves_out_what_is_not_asked(chat):
    plan, chosen = plan_of(chat, "judge.tone")
    samples = [Sample(query="What is it?", response=":"), Sample(query="What is it?")]
    assert estimate(plan, chosen, samples, total=2).calls == 0
    assert estimate(plan, chosen, samples, total=2, is_asking=True).calls == 2
    plan, chosen = plan_of(chat, "text.safety")
    assert estimate(plan, chosen, samples, total=2) is None
    plan, chosen = plan_of(chat, "json.accuracy")
    assert estimate(plan, chosen, samples, total=2).has_more


def test_repeated_verdicts(chat):
    scores = iter([2, 3, 4])
    chat.answer = lambda asked: graded(next(scores), f"It is a {asked.body['seed']}.")(asked)
    sample = Sample(query="What is it?", response="It is a door.")
    result = score(chat, sample, repeats=3, temperature=0.7, seed=10, concurrency=1)
    assert result.value == 3.0
    assert result.details["spread"] == 2.0
    assert "3 verdicts from 2 to 4" in result.explanation
    assert sorted(asked.body["seed"] for asked in chat.asked) == [10, 11, 12]
    assert {asked.body["temperature"] for asked in chat.asked} == {0.7}
    assert len({asked.nonce for asked in chat.asked}) == 3


@pytest.mark.parametrize(
    ("labels", "expected", "agreement"),
    [
        (["declines", "answers", "declines"], "declines", 2 / 3),
        (["answers", "answers", "answers"], "answers", 1.0),
        (["declines", "partly declines"], "partly declines", 0.5),
    ],
)
def test_the_commonest_choice_counts(chat, labels, expected, agreement):
    replies = iter(labels)
    chat.answer = lambda asked: graded(next(replies))(asked)
    sample = Sample(query="What is it?", response="It is a door.")
    result = score(chat, sample, "judge.refusal", repeats=len(labels), concurrency=1)
    assert result.details["label"] == expected
    assert result.details["agreement"] == pytest.approx(agreement)
    assert f"of {len(labels)} verdicts" in result.explanation


@pytest.mark.parametrize(("bad", "state"), [(1, "ok"), (2, "error")])
def test_more_than_half_of_repeated_verdicts_must_be_usable(chat, bad, state):
    chat.answer = lambda asked: "no" if asked.body["seed"] < bad else graded(4)(asked)
    sample = Sample(query="What is it?", response="It is a door.")
    result = score(chat, sample, repeats=3, repairs=0)
    assert result.state == state
    if state == "ok":
        assert len(result.details["unusable"]) == 1


def test_the_judge_of_claims_and_similarity_shares_its_caps(chat):
    chat.answer = lambda asked: {"score": 0.9, "nonce": asked.nonce}
    chosen = replace(backends(chat, max_calls=3), verifier="judge", comparer="judge")
    sample = Sample(
        query="When?",
        response="The office opens at nine o'clock in the morning.",
        expected="At nine the office opens.",
        contexts=(assay.core.Document("Office hours begin at nine in the morning."),),
    )
    metrics = ("chat.accuracy", "governance.groundedness")
    plan = Job(metrics, Profile(), backends=chosen).plan()
    scores = score_batch(plan, [sample])[0]
    assert scores["chat.accuracy"].value == pytest.approx(0.9)
    assert scores["governance.groundedness"].state == "ok"
    assert spent(plan).calls == len(chat.asked) == 2
    assert "verifier:openai:small@" in scores["governance.groundedness"].signature


@pytest.mark.parametrize("kind", ["verifier", "comparer"])
def test_a_judge_that_is_not_there_cannot_stand_in(kind):
    chosen = Backends(embedder="fake", **{kind: "judge"})
    metrics = {"verifier": "governance.groundedness", "comparer": "chat.accuracy"}
    with pytest.raises(ProfileError, match=f"the {kind} is 'judge' but there is none"):
        Job((metrics[kind],), Profile(), backends=chosen).plan()


def test_a_judge_that_fails_on_a_claim_is_an_error_and_words_do_not_stand_in(chat):
    chat.answer = lambda asked: "no"
    chosen = replace(backends(chat), verifier="judge")
    sample = Sample(
        response="The office opens at nine o'clock in the morning.",
        contexts=(assay.core.Document("Office hours begin at nine in the morning."),),
    )
    plan = Job(("governance.groundedness",), Profile(), backends=chosen).plan()
    result = score_batch(plan, [sample])[0]["governance.groundedness"]
    assert result.state == "error"
    assert "gave no usable verdict" in result.explanation


def test_json_fields_are_judged(chat):
    chat.answer = lambda asked: {"score": 0.8, "nonce": asked.nonce}
    sample = Sample(
        expected_json={"name": "Jane A. Doe", "city": "Paris"},
        response_json={"name": "Doe, Jane", "city": "Paris"},
    )
    plan = Job(("json.accuracy",), Profile(), backends=backends(chat)).plan()
    good = score_batch(plan, [sample])[0]["json.accuracy"]
    assert good.state == "ok"
    assert len(chat.asked) == 1
    assert spent(plan).calls == 1
    chat.answer = lambda asked: "perfect: 1.0"
    plan = Job(("json.accuracy",), Profile(), backends=backends(chat)).plan()
    bad = score_batch(plan, [sample])[0]["json.accuracy"]
    assert bad.value is None or bad.value < good.value
    assert "no usable verdict" in str(bad.details) + bad.explanation
