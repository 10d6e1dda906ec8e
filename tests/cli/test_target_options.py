"""`assay run --target` and `assay rescore`."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from assay.store import open_store
from assay.store.answers import all_answers
from assay.store.run_list import find_run, read_run

BOT = """
import os, signal, threading

def answer(query):
    with open("asked", "a", encoding="utf-8") as file:
        file.write(query + "\\n")
    return f"You asked {query} Write to bob@example.com."

def picky(query):
    if query == "Why 3?":
        raise ValueError("I do not know")
    return answer(query)

def other(query):
    return answer(query)

def strict(query):
    from assay.wire.call_errors import CallError, Fault
    if query == "Why 5?":
        raise CallError("the key is wrong", Fault.ACCESS, status=401)
    return answer(query)

set_handler = signal.signal

def signal_and_send(number, handler):
    before = set_handler(number, handler)
    if handler is signal.default_int_handler:  # the first has been heard
        os.kill(os.getpid(), number)
    return before

def stalled(query):
    if query == "Why 4?":
        number = getattr(signal, os.environ["SIGNAL"])
        if os.environ.get("TWICE"):
            signal.signal = signal_and_send
        os.kill(os.getpid(), number)
    if query >= "Why 4?":
        threading.Event().wait()
    return answer(query)

stability = iter("abcdefgh")

def changing(query):
    return f"Answer {next(stability)}."
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    (tmp_path / "bot.py").write_text(BOT, encoding="utf-8")
    lines = [json.dumps({"id": f"q{n}", "query": f"Why {n}?"}) for n in range(8)]
    (tmp_path / "questions.jsonl").write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.delenv("ASSAY_STORE", raising=False)


def asked() -> list[str]:
    """What the bot was asked, in order."""
    return sorted(Path("asked").read_text(encoding="utf-8").splitlines())


ASK = ("run", "questions.jsonl", "-m", "text.safety", "--target")


def test_a_system_is_asked_and_its_answers_are_scored_and_stored(run):
    code, out, err = run(*ASK, "python:bot.py:answer", "--run", "one", "--out", "r.jsonl", "--json")
    assert code == 0, err
    assert json.loads(out)["samples"] == 8
    assert asked() == [f"Why {n}?" for n in range(8)]
    ids = [json.loads(line)["id"] for line in Path("r.jsonl").read_text("utf-8").splitlines()]
    assert ids == [f"q{n}" for n in range(8)]
    store = open_store()
    found = find_run(store, "one")
    assert found.plan["settings"]["target"] == "python:bot.py:answer"
    assert len(list(all_answers(store, found.id))) == 8
    store.close()


def test_an_asked_run_without_a_name_gets_one(run):
    code, _, err = run(*ASK, "python:bot.py:answer")
    assert code == 0
    assert "Stored: run 20" in err


def test_without_a_store_answers_are_not_kept_and_that_is_said(run):
    code, _, err = run(*ASK, "python:bot.py:answer", "--store", "none")
    assert code == 0
    assert "answers are not kept" in err
    assert not Path(".assay").exists()


def test_a_question_without_an_answer_is_told(run):
    code, _, err = run(*ASK, "python:bot.py:picky", "--run", "one")
    assert code == 3
    assert "question 'q3': no answer (unusable): python:bot.py:picky raised ValueError" in err
    code, _, _ = run("rescore", "one", "-m", "text.safety", "--run", "two")
    assert code == 3


def test_a_wrong_key_ends_the_asking_and_the_run_can_go_on(run):
    code, out, err = run(*ASK, "python:bot.py:strict", "--run", "one", "--concurrency", 1, "--json")
    assert code == 3
    assert "Stopped calling the target early: the key is wrong." in err
    assert "--run one --resume" in err
    assert (json.loads(out)["samples"], json.loads(out)["unread"]) == (5, 3)
    Path("bot.py").write_text(BOT.replace("401", "None").replace("Why 5?", "x"), encoding="utf-8")
    code, out, err = run(*ASK, "python:bot.py:strict", "--run", "one", "--resume", "--json")
    assert code == 0, err
    assert json.loads(out)["samples"] == 8
    assert asked() == [f"Why {n}?" for n in range(8)]


def test_a_run_is_resumed_with_the_same_system_only(run):
    run(*ASK, "python:bot.py:answer", "--run", "one", "--max-calls", 3)
    code, _, err = run(*ASK, "python:bot.py:other", "--run", "one", "--resume")
    assert code == 2
    assert "'target' was 'python:bot.py:answer' and is now 'python:bot.py:other'" in err
    code, _, err = run(*ASK, "python:bot.py:answer", "--run", "one", "--resume", "--repeat", 2)
    assert code == 2
    assert "'repeat' was 1 and is now 2" in err


