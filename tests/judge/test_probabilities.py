"""Scores over token probabilities, and the same score from verdicts where there are none."""

import json
from math import log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.judge.chat import Chat, graded
from tests.judge.other_protocols import Anthropic, Gemini

import assay
from assay.backends import Backends, JudgeSettings
from assay.backends.judge_questions import JudgeQuestion, Labels, Numbers
from assay.backends.verdict_probabilities import (
    ScoredToken,
    answer_probabilities,
    has_token_answers,
)
from assay.core import Sample
from assay.data.rubrics import read_rubric
from assay.engine import make_plan
from assay.metrics.judge.rubric import rubric_metric
from assay.runner.judge_cost import estimate

SAMPLE = {"query": "Which tram goes there?", "response": "The number 12 tram."}
SCALE = JudgeQuestion("Judge.", (), Numbers(1, 5, is_whole=True))
SCALED = "[scale]\nmin = 1\nmax = 5"
CHECKLIST = """
[[items]]
id = "steps"
question = "Does it name every step?"
[[items]]
id = "price"
question = "Does it name the price?"
"""
CHOICE = JudgeQuestion("Judge.", (), Labels(("answers", "declines", "partly")))


def pieces(content, at, alternatives):
    """A reply as tokens of three characters, but one at the answer."""
    before, after = content[:at], content[at + 1 :]
    tokens = [before[n : n + 3] for n in range(0, len(before), 3)]
    rest = [after[n : n + 3] for n in range(0, len(after), 3)]
    middle = ScoredToken(content[at], tuple((text, log(share)) for text, share in alternatives))
    return [*(ScoredToken(t, ()) for t in tokens), middle, *(ScoredToken(t, ()) for t in rest)]


def test_answers_share_out_the_probability():
    content = (
        '{"reason": "It says \\"score\\": 1, I say é.", "quote": "", "score": 4, "nonce": "x"}'
    )
    at = content.index("4,")
    given = [("4", 0.5), ("3", 0.3), (" 3", 0.1), ("7", 0.05), ("the", 0.05)]
    found = dict(answer_probabilities(content, SCALE, pieces(content, at, given)))
    assert found == pytest.approx({4.0: 0.5 / 0.9, 3.0: 0.4 / 0.9})


def test_labels_are_told_by_how_they_begin():
    content = '{"reason": "No.", "quote": "", "label": "declines", "nonce": "x"}'
    at = content.index("declines")
    given = [("d", 0.6), ("a", 0.3), ('"', 0.1)]
    found = dict(answer_probabilities(content, CHOICE, pieces(content, at, given)))
    assert found == pytest.approx({"declines": 0.6 / 0.9, "answers": 0.3 / 0.9})


def test_tokens_that_do_not_spell_the_reply_before_the_answer_are_no_matter():
    content = '{"reason": "é", "quote": "", "score": 2, "nonce": "x"}'
    tokens = pieces(content, content.index("2,"), [("2", 0.9), ("1", 0.1)])
    tokens[3] = ScoredToken("\\xc3", ())
    assert dict(answer_probabilities(content, SCALE, tokens)) == pytest.approx({2.0: 0.9, 1.0: 0.1})
    tokens[-1] = ScoredToken("?", ())
    assert answer_probabilities(content, SCALE, tokens) == ()


@pytest.mark.parametrize(
    "given", [[("4", 0.3), ("the", 0.7)], [("the", 1.0)], [("4", 0.9), ("3", 0.9)], []]
)
def test_what_says_nothing_reliable_is_not_used(given):
    content = '{"score": 4}'
    assert answer_probabilities(content, SCALE, pieces(content, 10, given)) == ()


def test_answers_of_several_tokens_are_left_to_verdicts():
    assert has_token_answers(SCALE)
    assert not has_token_answers(JudgeQuestion("", (), Numbers(0, 10, is_whole=True)))
    assert not has_token_answers(JudgeQuestion("", (), Numbers(0, 1)))
    assert not has_token_answers(JudgeQuestion("", (), Labels(("pass", "poor"))))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.text(max_size=40), st.lists(st.tuples(st.text(max_size=3), st.floats(-9, 1)), max_size=5))
