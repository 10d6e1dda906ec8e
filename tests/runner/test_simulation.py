"""Simulated users: what is said by whom, when it ends, and that nothing is asked twice."""

import asyncio
import json
import os
import signal
import subprocess
import sys

import pytest

from assay.core import DataError, UsageError
from assay.runner.scenarios import Scenario, fingerprint, read_scenarios
from assay.runner.simulation import ModelUser, ScriptedUser, Simulation, seen_by_user
from assay.runner.transcript_journal import TranscriptJournal
from assay.samples import to_sample
from assay.targets.chat import ChatTarget
from assay.targets.protocol import Answer, Turn
from assay.wire.call_errors import CallError, Fault
from assay.wire.limits import CallLimits
from assay.wire.retries import RetryPolicy

HEAD = {"scenarios": "x"}


class Killed(BaseException):
    """Stands for the end of the program."""


class Echo:
    """A system that answers with the number of the turn, and knows what it was asked."""

    name = "echo"

    def __init__(self, dies_at=None, error=None):
        self.asked = []
        self._dies_at = dies_at
        self._error = error

    async def ask(self, turns):
        if self._dies_at == len(self.asked):
            raise Killed
        if self._error:
            raise self._error
        self.asked.append(tuple((turn.role, turn.content) for turn in turns))
        return Answer(f"answer {len(turns)}", tool_calls=({"name": "look", "arguments": {}},))

    async def close(self):
        pass


def scenarios(tmp_path, *records):
    path = tmp_path / "scenarios.json"
    path.write_text(json.dumps(records), encoding="utf-8")
    return read_scenarios(path)


def simulate(tmp_path, people, target, user=None, *, resume=False, **options):
    journal = TranscriptJournal(tmp_path / "t.journal", HEAD, resume=resume)
    pacer = RetryPolicy(attempts=1)
    simulation = Simulation(people, target, user or ScriptedUser(), journal, pacer, **options)
    try:
        return asyncio.run(simulation.run()), simulation
    finally:
        journal.close()


SCRIPTED = {
    "id": "a",
    "goal": "Know it.",
    "script": ["one", "two ###STOP###", "three"],
    "tags": ["x"],
}


def test_a_scripted_user_says_its_lines_until_it_stops(tmp_path):
    target = Echo()
    (transcript,), _ = simulate(tmp_path, scenarios(tmp_path, SCRIPTED), target)
    spoken = [(turn["role"], turn["content"]) for turn in transcript["messages"]]
    assert spoken == [("user", "one"), ("assistant", "answer 1"), ("user", "two")]
    assert (transcript["ended"], transcript["tags"]) == ("the user stopped", ["x"])
    assert target.asked == [(("user", "one"),)]
    sample = to_sample(transcript, "x")
    assert (sample.query, sample.response) == ("Know it.", "answer 1")
    assert [call["name"] for call in sample.tool_calls] == ["look"]


LIMIT = "the limit of 1 turn of the user is reached"


@pytest.mark.parametrize(
    ("record", "options", "ended", "calls"),
    [
        ({"script": ["one", "two"]}, {}, "the user says no more", 2),
        ({"script": ["one", "two"], "max_turns": 1}, {}, LIMIT, 1),
        ({"script": ["one", "two"]}, {"max_turns": 1}, LIMIT, 1),
        ({"script": ["one", "bye", "two"], "stop": "bye"}, {}, "the user stopped", 1),
    ],
)
def test_a_conversation_ends(tmp_path, record, options, ended, calls):
    target = Echo()
    (transcript,), _ = simulate(tmp_path, scenarios(tmp_path, record), target, **options)
    assert (transcript["ended"], len(target.asked)) == (ended, calls)


class Player:
    """A model that plays the user."""

    name = "player"

    def __init__(self, seed):
        self.seed = seed
        self.seen = []

    async def ask(self, turns):
        self.seen.append(turns)
        done = sum(turn.role == "assistant" for turn in turns)
        return Answer(f"seed {self.seed}" if not done else "Thanks. ###STOP###")

    async def close(self):
        pass


