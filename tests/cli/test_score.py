"""`assay score`: one answer."""

import io
import json
import sys


def test_the_verdict_and_its_reasons(run):
    code, out, _ = run(
        *("score", "--query", "Who wrote Hamlet?", "--response", "Marlowe wrote it."),
        *("--expected", "William Shakespeare"),
    )
    assert code == 0
    assert out.startswith("To look at: answer.correctness fails.\n")
    assert "fail  answer.correctness" in out
    assert "“Marlowe”" in out
    assert "For information: answer." in out


def test_contexts_may_be_given_several_times(run):
    words = ("score", "--response", "The warranty lasts two years.", "--json")
    contexts = ("--context", "The warranty is two years.", "--context", "We are in Bonn.")
    code, out, _ = run(*words, *contexts, "-m", "rag.faithfulness")
    assert code == 0
    assert json.loads(out)["scores"]["rag.faithfulness"]["verdict"] == "pass"


def test_a_good_answer_is_called_good(run):
    _, out, _ = run("score", "--response", "Paris.", "--expected", "Paris", "-m", "answer")
    assert out.startswith("Good: passes answer.")
    assert "Not scored: answer." in out


def test_the_response_may_come_from_standard_input(run, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("باريس\n"))
    _, out, _ = run("score", "--response", "-", "--expected", "باريس", "-m", "answer.correctness")
    assert out.startswith("Good")


def test_scoring_nothing_is_an_error(run, monkeypatch):
    assert run("score", "--response", "a", "-m", "rag.faithfulness")[0] == 2
    assert run("score", "--response", " ")[0] == 2
    assert run("score")[0] == 2


def test_checks_may_be_given_several_times(run):
    words = ("score", "--response", "Berlin.", "-m", "check.passed")
    code, out, _ = run(*words, "--check", "contains: Paris", "--check", "max-length: 100")
    assert code == 0
    assert out.startswith("To look at: check.passed fails.\n")
    assert "check 1 (contains) fails: the response does not contain 'Paris'." in " ".join(
        out.split()
    )


def test_a_check_without_a_judge_is_unsure(run):
    _, out, _ = run("score", "--response", "Hi.", "--check", "llm-rubric: is kind", "-m", "check")
    assert out.startswith("Unsure: check.passed cannot tell.\n")
    assert "unsure  check.passed" in out