def test_answers_are_scored_again_without_asking(run):
    run(*ASK, "python:bot.py:answer", "--run", "one")
    before = asked()
    code, out, err = run("rescore", "one", "-m", "text", "--run", "two", "--json")
    assert code == 0, err
    assert json.loads(out)["samples"] == 8
    assert asked() == before
    store = open_store()
    first, second = (list(read_run(store, find_run(store, name))) for name in ("one", "two"))
    assert [sample for sample, _ in first] == [sample for sample, _ in second]
    assert len(second[0][1].results) > 3
    store.close()


def test_what_an_interrupted_run_has_answered_can_be_scored(run):
    run(*ASK, "python:bot.py:answer", "--run", "one", "--max-calls", 3)
    code, out, _ = run("rescore", "one", "-m", "text.safety", "--json")
    assert code == 0
    assert json.loads(out)["samples"] == 3


def test_a_run_that_asked_nobody_is_scored_again_too(run):
    Path("answers.jsonl").write_text('{"response": "Yes."}', encoding="utf-8")
    run("run", "answers.jsonl", "-m", "text.safety", "--run", "plain")
    code, out, _ = run("rescore", "plain", "-m", "text.coherence", "--json")
    assert code == 0
    assert list(json.loads(out)["metrics"]) == ["text.coherence"]


def test_repeated_asking_feeds_the_metrics_of_stability(run):
    command = ("run", "questions.jsonl", "--limit", 1, "--target", "python:bot.py:changing")
    code, _, err = run(*command, "--repeat", 3, "-m", "chat.determinism_repeats", "--run", "one")
    assert code == 0, err
    store = open_store()
    ((sample, scores),) = read_run(store, find_run(store, "one"))
    assert sample.responses == ("Answer a.", "Answer b.", "Answer c.")
    assert scores.results["chat.determinism_repeats"].state == "ok"
    store.close()


def test_redaction_leaves_no_address_in_the_store(run):
    code, _, err = run(*ASK, "python:bot.py:answer", "--run", "one", "--redact")
    assert code == 0, err
    for file in Path(".assay").iterdir():
        assert b"example.com" not in file.read_bytes()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--target", "telepathy:x"), "unknown target"),
        (("--repeat", 3), "--repeat sets how a target is called; name the target with --target"),
        (("--target", "python:bot.py:absent"), "has no 'absent'"),
    ],
)
def test_mistakes_are_told(run, words, said):
    code, _, err = run("run", "questions.jsonl", *words)
    assert code == 2
    assert said in err


def ended(tmp_path, name, **environ):
    """How a run ends that gets a signal in the middle of the asking."""
    words = [sys.executable, "-m", "assay", *ASK, "python:bot.py:stalled", "--run", "one"]
    return subprocess.run(
        [*words, "--concurrency", "4"],
        cwd=tmp_path,
        env={**os.environ, "SIGNAL": name, **environ},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_signal_stops_the_asking_and_what_was_answered_is_scored(tmp_path, name):
    found = ended(tmp_path, name)
    assert found.returncode == 130, found.stderr
    assert "Stopped calling the target early: it was interrupted." in found.stderr
    assert "continue with" in found.stderr
    store = open_store(f"sqlite:///{tmp_path / '.assay/assay.db'}")
    one = find_run(store, "one")
    assert (one.status, one.tests) == ("running", 4)
    store.close()


def test_a_second_signal_ends_at_once(tmp_path):
    found = ended(tmp_path, "SIGINT", TWICE="1")
    assert found.returncode == 130
    assert "Interrupted." in found.stderr


def test_signals_are_as_before_once_the_asking_is_over(run):
    before = signal.getsignal(signal.SIGINT)
    run(*ASK, "python:bot.py:answer")
    assert signal.getsignal(signal.SIGINT) is before


def test_rescore_reads_the_store_of_the_configuration(run, tmp_path):
    (tmp_path / "own.toml").write_text(f'store = "sqlite:///{tmp_path}/own.db"', encoding="utf-8")
    own = ("--config", "own.toml", "-m", "text.safety", "-q")
    assert (
        run("run", "questions.jsonl", "--target", "python:bot:answer", "--run", "a", *own)[0] == 0
    )
    assert run("rescore", "a", "--run", "b", *own)[0] == 0


@pytest.mark.parametrize("command", [("rescore", "x"), ("runs",), ("show", "x")])
def test_without_the_extra_it_is_named(command):
    work = (
        "import sys; sys.modules['sqlalchemy'] = None; "
        f"sys.argv = ['assay', *{command}]; from assay.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", work], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("Error: the package 'sqlalchemy' is not installed")
