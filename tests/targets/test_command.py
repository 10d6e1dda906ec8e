"""Command lines as systems under test."""

from __future__ import annotations

import asyncio
import os
import select
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from tests.held_clock import run_held

from assay.core import Document
from assay.core.errors import ProfileError, UsageError
from assay.targets.command import CommandSpec, CommandTarget
from assay.targets.protocol import Answer, Turn
from assay.wire.call_errors import CallError, Fault
from assay.wire.limits import CallLimits

HOSTILE = "$(touch owned); `touch owned` && touch owned | touch owned > owned '\"\\ *"


def ask(script: str, *arguments: str, query: str = "When?", **given: Any) -> Answer:
    """What a Python script of a few words answers."""
    limits = CallLimits(**{k: given.pop(k) for k in ("total", "max_bytes") if k in given})
    spec = CommandSpec((sys.executable, "-c", script, *arguments), **given)
    turns = (Turn("user", "First?"), Turn("assistant", "Yes."), Turn("user", query))
    return asyncio.run(CommandTarget(spec, limits=limits).ask(turns))


def fault_of(script: str, *arguments: str, **given: Any) -> CallError:
    """How it fails."""
    with pytest.raises(CallError) as caught:
        ask(script, *arguments, **given)
    return caught.value


ECHO = "import sys; print(sys.stdin.read() + ' Now.')"
LAST = "import sys; print(sys.argv[-1])"


def test_the_question_comes_by_standard_input() -> None:
    answer = ask(ECHO)
    assert answer.text == "When? Now."
    assert answer.duration is not None


def test_the_question_is_one_argument_and_no_shell_reads_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert ask(LAST, "{query}", query=HOSTILE).text == HOSTILE
    assert ask(LAST, "--question={query}", query=HOSTILE).text == f"--question={HOSTILE}"
    assert list(tmp_path.iterdir()) == []


def test_a_placeholder_in_the_question_stays_as_it_is() -> None:
    assert ask(LAST, "{query}", query="{query} {0}").text == "{query} {0}"


def test_conversation_and_answer_may_be_json() -> None:
    script = (
        "import json, sys; turns = json.load(sys.stdin); print(json.dumps("
        "{'response': turns[0]['content'] + str(len(turns)), 'contexts': ['c']}))"
    )
    answer = ask(script, input="turns", output="json")
    assert answer.text == "First?3"
    assert answer.contexts == (Document("c"),)


@pytest.mark.parametrize(
    ("script", "given", "fault", "words"),
    [
        ("import sys; sys.exit('no\\x1b model')", {}, Fault.UNUSABLE, "ended with 1: no model"),
        ("import sys; sys.exit(75)", {}, Fault.SERVER, "ended with 75"),
        ("import os; os.abort()", {}, Fault.UNUSABLE, "ended with -6"),
        ("print('x' * 10_000)", {"max_bytes": 100}, Fault.TOO_LARGE, "more than 100 bytes"),
        ("while True: print('x' * 1000)", {"max_bytes": 10_000}, Fault.TOO_LARGE, "more than"),
        ("import os; os.write(1, b'\\xff\\xfe')", {}, Fault.UNUSABLE, "cannot be read"),
        ("print('no json')", {"output": "json"}, Fault.UNUSABLE, "cannot be read"),
        ("print('[1]')", {"output": "json"}, Fault.UNUSABLE, "list came"),
        ("import sys; sys.stdin.read(); input()", {}, Fault.UNUSABLE, "EOFError"),
    ],
)
def test_failures_are_told_apart(
    script: str, given: dict[str, Any], fault: Fault, words: str
) -> None:
    error = fault_of(script, **given)
    assert error.fault is fault
    assert words in str(error)


def test_a_program_that_is_not_there_ends_the_run() -> None:
    target = CommandTarget(CommandSpec(("./no-such-program",)))
    with pytest.raises(CallError, match="cannot be started") as caught:
        asyncio.run(target.ask([Turn("user", "q")]))
    assert caught.value.fault is Fault.ACCESS


def test_a_question_that_no_argument_can_hold_is_refused() -> None:
    assert fault_of(LAST, "{query}", query="a\0b").fault is Fault.REFUSED


def test_the_deadline_ends_the_program_with_all_its_children(tmp_path: Path) -> None:
    """Each of them holds a pipe open that ends with the last of them; time runs when both do."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    hold = f"import time; held = open({str(pipe)!r}, 'w'); held.write('.'); held.flush(); "
    script = (
        f"{hold}import subprocess, sys\n"
        f"child = subprocess.Popen([sys.executable, '-c', {hold + 'time.sleep(600)'!r}])\n"
        "child.wait()"
    )
    holders = b""

    def are_both_there() -> bool:
        nonlocal holders
        with suppress(BlockingIOError):  # the pipe is open, and nothing new is in it
            holders += os.read(reader, 2)
        return holders == b".."

    target = CommandTarget(
        CommandSpec((sys.executable, "-c", script)), limits=CallLimits(total=0.1)
    )
    with pytest.raises(CallError) as caught:
        run_held(target.ask([Turn("user", "When?")]), are_both_there)
    assert caught.value.fault is Fault.TIMEOUT
    assert select.select([reader], [], [], 60)[0], "somebody still holds the pipe"
    assert os.read(reader, 1) == b""
    os.close(reader)


def test_a_program_may_leave_the_question_unread() -> None:
    assert ask("print('Now.')", query="x" * 1_000_000).text == "Now."


def test_much_on_standard_error_blocks_nothing() -> None:
    script = "import sys; sys.stderr.write('x' * 1_000_000); print('Now.')"
    assert ask(script).text == "Now."


def test_a_command_is_read_as_one_would_type_it() -> None:
    spec = CommandSpec.from_line("bot --name 'A B' {query}; rm -rf /")
    assert spec.argv == ("bot", "--name", "A B", "{query};", "rm", "-rf", "/")


@pytest.mark.parametrize("line", ["", "   ", "bot 'unclosed"])
def test_a_line_without_a_command_is_refused(line: str) -> None:
    with pytest.raises(UsageError):
        CommandSpec.from_line(line)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({}, "has no 'argv'"),
        ({"argv": "bot"}, "'argv' of the command target is 'bot'; expected a list of texts"),
        ({"argv": []}, "'argv' of the command target is empty"),
        ({"argv": ["bot", 3]}, "expected a list of texts"),
        ({"argv": ["bot"], "shell": True}, "no setting 'shell'"),
        ({"argv": ["bot"], "output": "xml"}, "'output' is 'xml'"),
    ],
)
def test_wrong_descriptions_are_refused(table: dict[str, Any], words: str) -> None:
    with pytest.raises(ProfileError, match=words):
        CommandSpec.from_mapping(table)


def test_the_name_tells_commands_apart_and_no_secret() -> None:
    one, other = (CommandTarget(CommandSpec(("/bin/bot", f"--key={key}"))) for key in "ab")
    assert one.name != other.name
    assert one.name.startswith("command:bot@")
    assert "--key" not in one.name


def test_no_file_stays_open() -> None:
    ask(ECHO)
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(3):
        ask(ECHO)
        fault_of("import sys; sys.exit(1)")
    assert len(list(Path("/proc/self/fd").iterdir())) <= before + 1
