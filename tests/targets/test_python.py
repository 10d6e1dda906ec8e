"""Python functions as systems under test."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assay.core import Document, UsageError
from assay.targets.protocol import Answer, Turn
from assay.targets.python import MAX_LOST, PythonTarget, load_function
from assay.wire.call_errors import CallError, Fault
from assay.wire.limits import CallLimits

TURNS = (Turn("system", "Be kind."), Turn("user", "When?"))


def ask(function: Callable[..., Any], **limits: float) -> Answer:
    """What the target of a function answers."""
    return asyncio.run(PythonTarget(function, limits=CallLimits(**limits)).ask(TURNS))  # type: ignore[arg-type]


def fault_of(function: Callable[..., Any], **limits: float) -> CallError:
    """How the target of a function fails."""
    with pytest.raises(CallError) as caught:
        ask(function, **limits)
    return caught.value


async def echo(query: str) -> str:
    return f"{query} Now."


class Bot:
    """An object that can be called."""

    async def __call__(self, query: str) -> str:
        return "asynchronous"

    def reply(self, query: str) -> str:
        return "method"


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (lambda query: f"{query} Now.", "When? Now."),
        (echo, "When? Now."),
        (lambda turns: f"{len(turns)} {turns[0]['role']}", "2 system"),
        (lambda messages, query: f"{messages[-1]['content']} {query}", "When? When?"),
        (lambda anything: anything, "When?"),
        (lambda query: echo(query), "When? Now."),
        (Bot(), "asynchronous"),
        (Bot().reply, "method"),
        (str.upper, "WHEN?"),
    ],
)
def test_functions_of_all_kinds_are_asked(function: Callable[..., Any], text: str) -> None:
    answer = ask(function)
    assert answer.text == text
    assert answer.duration is not None


def test_an_object_may_say_more_than_text() -> None:
    answer = ask(
        lambda query: {
            "response": "Now.",
            "contexts": ["One.", {"content": "Two.", "source": "two.pdf"}],
            "tool_calls": [{"name": "clock"}],
            "first_token_time": 0.5,
            "prompt_tokens": 7,
            "completion_tokens": 2,
            "model": "m",
            "metadata": {"session_id": "s"},
            "confidence": 0.9,
        }
    )
    assert answer.contexts == (Document("One."), Document("Two.", source="two.pdf"))
    assert answer.tool_calls == ({"name": "clock"},)
    assert (answer.first_token_time, answer.prompt_tokens, answer.completion_tokens) == (0.5, 7, 2)
    assert answer.model == "m"
    assert answer.metadata == {"session_id": "s", "confidence": 0.9}


def test_an_answer_is_taken_as_it_is() -> None:
    assert ask(lambda query: Answer("Now.", duration=9.0)) == Answer("Now.", duration=9.0)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (None, "NoneType came"),
        (3, "int came"),
        ({}, "the object has no text"),
        ({"response": 3}, "'response' is int; expected text"),
        ({"response": "x", "tool_calls": "y"}, "'tool_calls' is str"),
        ({"response": "x", "contexts": [1]}, "context 1 is int"),
        ({"response": "x", "completion_tokens": -1}, "'completion_tokens' is -1"),
        ({"response": "x", "first_token_time": float("nan")}, "'first_token_time' is nan"),
        (Answer(3), "'text' is int; expected text"),  # type: ignore[arg-type]
        (Answer("x", tool_calls=3), "'tool_calls' is int"),  # type: ignore[arg-type]
        (Answer("x", ("y",)), "'contexts' has other entries"),  # type: ignore[arg-type]
        (Answer("x", prompt_tokens=-1), "'prompt_tokens' is -1"),
    ],
)
def test_what_is_no_answer_is_not_used(given: object, words: str) -> None:
    error = fault_of(lambda query: given)
    assert error.fault is Fault.UNUSABLE
    assert words in str(error)


class RateLimitError(Exception):
    """As clients of model providers raise it."""


class ConnectError(Exception):
    """As HTTP clients raise it."""


LEAVERS = {
    "leaves": "def leaves(query):\n    os._exit(0)\n",
    "leaves_later": "async def leaves_later(query):\n    os._exit(0)\n",
}


@pytest.mark.parametrize("name", LEAVERS)
def test_a_function_that_leaves_at_once_does_not_pass_its_gates(tmp_path: Path, name: str) -> None:
    (tmp_path / "bot.py").write_text(f"import os\n{LEAVERS[name]}", encoding="utf-8")
    (tmp_path / "questions.jsonl").write_text('{"query": "When?"}\n', encoding="utf-8")
    words = ["run", "questions.jsonl", "--target", f"python:bot.py:{name}", "--store", "none"]
    gate = ["-m", "text.safety", "--fail-under", "text.safety>=0.5"]
    command = [sys.executable, "-m", "assay", *words, *gate]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert ended.returncode != 0
    assert "SystemExit(0)" in ended.stderr


@pytest.mark.parametrize(
    ("error", "fault"),
    [
        (ValueError("wrong\nsecond line"), Fault.UNUSABLE),
        (TimeoutError("late"), Fault.TIMEOUT),
        (ConnectionResetError("gone"), Fault.CONNECTION),
        (ConnectError("nobody"), Fault.CONNECTION),
        (RateLimitError("slow down"), Fault.RATE),
        (CallError("as it is", Fault.REFUSED), Fault.REFUSED),
        (StopIteration("odd"), Fault.UNUSABLE),
        (SystemExit(3), Fault.UNUSABLE),
    ],
)
def test_exceptions_are_told_apart(error: BaseException, fault: Fault) -> None:
    def fail(query: str) -> str:
        raise error

    found = fault_of(fail)
    assert found.fault is fault
    assert "second line" not in str(found)


def test_control_characters_of_an_exception_are_not_repeated() -> None:
    def fail(query: str) -> str:
        raise ValueError("\x1b[31mred" + "x" * 1000)

    assert "\x1b" not in str(fault_of(fail))
    assert len(str(fault_of(fail))) < 400


def test_a_function_that_never_returns_is_left_behind() -> None:
    release = threading.Event()

    def hang(query: str) -> str:
        release.wait()
        return "too late"

    error = fault_of(hang, total=0.05)
    assert error.fault is Fault.TIMEOUT
    assert [t.daemon for t in threading.enumerate() if t.name.startswith("python:")] == [True]
    release.set()


def test_a_coroutine_that_never_ends_is_cancelled() -> None:
    async def hang(query: str) -> str:
        await asyncio.Event().wait()
        return "never"

    assert fault_of(hang, total=0.05).fault is Fault.TIMEOUT


def test_a_function_that_always_hangs_is_not_called_for_ever() -> None:
    release = threading.Event()

    async def main() -> list[Fault]:
        target = PythonTarget(lambda query: release.wait(), limits=CallLimits(total=0.01))
        found = []
        for _ in range(MAX_LOST + 1):
            try:
                await target.ask(TURNS)
            except CallError as error:
                found.append(error.fault)
        return found

    assert asyncio.run(main()) == [Fault.TIMEOUT] * MAX_LOST + [Fault.ACCESS]
    release.set()


def test_functions_are_found_by_file_and_by_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", ["/nowhere"])
    (tmp_path / "chatbot_here.py").write_text(
        "class Bot:\n    @staticmethod\n    def reply(query): return 'yes'\n", encoding="utf-8"
    )
    for place in ("chatbot_here.py:Bot.reply", "chatbot_here:Bot.reply"):
        assert load_function(place)("q") == "yes"


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("chatbot", "names no function"),
        ("no_such_module_here:f", "no such module"),
        ("nowhere.py:f", "no such file"),
        ("os:no_such", "'os' has no 'no_such'"),
        ("os:sep", "is str; expected a function"),
    ],
)
def test_places_without_a_function_are_refused(place: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        load_function(place)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("def f(:", r"cannot be loaded: SyntaxError: invalid syntax \(own.py, line 1\)"),
        ("\n1 / 0", r"cannot be loaded: ZeroDivisionError: division by zero \(own.py, line 2\)"),
        (
            "import absent_module",
            "cannot be loaded: ModuleNotFoundError: No module named",
        ),
    ],
)
@pytest.mark.parametrize("place", ["own.py:f", "own:f"])
def test_a_module_that_fails_is_explained(
    place: str, content: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    Path("own.py").write_text(content, encoding="utf-8")
    with pytest.raises(UsageError, match=f"'own(.py)?' {words}"):
        load_function(place)


def test_an_exception_is_told_without_what_looks_like_a_key() -> None:
    def fail(query: str) -> str:
        raise ValueError("wrong key sk-0123456789abcdef, token=abcdefgh")

    told = str(fault_of(fail))
    assert "wrong key" in told
    assert "0123456789" not in told
    assert "abcdefgh" not in told