def test_a_model_plays_the_user_with_a_seed_for_each_conversation(tmp_path):
    players = {}

    def of_seed(seed):
        return players.setdefault(seed, Player(seed))

    person = {"id": "a", "goal": "a refund", "persona": "an old man", "stop": "###STOP###"}
    user = ModelUser(of_seed, RetryPolicy())
    transcripts, _ = simulate(tmp_path, scenarios(tmp_path, person), Echo(), user, seed=7, repeat=2)
    assert [one["id"] for one in transcripts] == ["a-1", "a-2"]
    assert [one["seed"] for one in transcripts] == [7, 8]
    assert [one["messages"][0]["content"] for one in transcripts] == ["seed 7", "seed 8"]
    assert transcripts[0]["messages"][-1] == {"role": "user", "content": "Thanks."}
    second = players[7].seen[1]
    assert [turn.role for turn in second] == ["system", "user", "assistant", "user"]
    assert "an old man" in second[0].content and "a refund" in second[0].content


def test_braces_in_a_goal_are_no_places_to_fill():
    seen = seen_by_user(Scenario("a", "{persona} and {stop"), [Turn("user", "x")])
    assert "{stop" in seen[0].content
    assert seen[-1] == Turn("assistant", "x")


def test_nothing_is_asked_twice_whenever_it_is_killed(tmp_path):
    people = scenarios(
        tmp_path,
        {"id": "a", "script": ["a1", "a2", "a3"]},
        {"id": "b", "script": ["b1", "b2"]},
    )
    whole, _ = simulate(tmp_path, people, Echo())
    (tmp_path / "t.journal").unlink()
    for dies_at in range(5):
        first, second = Echo(dies_at), Echo()
        with pytest.raises(Killed):
            simulate(tmp_path, people, first)
        with (tmp_path / "t.journal").open("ab") as file:
            file.write(b'{"id": "a", "rep')  # a line that the kill has cut off
        again, _ = simulate(tmp_path, people, second, resume=True)
        asked = [*first.asked, *second.asked]
        assert len(asked) == len(set(asked)) == 5
        assert again == whole
        (tmp_path / "t.journal").unlink()


def test_a_conversation_that_is_over_is_not_begun_again(tmp_path):
    people = scenarios(tmp_path, SCRIPTED)
    before, _ = simulate(tmp_path, people, Echo())
    target = Echo()
    assert simulate(tmp_path, people, target, resume=True)[0] == before
    assert target.asked == []


def test_a_passing_failure_leaves_the_conversation_open(tmp_path):
    people = scenarios(tmp_path, {"id": "a", "script": ["one"]})
    error = CallError("it is down", Fault.TIMEOUT)
    (transcript,), simulation = simulate(tmp_path, people, Echo(error=error))
    assert transcript["ended"] == "not yet"
    assert simulation.problems == ["a: it is down"]
    (transcript,), simulation = simulate(tmp_path, people, Echo(), resume=True)
    assert (transcript["ended"], simulation.problems) == ("the user says no more", [])


def test_a_failure_that_would_come_again_ends_it_and_is_kept(tmp_path):
    people = scenarios(tmp_path, {"id": "a", "script": ["one"]})
    error = CallError("no answer in it", Fault.UNUSABLE)
    (transcript,), _ = simulate(tmp_path, people, Echo(error=error))
    assert transcript["ended"] == "the system failed: no answer in it"