def test_no_reply_whatever_gives_shares_that_do_not_add_up(content, alternatives):
    tokens = [ScoredToken(character, tuple(alternatives)) for character in content]
    found = answer_probabilities(content, SCALE, tokens)
    assert found == () or sum(share for _, share in found) == pytest.approx(1.0)


class ToldChat(Chat):
    """A chat endpoint that tells probabilities of the score: 4 with 0.75, 3 with 0.25."""

    def reply(self, found):
        status, text = super().reply(found)
        answer = json.loads(text)
        content = answer["choices"][0]["message"]["content"]
        at = content.index('"score": ') + 9
        tokens = pieces(content, at, [("4", 0.75), ("3", 0.25)])
        answer["choices"][0]["logprobs"] = {
            "content": [
                {
                    "token": token.text,
                    "logprob": -0.1,
                    "top_logprobs": [{"token": t, "logprob": p} for t, p in token.alternatives],
                }
                for token in tokens
            ]
        }
        for token in answer["choices"][0]["logprobs"]["content"]:
            own = {t["token"]: t["logprob"] for t in token["top_logprobs"]}
            token["logprob"] = own.get(token["token"], -0.1)
        return status, json.dumps(answer)


class ToldGemini(Gemini):
    """The same of Google's."""

    known = Gemini.known

    def reply(self, given, body):
        answer = super().reply(given, body)
        assert body["generationConfig"]["responseLogprobs"] is True
        content = answer["candidates"][0]["content"]["parts"][1]["text"]
        tokens = pieces(content, content.index('"score": ') + 9, [("4", 0.75), ("3", 0.25)])
        answer["candidates"][0]["logprobsResult"] = {
            "chosenCandidates": [
                {"token": t.text, "logProbability": dict(t.alternatives).get(t.text, -0.1)}
                for t in tokens
            ],
            "topCandidates": [
                {"candidates": [{"token": x, "logProbability": p} for x, p in t.alternatives]}
                for t in tokens
            ],
        }
        return answer


def score(server, metric="judge.tone", **judging):
    chosen = Backends(judge=server.spec, judging=JudgeSettings(score="expected", **judging))
    report = assay.evaluate([SAMPLE], [metric], backends=chosen, settings=None)
    return report.scores[0][metric]


