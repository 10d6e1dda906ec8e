"""Verdicts on disk: asked once, never mixed up, and never an error."""

import json
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.judge.chat import graded

import assay
from assay.backends import Backends, JudgeSettings
from assay.backends.judge import EndpointJudge
from assay.backends.judge_questions import (
    JudgeQuestion,
    NoVerdictError,
    Numbers,
    Ruling,
    UntrustedText,
    VerdictUsage,
)
from assay.backends.verdict_store import FILE, StoredVerdict, keep, read_kept, verdict_key

pytestmark = pytest.mark.usefixtures("own_cache")

SAMPLES = [{"query": f"What is {n}?", "response": f"It is the number {n}."} for n in range(5)]
QUESTION = JudgeQuestion(
    "Judge it.", (UntrustedText("The text", "It is a door."),), Numbers(1, 5, True)
)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


def judge(chat, key="", **options):
    return EndpointJudge("small", chat.url, key, JudgeSettings(**options))


def test_the_second_run_asks_nothing(chat):
    chosen = Backends(embedder="fake", judge=chat.spec)
    first = assay.evaluate(SAMPLES, ["judge.tone"], backends=chosen)
    second = assay.evaluate(SAMPLES, ["judge.tone"], backends=chosen)
    assert len(chat.asked) == 5
    assert first.scores == second.scores
    assert first.summary.judge["calls"] == 5
    assert (second.summary.judge["calls"], second.summary.judge["cached"]) == (0, 5)
    assert second.summary.judge["prompt_tokens"] == 0


def test_the_cache_can_be_left_out(chat, monkeypatch):
    chosen = Backends(embedder="fake", judge=chat.spec, cache=False)
    for _ in range(2):
        assay.evaluate(SAMPLES[:1], ["judge.tone"], backends=chosen)
    assert len(chat.asked) == 2
    monkeypatch.setenv("ASSAY_CACHE", "off")
    judge(chat).judge([QUESTION])
    judge(chat).judge([QUESTION])
    assert len(chat.asked) == 4


@pytest.mark.parametrize(
    "other",
    [
        {"key": "another key"},
        {"temperature": 0.5},
        {"answer_tokens": 99},
        {"format": "none"},
        {"extra": '{"top_p": 0.1}'},
        {"repeats": 2},
    ],
    ids=str,
)
def test_what_changes_the_answer_is_asked_again(chat, other):
    judge(chat).judge([QUESTION])
    judge(chat, **other).judge([QUESTION])
    assert len(chat.asked) == 1 + (2 if "repeats" in other else 1)
    judge(chat).judge([QUESTION])
    judge(chat, **other).judge([QUESTION])
    assert len(chat.asked) == 1 + (2 if "repeats" in other else 1)


def test_another_model_or_address_is_asked_again(chat):
    for url, model in ((chat.url, "small"), (chat.url, "large"), (f"{chat.url}/x", "small")):
        EndpointJudge(model, url).judge([QUESTION])
    assert len(chat.asked) == 3


def test_what_costs_only_is_not_asked_again(chat):
    judge(chat).judge([QUESTION])
    judge(chat, max_calls=3, concurrency=1, repairs=0, price=(1.0, 1.0)).judge([QUESTION])
    assert len(chat.asked) == 1


@pytest.mark.parametrize(
    "bad",
    [
        lambda asked: "no",
        lambda asked: (400, "no"),
        lambda asked: (
            200,
            json.dumps(
                {
                    "choices": [
                        {
                            "message": {"content": json.dumps(graded(5)(asked))},
                            "finish_reason": "content_filter",
                        }
                    ]
                }
            ),
        ),
    ],
    ids=["unusable", "refused", "filtered"],
)
def test_errors_and_filtered_answers_are_never_kept(chat, bad):
    chat.answer = bad
    (found,) = judge(chat, repairs=0).judge([QUESTION])
    assert isinstance(found, NoVerdictError)
    chat.answer = graded(2)
    (found,) = judge(chat, repairs=0).judge([QUESTION])
    assert found.verdicts[0].answer == 2.0


def test_a_repaired_answer_is_kept_too(chat):
    replies = iter(["no", graded(3)])

    def answer(asked):
        found = next(replies)
        return found(asked) if callable(found) else found

    chat.answer = answer
    first = judge(chat).judge([QUESTION])
    assert judge(chat).judge([QUESTION]) == first
    assert len(chat.asked) == 2


def test_a_kept_answer_is_checked_like_a_fresh_one(chat):
    own = judge(chat)
    own.judge([QUESTION])
    key = verdict_key(own._url, "", own._body(QUESTION, 0, 0))
    assert read_kept([key])[key].attempt == 0
    for content in ("no", '{"reason": "", "quote": "", "score": 5, "nonce": "0"}'):
        keep(key, StoredVerdict(content, 0, VerdictUsage()))
        (found,) = judge(chat).judge([QUESTION])
        assert isinstance(found, Ruling)
        assert found.verdicts[0].answer == 4.0
    assert len(chat.asked) == 3


def test_neither_key_nor_texts_stand_in_the_file(chat, tmp_path):
    chat.answer = graded(4, "Fine.")
    judge(chat, "sk-canary-123456").judge([QUESTION])
    found = b"".join(file.read_bytes() for file in (tmp_path / "cache").iterdir())
    assert b"Fine." in found
    assert b"sk-canary" not in found
    assert b"It is a door" not in found
    assert (tmp_path / "cache" / FILE).is_file()


@given(st.text(), st.text(), st.text(), st.text())
def test_address_and_asker_are_kept_apart(url, other_url, asker, other_asker):
    one = verdict_key(url, asker, {"model": "m"})
    other = verdict_key(other_url, other_asker, {"model": "m"})
    assert (one == other) == ((url, asker) == (other_url, other_asker))


@given(
    st.dictionaries(st.text(), JSON, max_size=4),
    st.text(),
    JSON,
)
def test_every_field_of_a_request_counts(request_body, name, value):
    one = verdict_key("u", "k", request_body)
    changed = {**request_body, name: value}
    is_same = name in request_body and json.dumps(request_body[name]) == json.dumps(value)
    assert (one == verdict_key("u", "k", changed)) == is_same
    assert one == verdict_key("u", "k", dict(reversed(request_body.items())))


def test_verdicts_are_not_written_where_the_clocks_of_other_calls_run(chat, monkeypatch):
    wrote_in = []
    monkeypatch.setattr(
        "assay.backends.judge.keep", lambda *_: wrote_in.append(threading.current_thread().name)
    )
    judge(chat).judge([QUESTION])
    assert len(wrote_in) == 1
    assert "assay-calls" not in wrote_in
