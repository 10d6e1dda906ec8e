"""Conversations between a simulated user and a system, turn by turn, none of them asked twice.

A turn is in the journal before the next one is asked for. What is killed goes on where it stopped:
only calls that were on their way at that moment are made again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Protocol

from assay.core import UsageError
from assay.core.wording import counted
from assay.data.bundled_files import read_bundled_toml
from assay.runner.questions import answer_json
from assay.runner.scenarios import MAX_TURNS, Scenario
from assay.runner.transcript_journal import KeptConversation, Key, TranscriptJournal
from assay.targets.protocol import Role, Target, Turn
from assay.wire.call_errors import CallError
from assay.wire.retries import RetryPolicy

KEPT = ("duration", "tool_calls", "prompt_tokens", "completion_tokens", "model", "contexts")
"""Parts of an answer that a transcript keeps beside its text."""


class SimulatedUser(Protocol):
    """Whoever says what the user says next."""

    name: str

    async def next(self, scenario: Scenario, turns: Sequence[Turn], seed: int) -> str | None:
        """The user's next message; None where there is none."""

    async def close(self) -> None:
        """Let go of connections."""


class ScriptedUser:
    """Says the lines of the scenario's script, whatever the system answers."""

    name = "script"

    async def next(self, scenario: Scenario, turns: Sequence[Turn], seed: int) -> str | None:
        """The next line; None behind the last one."""
        spoken = sum(turn.role == "user" for turn in turns)
        return scenario.script[spoken] if spoken < len(scenario.script) else None

    async def close(self) -> None:
        """Nothing to let go of."""


def check_scripts(scenarios: Sequence[Scenario]) -> None:
    """Refuse scenarios that a scripted user has nothing to say in."""
    silent = next((scenario.id for scenario in scenarios if not scenario.script), None)
    if silent is not None:
        raise UsageError(
            f"scenario {silent!r} has no 'script'; give it one, or name a model that plays the "
            "user: --user openai:URL#MODEL"
        )


class ModelUser:
    """A model that plays the user: any target that answers.

    It is told persona and goal, and sees the conversation from the other side.
    """

    def __init__(self, of_seed: Callable[[int], Target], pacer: RetryPolicy) -> None:
        self._of_seed = cache(of_seed)
        self._pacer = pacer
        self.name = self._of_seed(0).name

    async def next(self, scenario: Scenario, turns: Sequence[Turn], seed: int) -> str | None:
        """What the model says in the user's place."""
        seen = seen_by_user(scenario, turns)
        target = self._of_seed(seed)
        answer = (await self._pacer.call(lambda: target.ask(seen), goes_on=bool(turns))).value
        return answer.text.strip() or None

    async def close(self) -> None:
        """Let go of the model."""
        await self._of_seed(0).close()


def seen_by_user(scenario: Scenario, turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """The conversation with its sides exchanged, after the instructions to the user."""
    prompt = read_bundled_toml("prompts/simulated_user.toml")
    instructions = prompt["instructions"].strip()
    for name in ("persona", "goal", "stop"):
        instructions = instructions.replace(f"{{{name}}}", getattr(scenario, name))
    sides: Mapping[Role, Role] = {"user": "assistant", "assistant": "user"}
    seen = [Turn(sides[turn.role], turn.content) for turn in turns]
    return (Turn("system", instructions), Turn("user", prompt["opening"]), *seen)


@dataclass(slots=True)
class Simulation:
    """Conversations of all scenarios with one system."""

    scenarios: Sequence[Scenario]
    target: Target
    user: SimulatedUser
    journal: TranscriptJournal
    pacer: RetryPolicy
    seed: int = 0
    repeat: int = 1
    max_turns: int = MAX_TURNS
    on_end: Callable[[Key, str], None] = lambda key, reason: None
    problems: list[str] = field(default_factory=list)
    """Why conversations are not over that should be; --resume goes on with them."""

    async def run(self) -> list[dict[str, Any]]:
        """Hold every conversation that is not over; the transcripts, in the order of the file."""
        keys = [(scenario, number) for scenario in self.scenarios for number in range(self.repeat)]
        try:
            return [*await asyncio.gather(*(self._converse(*key) for key in keys))]
        finally:
            await self.user.close()
            await self.target.close()

    async def _converse(self, scenario: Scenario, number: int) -> dict[str, Any]:
        key = scenario.id, number
        kept = self.journal.kept(key)
        turns, ended = list(kept.turns), kept.ended
        try:
            while not ended:
                ended = await self._step(scenario, key, turns)
        except CallError as error:
            self.problems.append(f"{scenario.id}: {error}")
        if ended and not kept.ended:
            self.journal.end(key, ended)
            self.on_end(key, ended)
        return self._transcript(scenario, number, KeptConversation(turns, ended))

    async def _step(self, scenario: Scenario, key: Key, turns: list[dict[str, Any]]) -> str:
        """One more turn of either side; why the conversation is over, where it is."""
        if not turns or turns[-1]["role"] == "assistant":
            return await self._user_turn(scenario, key, turns)
        if scenario.stop in turns[-1]["content"]:
            return "the user stopped"
        spoken = _plain_turns(turns)
        try:
            reply = (await self.pacer.call(lambda: self.target.ask(spoken), goes_on=True)).value
        except CallError as error:
            if error.fault.is_passing or error.fault.concerns_all or error.attempts == 0:
                raise
            return f"the system failed: {error}"
        answer = answer_json(reply)
        details = {name: answer[name] for name in KEPT if answer.get(name) is not None}
        self._add(key, turns, {"role": "assistant", "content": answer["text"], **details})
        return ""

    async def _user_turn(self, scenario: Scenario, key: Key, turns: list[dict[str, Any]]) -> str:
        most = scenario.max_turns or self.max_turns
        if sum(turn["role"] == "user" for turn in turns) >= most:
            return f"the limit of {counted(most, 'turn')} of the user is reached"
        message = await self.user.next(scenario, _plain_turns(turns), self.seed + key[1])
        if message is None:
            return "the user says no more"
        self._add(key, turns, {"role": "user", "content": message})
        return ""

    def _add(self, key: Key, turns: list[dict[str, Any]], turn: dict[str, Any]) -> None:
        self.journal.add(key, turn)
        turns.append(turn)

    def _transcript(
        self, scenario: Scenario, number: int, kept: KeptConversation
    ) -> dict[str, Any]:
        """The conversation as a record that `assay run` reads; without the word that ended it."""
        messages = [
            {**turn, "content": _without(turn["content"], scenario.stop)} for turn in kept.turns
        ]
        answers = [turn["content"] for turn in kept.turns if turn["role"] == "assistant"]
        return {
            **scenario.rest,
            "id": scenario.id if self.repeat == 1 else f"{scenario.id}-{number + 1}",
            **({"query": scenario.goal} if scenario.goal else {}),
            **({"response": answers[-1]} if answers else {}),
            "messages": [m for m in messages if m["content"] or m["role"] == "assistant"],
            "persona": scenario.persona,
            "seed": self.seed + number,
            "ended": kept.ended or "not yet",
        }


def _plain_turns(turns: Sequence[Mapping[str, Any]]) -> tuple[Turn, ...]:
    return tuple(Turn(turn["role"], turn["content"]) for turn in turns)


def _without(text: str, stop: str) -> str:
    return text.replace(stop, "").strip() if stop in text else text