def test_another_simulation_does_not_go_on_with_a_journal(tmp_path):
    people = scenarios(tmp_path, SCRIPTED)
    simulate(tmp_path, people, Echo())
    with pytest.raises(UsageError, match="earlier attempt"):
        TranscriptJournal(tmp_path / "t.journal", HEAD, resume=False)
    with pytest.raises(UsageError, match="another simulation"):
        TranscriptJournal(tmp_path / "t.journal", {"scenarios": "y"}, resume=True)
    journal = TranscriptJournal(tmp_path / "t.journal", HEAD, resume=True)
    if sys.platform != "win32":
        with pytest.raises(UsageError, match="another program writes"):
            TranscriptJournal(tmp_path / "t.journal", HEAD, resume=True)
    journal.close()
    other = scenarios(tmp_path, {**SCRIPTED, "goal": "Something else."})
    assert fingerprint(people) != fingerprint(other)


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([{}], "no 'goal'"),
        ([{"goal": 3}], "'goal' is 3; expected text"),
        ([{"goal": "x", "max_turns": 0}], "'max_turns' is 0"),
        ([{"script": "x"}], "'script' is 'x'; expected a list of texts"),
        ([{"id": "a", "goal": "x"}, {"id": "a", "goal": "y"}], "was used before"),
        (["x"], "no object"),
    ],
)
def test_a_scenario_that_cannot_be_used_is_named(tmp_path, records, message):
    with pytest.raises(DataError, match=message):
        scenarios(tmp_path, *records)


def test_a_scripted_user_needs_a_script_and_leaves_nothing_behind_without_one(tmp_path):
    def run(record):
        (tmp_path / "people.json").write_text(json.dumps([record]), encoding="utf-8")
        words = ["people.json", "--target", "python:os.path:basename", "--out", "talks.jsonl"]
        command = [sys.executable, "-m", "assay", "simulate", *words]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    refused = run({"id": "a", "goal": "x"})
    assert refused.returncode == 2
    assert "scenario 'a' has no 'script'" in refused.stderr
    assert "--user openai:URL#MODEL" in refused.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["people.json"]
    done = run({"id": "a", "goal": "x", "script": ["Hello."]})
    assert (done.returncode, done.stdout) == (0, "1 transcript is in talks.jsonl.\n"), done.stderr


BOT = """
import os, signal

def answer(conversation):
    said = len(conversation)
    if said == int(os.environ["DIES_AT"]):
        os.kill(os.getpid(), signal.SIGKILL)
    with open("asked.log", "a") as log:
        log.write(conversation[-1]["content"] + "\\n")
    return f"answer {said}"
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL on Windows")
def test_a_killed_program_goes_on_where_it_stopped(tmp_path):
    (tmp_path / "bot.py").write_text(BOT, encoding="utf-8")
    person = {"id": "a", "script": ["one", "two", "three"]}
    (tmp_path / "people.jsonl").write_text(json.dumps(person) + "\n", encoding="utf-8")
    words = [sys.executable, "-m", "assay", "simulate", "people.jsonl"]
    words += ["--target", "python:bot:answer", "--out", "talks.jsonl"]

    def run(dies_at, *more):
        environ = {**os.environ, "DIES_AT": str(dies_at)}
        return subprocess.run(
            [*words, *more], cwd=tmp_path, env=environ, capture_output=True, text=True, check=False
        )

    assert run(3).returncode == -signal.SIGKILL
    assert not (tmp_path / "talks.jsonl").exists()
    refused = run(99)
    assert (refused.returncode, "--resume" in refused.stderr) == (2, True)
    done = run(99, "--resume")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "asked.log").read_text(encoding="utf-8").split() == ["one", "two", "three"]
    record = json.loads((tmp_path / "talks.jsonl").read_text(encoding="utf-8"))
    assert [turn["content"] for turn in record["messages"][::2]] == ["one", "two", "three"]


def test_a_real_model_plays_the_user(small_model, tmp_path):
    limits = CallLimits(first_byte=120.0, idle=120.0, total=300.0)
    options = {"temperature": 0, "max_tokens": 16}
    model = ChatTarget(small_model.url, small_model.name, limits=limits, options=options)
    person = {"id": "a", "goal": "Find out when the library opens.", "stop": "QUITE-DONE"}
    user = ModelUser(model.with_seed, RetryPolicy(attempts=1))
    (transcript,), simulation = simulate(
        tmp_path, scenarios(tmp_path, person), Echo(), user, max_turns=2
    )
    assert simulation.problems == []
    spoken = [turn["content"] for turn in transcript["messages"] if turn["role"] == "user"]
    assert spoken and all(text.strip() for text in spoken)