@pytest.fixture
def opened(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("ASSAY_JUDGE_KEY", "sk-of-a-judge-0123")
    servers = []

    def open_server(kind, answer):
        servers.append(kind(answer))
        return servers[-1]

    yield open_server
    for server in servers:
        server.close()


@pytest.mark.parametrize("kind", [ToldChat, ToldGemini])
def test_the_expected_score_comes_from_one_call(opened, kind):
    server = opened(kind, graded(4))
    result = score(server)
    assert result.value == pytest.approx(3.75)
    assert result.details["score_from"] == "token probabilities"
    assert "3.75 on the scale from 1 to 5 on average over its token probabilities" in (
        result.explanation
    )
    kept = score(server)
    assert (kept.value, len(server.asked)) == (pytest.approx(3.75), 1)
    assert (
        kept.details["verdicts"][0]["probabilities"]
        == result.details["verdicts"][0]["probabilities"]
    )
    if kind is ToldChat:
        assert server.asked[0].body["top_logprobs"] == 20


def test_without_probabilities_the_mean_of_verdicts_stands_in(opened):
    grades = iter([4, 4, 4, 3])
    server = opened(Chat, lambda asked: graded(next(grades))(asked))
    result = score(server, repeats=4, temperature=1.0, concurrency=1)
    assert (result.value, result.details["score_from"]) == (3.75, "verdicts")


@pytest.mark.parametrize("kind", [Chat, Anthropic])
def test_without_probabilities_verdicts_are_sampled(opened, kind):
    """Ten further verdicts at temperature 1; the first one, at 0, does not count."""
    grades = iter([5, 4, 4, 4, 3, 4, 4, 4, 3, 4, 4])
    server = opened(kind, lambda asked: graded(next(grades))(asked))
    result = score(server, concurrency=1)
    assert (result.value, result.details["score_from"]) == (3.8, "verdicts")
    first, *others = [one.body for one in server.asked]
    assert (len(others), first["temperature"], "logprobs" in first) == (10, 0.0, kind is Chat)
    assert {(body["temperature"], "logprobs" in body) for body in others} == {(1.0, False)}
    assert score(server).value == 3.8  # from the cache
    assert len(server.asked) == 11


def test_sampled_verdicts_come_to_the_score_of_token_probabilities(opened):
    """A judge that says 4 with 0.75 and 3 with 0.25 gets 3.75 either way."""

    def drawn(asked):
        return graded(4 if int(asked.nonce[:8], 16) < 0.75 * 2**32 else 3)(asked)

    chosen = Backends(
        judge=opened(Chat, drawn).spec, judging=JudgeSettings(score="expected", concurrency=4)
    )
    samples = [{**SAMPLE, "query": f"Question {n}?"} for n in range(40)]
    report = assay.evaluate(samples, ["judge.tone"], backends=chosen, settings=None)
    values = [scores["judge.tone"].value for scores in report.scores]
    assert sum(values) / len(values) == pytest.approx(3.75, abs=0.05)


def test_where_a_cap_stops_the_samples_the_one_verdict_stands(opened):
    server = opened(Anthropic, graded(4))
    result = score(server, max_calls=3, concurrency=1)
    assert (result.value, result.details["score_from"]) == (4.0, "one verdict")
    assert len(server.asked) == 3


@pytest.mark.parametrize(("steps", "calls"), [("", 11), (CHECKLIST, 2)])
def test_only_scores_are_sampled_and_the_estimate_says_so(opened, steps, calls):
    head = "title = 'x'\nquestion = 'x'\ninputs = ['response']\n"
    rubric = read_rubric("own", head + (steps or SCALED))
    server = opened(Anthropic, graded("yes" if steps else 4))
    chosen = Backends(judge=server.spec, judging=JudgeSettings(score="expected"))
    report = assay.evaluate([SAMPLE], ["judge.own"], rubrics=[rubric], backends=chosen)
    assert report.scores[0]["judge.own"].state == "ok"
    assert len(server.asked) == calls
    plan = make_plan([rubric_metric(rubric)], backends=chosen)
    assert estimate(plan, chosen, [Sample(**SAMPLE)], 1).calls == calls


def test_choices_have_the_mean_of_their_values(opened):
    labels = iter(["answers", "declines", "declines", "declines"])
    server = opened(Chat, lambda asked: graded(next(labels))(asked))
    result = score(server, "judge.refusal", repeats=4, temperature=1.0, concurrency=1)
    plain = {"answers": 0.0, "declines": 1.0}
    assert result.value == pytest.approx((plain["answers"] + 3 * plain["declines"]) / 4)
    assert result.details["label"] == "declines"


def test_by_default_nothing_is_asked_for_and_the_verdict_counts(opened):
    server = opened(ToldChat, graded(4))
    chosen = Backends(judge=server.spec)
    report = assay.evaluate([SAMPLE], ["judge.tone"], backends=chosen, settings=None)
    result = report.scores[0]["judge.tone"]
    assert result.value == 4.0
    assert "score_from" not in result.details
    assert "logprobs" not in server.asked[0].body


@pytest.mark.parametrize("format", ["json_schema", "none"])
def test_an_endpoint_that_refuses_probabilities_is_named_as_such(opened, format):
    server = opened(Chat, lambda asked: (400, "unknown field"))
    assert "not all endpoints take 'logprobs'" in score(server, format=format).explanation
