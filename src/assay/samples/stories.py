"""Which spans of a trace belong together: an answer, and the operations that led to it.

A trace tells a story in nested operations: an agent that called a model, which asked for a tool,
and so on. A sample is the **outermost** operation of a model, agent or chain that says what it
answered. What lies within it, and what came before it in the same trace without belonging to
another sample, gives its documents, tool calls, tokens and errors.

Two ways of naming are known: OpenTelemetry's own (`gen_ai.…`, with the older ones that it has
replaced) and OpenInference's (`input.value`, `llm.…`, `retrieval.documents.…`). Attributes with
other names are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from assay.core import otel
from assay.samples.messages import Message, chat_messages, indexed_messages, parsed
from assay.samples.otlp_spans import TraceSpan

Kind = Literal["answer", "tool", "retrieval", ""]
_OPERATIONS: dict[str, Kind] = {
    **dict.fromkeys(("chat", "generate_content", "text_completion"), "answer"),
    **dict.fromkeys(("invoke_agent", "invoke_workflow"), "answer"),
    "execute_tool": "tool",
    "retrieval": "retrieval",
}
_SPAN_KINDS: dict[str, Kind] = {
    **dict.fromkeys(("LLM", "AGENT", "CHAIN"), "answer"),
    "TOOL": "tool",
    **dict.fromkeys(("RETRIEVER", "RERANKER"), "retrieval"),
}
_ASKED = ("question", "query", "input", "prompt", "messages")
_SAID = ("answer", "response", "output", "content", "text", "messages")
"""Where the text lies when `input.value` or `output.value` is JSON, the first that is there."""


@dataclass(slots=True)
class Story:
    """An answer and the operations that led to it."""

    span: TraceSpan
    inputs: list[Message]
    outputs: list[Message]
    parts: list[TraceSpan] = field(default_factory=list)


def stories(trace: list[TraceSpan]) -> list[Story]:
    """The outermost answers of a trace, each with what led to it."""
    ordered = sorted(trace, key=lambda span: (span.start or 0, span.span_id))
    known = {span.span_id: span for span in ordered}
    answers = {}
    for span in ordered:
        if kind_of(span) == "answer" and (messages := _output_messages(span)):
            answers[span.span_id] = Story(span, _input_messages(span), messages)
    owners = _owners(known, answers)
    outer = [story for id, story in answers.items() if owners[id] == id]
    waiting: list[TraceSpan] = []
    for span in ordered:
        owner = owners[span.span_id]
        if owner is None:
            waiting.append(span)
        elif owner == span.span_id:
            answers[owner].parts[:0] = waiting
            waiting = []
        else:
            answers[owner].parts.append(span)
    if outer:
        outer[-1].parts += waiting
    return outer


def _owners(known: Mapping[str, TraceSpan], answers: Mapping[str, Story]) -> dict[str, str | None]:
    """For each span the outermost answer that it lies in, itself included; None without one."""
    owners: dict[str, str | None] = {}
    for id in known:
        path: list[str] = []
        at = id
        while at in known and at not in owners:
            owners[at] = None  # a span that is its own ancestor ends the way here
            path.append(at)
            at = known[at].parent_id
        owner = owners.get(at) if at not in path else None
        for at in reversed(path):
            owner = owner or (at if at in answers else None)
            owners[at] = owner
    return owners


def kind_of(span: TraceSpan) -> Kind:
    """What an operation does; empty where it is none of ours."""
    operation = span.attributes.get(otel.OPERATION)
    if isinstance(operation, str):
        return _OPERATIONS.get(operation, "")
    kind = span.attributes.get(otel.SPAN_KIND)
    if isinstance(kind, str):
        return _SPAN_KINDS.get(kind.upper(), "")
    names = (otel.OUTPUT_MESSAGES, otel.OLD_SYSTEM, otel.PROVIDER)
    return "answer" if any(name in span.attributes for name in names) else ""


def _input_messages(span: TraceSpan) -> list[Message]:
    attributes = span.attributes
    system = [
        Message("system", message.text)
        for message in chat_messages(_noted(span, otel.SYSTEM_INSTRUCTIONS), "system")
    ]
    messages = (
        chat_messages(_noted(span, otel.INPUT_MESSAGES), "user")
        or indexed_messages(attributes, otel.LLM_INPUT, "user")
        or indexed_messages(attributes, otel.OLD_PROMPT, "user")
        or chat_messages(_noted(span, otel.OLD_PROMPT), "user")
        or _of_value(attributes.get(otel.INPUT_VALUE), "user", _ASKED)
    )
    return [*system, *messages]


def _output_messages(span: TraceSpan) -> list[Message]:
    attributes = span.attributes
    messages = (
        chat_messages(_noted(span, otel.OUTPUT_MESSAGES), "assistant")
        or indexed_messages(attributes, otel.LLM_OUTPUT, "assistant")
        or indexed_messages(attributes, otel.OLD_COMPLETION, "assistant")
        or chat_messages(_noted(span, otel.OLD_COMPLETION), "assistant")
        or _of_value(attributes.get(otel.OUTPUT_VALUE), "assistant", _SAID)
    )
    return [message for message in messages if message.text or message.calls]


def _noted(span: TraceSpan, name: str) -> Any:
    """An attribute of the span or, without it, of one of its events."""
    if span.attributes.get(name) is not None:
        return span.attributes[name]
    values = (event.attributes.get(name) for event in span.events)
    return next((value for value in values if value is not None), None)


def _of_value(value: Any, role: str, names: tuple[str, ...]) -> list[Message]:
    """The message in OpenInference's plain value, which may be JSON of the caller's own making."""
    if not isinstance(value, str):
        return []
    inner = parsed(value)
    if isinstance(inner, Mapping):
        given = next((inner[name] for name in names if inner.get(name)), None)
        messages = chat_messages(given, role)
        if any(message.text or message.calls for message in messages):
            return messages
    return [Message(role, value)]
