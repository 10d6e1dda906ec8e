"""Which metrics `assay run --target` chooses when nobody names any."""

import json
from pathlib import Path

import pytest
from tests.faults.server import FaultServer
from tests.faults.shapes import whole

import assay
from assay.targets.chat import ChatTarget
from assay.targets.http import HttpSpec, HttpTarget
from assay.targets.protocol import returned_fields
from assay.targets.python import PythonTarget

pytest.importorskip("httpx2")
REPLY = {"text": "It opens at nine.", "sources": ["The office opens at nine."]}
SPEC = 'kind = "http"\nurl = "{}"\nanswer = "text"\nbody = {{ q = "{{{{query}}}}" }}\n'


@pytest.fixture
def address():
    async def play(connection):
        await whole(connection, REPLY)

    server = FaultServer({"ask": play})
    yield server.url("ask")
    server.stop()


def scores_of(run, spec, **question):
    """The scores of one question that is put to an HTTP endpoint."""
    Path("target.toml").write_text(spec, encoding="utf-8")
    record = json.dumps({"id": "q1", "query": "When does it open?", **question})
    Path("questions.jsonl").write_text(record + "\n", encoding="utf-8")
    code, _, errors = run(
        *("run", "questions.jsonl", "--target", "target.toml", "--store", "none"),
        *("--out", "scores.jsonl", "--quiet"),
    )
    assert code == 0, errors
    return json.loads(Path("scores.jsonl").read_text(encoding="utf-8"))["scores"]


def test_contexts_that_a_target_returns_are_judged(run, address):
    scores = scores_of(run, SPEC.format(address) + 'contexts = "sources[*]"\n')
    assert scores["rag.faithfulness"]["state"] == "ok"
    assert scores["rag.faithfulness"]["value"] > 0.5
    assert "rag.recall_at_k" not in scores  # the question names no expected sources


def test_a_target_that_returns_no_contexts_is_not_judged_by_them(run, address):
    scores = scores_of(run, SPEC.format(address))
    assert not [id for id in scores if id.startswith("rag.")]
    assert scores["answer.relevance"]["state"] == "ok"


def test_what_the_record_tells_of_an_earlier_answer_chooses_nothing(run, address):
    earlier = {"translations": {"ar": "يفتح في التاسعة."}, "response": "Earlier."}
    assert "answer.cross_language" not in scores_of(run, SPEC.format(address), **earlier)


def bot(query):
    return {"response": "It opens at nine.", "contexts": ["The office opens at nine."]}


def text_bot(query) -> str:
    return "It opens at nine."


def test_a_function_may_return_contexts_unless_it_declares_text():
    questions = [{"query": "When does it open?"}]
    chosen = assay.evaluate(questions, target=bot, settings=None).summary.metrics
    assert chosen["rag.faithfulness"].scored == 1
    assert (
        "rag.faithfulness"
        not in assay.evaluate(questions, target=text_bot, settings=None).summary.metrics
    )


def test_a_conversation_is_chosen_for_by_its_question():
    turns = [
        {"role": "user", "content": "Hello?"},
        {"role": "assistant", "content": "Hello."},
        {"role": "user", "content": "When does it open?"},
    ]
    question = {"conversation": turns, "expected": "At nine."}
    chosen = assay.evaluate([question], target=bot, settings=None).summary.metrics
    assert {"rag.faithfulness", "answer.correctness"} <= chosen.keys()


def test_a_target_says_which_fields_its_answers_may_fill():
    class Own:
        name = "own"

    url = "http://127.0.0.1:1/"
    assert returned_fields(Own()) == {"contexts", "tool_calls"}
    assert returned_fields(PythonTarget(bot)) == {"contexts", "tool_calls"}
    assert returned_fields(PythonTarget(text_bot)) == frozenset()
    assert returned_fields(ChatTarget(url, "m")) == {"tool_calls"}
    assert returned_fields(HttpTarget(HttpSpec(url, tool_calls="calls"))) == {"tool_calls"}
