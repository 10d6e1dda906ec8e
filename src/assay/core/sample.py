"""One record to score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from assay.core.bounds import MAX_WEIGHT, within

REPEAT_OF = "repeat_of"
"""Where the metadata of a sample name the question that it answers once more."""
TARGET_RETRIES = "target_retries"
"""Where the metadata of a sample have how many calls for its answers were tried again."""


def question_in(metadata: Any) -> str | None:
    """The question that a sample's metadata name; None where they name none."""
    named = metadata.get(REPEAT_OF) if isinstance(metadata, Mapping) else None
    return named if isinstance(named, str) and named else None


def was_retried(metadata: Any) -> bool:
    """Whether a sample's metadata say that its target answered only after a retry."""
    retries = metadata.get(TARGET_RETRIES) if isinstance(metadata, Mapping) else None
    return isinstance(retries, int) and retries > 0


@dataclass(frozen=True, slots=True)
class Document:
    """A piece of context that the answer may rest on."""

    content: str
    id: str | None = None
    source: str | None = None
    page: int | None = None
    similarity_score: float | None = None


@dataclass(frozen=True, slots=True)
class Sample:
    """A question, its answer and what is known about both. Absent fields are None or empty."""

    id: str = ""
    query: str | None = None
    response: str | None = None
    expected: str | None = None
    contexts: tuple[Document, ...] = ()
    gold_context: str | None = None
    expected_sources: tuple[str, ...] = ()
    known_facts: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    responses: tuple[str, ...] = ()
    """Several answers to the same query, asked at one time."""
    previous_responses: tuple[str, ...] = ()
    """Answers to the same query from earlier runs."""
    conversation: tuple[Mapping[str, Any], ...] = ()
    """All turns in order, each with its `role` (system, user, assistant, …) and `content`."""
    translations: Mapping[str, str] = field(default_factory=dict)
    """The same answer by language code."""
    expected_json: Any = None
    response_json: Any = None
    schema: Any = None
    """JSON Schema that the response must obey."""
    checks: tuple[Any, ...] = ()
    """What the response must hold, each an object with its `type`; see the guide on checks."""
    duration: float | None = None
    """Seconds from the question to the end of the answer."""
    first_token_time: float | None = None
    """Seconds from the question to the first token."""
    response_tokens: int | None = None
    task_completed: bool | None = None
    expected_steps: int | None = None
    steps_taken: int | None = None
    errors_encountered: int | None = None
    tools: tuple[Any, ...] | None = None
    """Definitions of the tools that the agent was offered."""
    tools_used: tuple[str, ...] | None = None
    tools_succeeded: tuple[str, ...] | None = None
    tool_calls: tuple[Any, ...] | None = None
    expected_tool_calls: tuple[Any, ...] | None = None
    trajectory_rules: Mapping[str, Any] | None = None
    """What the calls must keep to: order, required and forbidden calls, limits, a goal."""
    steps: tuple[str, ...] | None = None
    tags: tuple[str, ...] = ()
    language: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """Everything else, under its own name."""

    @property
    def weight(self) -> float:
        """How much this sample counts in a weighted mean: `metadata["weight"]`, else 1.

        Readers refuse a weight that is none; one that a store kept from earlier counts as 1.
        """
        weight = within(self.metadata.get("weight", 1.0), MAX_WEIGHT)
        return 1.0 if weight is None else weight

    def lacks(self, name: str) -> bool:
        """Whether a field is absent; what is no field is never."""
        return is_absent(getattr(self, name, ""))


def is_absent(value: Any) -> bool:
    """Whether the value of a field stands for nothing; an empty text is a text."""
    return value is None or value == ()
