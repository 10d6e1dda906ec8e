"""What a target is asked, and what it gives back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from assay.core import Document

Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a conversation."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What a target said to one turn, and what was measured while it did.

    What was not told or measured is None: nothing here is an estimate.
    """

    text: str
    contexts: tuple[Document, ...] = ()
    tool_calls: tuple[Any, ...] | None = None
    duration: float | None = None
    """Seconds from sending the question to the end of the answer; repetitions do not count."""
    first_token_time: float | None = None
    """Seconds to the first piece of text; only where the answer came in pieces."""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    model: str | None = None
    """The model's name as the answer gives it."""
    finish_reason: str | None = None
    raw: Any = None
    """The answer as it came, as JSON; for a stream its last pieces put together."""
    metadata: Mapping[str, Any] = field(default_factory=dict)


RETURNED = frozenset({"contexts", "tool_calls"})
"""Fields of a sample that an answer can fill beside the response."""


class Target(Protocol):
    """A system that answers. One object serves all calls of a run, many at a time.

    `returns`, where a target has it, names those of `RETURNED` that its answers may hold; without
    it, all of them.
    """

    name: str
    """Kind and place, without secrets; part of the run's settings."""

    async def ask(self, turns: Sequence[Turn]) -> Answer:
        """The answer to the last turn, with those before it as the history.

        One attempt: whoever calls repeats it. Raises `assay.wire.call_errors.CallError`.
        """

    async def close(self) -> None:
        """Let go of connections, processes and browsers."""


def returned_fields(target: Target) -> frozenset[str]:
    """The fields of a sample that the answers of a target may fill beside the response."""
    return frozenset(getattr(target, "returns", RETURNED))
