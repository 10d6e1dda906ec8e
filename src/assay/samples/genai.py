"""From the spans of traces to records of samples: one for each story that a trace tells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from assay.core import SampleError, otel
from assay.samples.messages import indexed, listed, read
from assay.samples.otlp_spans import TraceSpan, holds_spans, read_spans
from assay.samples.raw_records import RawRecord
from assay.samples.stories import Story, kind_of, stories

_INPUT_TOKENS = (otel.INPUT_TOKENS, otel.OLD_INPUT_TOKENS, otel.LLM_INPUT_TOKENS)
_OUTPUT_TOKENS = (otel.OUTPUT_TOKENS, otel.OLD_OUTPUT_TOKENS, otel.LLM_OUTPUT_TOKENS)
_FIRST_TOKEN = re.compile(r"first[ _.-]?(token|chunk)", re.IGNORECASE)


def otel_records(result: Iterable[RawRecord]) -> Iterator[RawRecord]:
    """The samples of exported traces, as records with their places; traces may be in pieces."""
    spans: dict[tuple[str, str], TraceSpan] = {}
    for place, record in result:
        if not holds_spans(record):
            is_known = isinstance(record, SampleError)
            error = SampleError("the record holds no spans; expected 'resourceSpans'")
            yield RawRecord(place, record if is_known else error)
            continue
        for span in read_spans(record):
            if span is None:
                yield RawRecord(place, SampleError("a span has no trace and span id"))
            else:
                spans[span.trace_id, span.span_id] = span
    is_told = False
    for sample in span_samples(spans.values()):
        is_told = True
        yield sample
    if spans and not is_told:
        reason = f"none of the {len(spans)} spans tells what a model, agent or chain has answered"
        yield RawRecord("traces", SampleError(reason))


def span_samples(spans: Iterable[TraceSpan]) -> Iterator[RawRecord]:
    """One record for each outermost answer, trace by trace, in the order of their starts."""
    traces: dict[str, list[TraceSpan]] = {}
    for span in spans:
        traces.setdefault(span.trace_id, []).append(span)
    for trace in traces.values():
        for story in stories(trace):
            yield RawRecord(f"span {story.span.span_id}", _record(story))


def _record(story: Story) -> dict[str, Any]:
    """The record of one answer."""
    span, within = story.span, [story.span, *story.parts]
    spoken = [m.text for m in story.inputs if m.role in ("user", "human") and m.text]
    texts = [message.text for message in story.outputs if message.text]
    tools = [part for part in within if kind_of(part) == "tool"]
    record: dict[str, Any] = {
        "id": f"{span.trace_id}-{span.span_id}",
        "query": spoken[-1] if spoken else None,
        "response": texts[0] if texts else None,
        "responses": texts if len(texts) > 1 else None,
        "contexts": [document for part in within for document in _documents(part)] or None,
        "tool_calls": [_call(tool) for tool in tools] or _requested_calls(story) or None,
        "duration": span.seconds,
        "first_token_time": _first_token(span),
        "response_tokens": _tokens(story, _OUTPUT_TOKENS),
        "metadata": _metadata(story),
    }
    if len(story.inputs) > 1:
        turns = [*story.inputs, *story.outputs[:1]]
        record["conversation"] = [{"role": m.role, "content": m.text} for m in turns if m.text]
    if tools:
        record["tools_used"] = [_tool_name(tool) for tool in tools]
        record["tools_succeeded"] = [_tool_name(tool) for tool in tools if not tool.has_failed]
    if story.parts:
        record["steps_taken"] = (
            sum(kind_of(part) in ("answer", "tool") for part in story.parts) or 1
        )
        record["errors_encountered"] = sum(part.has_failed for part in within)
    return {name: value for name, value in record.items() if value is not None}


def _tokens(story: Story, names: Iterable[str]) -> int | None:
    """The tokens that the answer itself counts, else those of the operations within it."""
    own = _count(story.span, names)
    if own is not None:
        return own
    counted = [count for part in story.parts if (count := _count(part, names)) is not None]
    return sum(counted) if counted else None


def _count(span: TraceSpan, names: Iterable[str]) -> int | None:
    values = (span.attributes.get(name) for name in names)
    is_count = (v for v in values if isinstance(v, int) and not isinstance(v, bool) and v >= 0)
    return next(is_count, None)


def _first_token(span: TraceSpan) -> float | None:
    """Seconds to the first piece of the answer, as the span or one of its events says."""
    seconds = span.attributes.get(otel.FIRST_CHUNK)
    if isinstance(seconds, int | float) and not isinstance(seconds, bool) and seconds >= 0:
        return float(seconds)
    for event in span.events:
        if _FIRST_TOKEN.search(event.name[:200]) and event.time and span.start:
            return max(0, event.time - span.start) / 1e9
    return None


def _documents(span: TraceSpan) -> Iterator[dict[str, Any]]:
    """The documents that an operation has found."""
    for document in listed(span.attributes.get(otel.RETRIEVAL_DOCUMENTS)):
        if isinstance(document, Mapping):
            yield from _document(document, "content", "id", "score")
    for name in (otel.DOCUMENTS, otel.RERANKED):
        for parts in indexed(span.attributes, name):
            yield from _document(parts, "document.content", "document.id", "document.score")


def _document(
    given: Mapping[str, Any], content: str, id: str, score: str
) -> Iterator[dict[str, Any]]:
    text, name, rank = given.get(content), given.get(id), given.get(score)
    if isinstance(text, str):
        is_number = isinstance(rank, int | float) and not isinstance(rank, bool)
        yield {
            "content": text,
            "id": str(name) if isinstance(name, str | int) else None,
            "similarity_score": rank if is_number else None,
        }


def _tool_name(tool: TraceSpan) -> str:
    names = (tool.attributes.get(name) for name in (otel.TOOL_NAME, otel.OPEN_TOOL_NAME))
    return next((name for name in names if isinstance(name, str) and name), tool.name)


def _call(tool: TraceSpan) -> dict[str, Any]:
    """A tool's span as a call; arguments that are JSON text are read."""
    attributes = tool.attributes
    given = (
        attributes.get(name)
        for name in (otel.TOOL_ARGUMENTS, otel.OPEN_TOOL_PARAMETERS, otel.INPUT_VALUE)
    )
    arguments = next((value for value in given if value is not None), None)
    results = (attributes.get(name) for name in (otel.TOOL_RESULT, otel.OUTPUT_VALUE))
    call = {
        "id": attributes.get(otel.TOOL_CALL_ID),
        "name": _tool_name(tool),
        "arguments": read(arguments),
        "result": next((value for value in results if value is not None), None),
    }
    return {
        **{name: value for name, value in call.items() if value is not None},
        "status": "error" if tool.has_failed else "ok",
    }


def _requested_calls(story: Story) -> list[dict[str, Any]]:
    """The calls that the answers themselves ask for."""
    return [call for message in story.outputs for call in message.calls]


def _metadata(story: Story) -> dict[str, Any]:
    """What else is known of the answer, under our own names."""
    span, attributes = story.span, story.span.attributes
    inner = [attributes, *(part.attributes for part in story.parts)]
    reasons = attributes.get(otel.FINISH_REASONS)
    metadata = {
        "trace_id": span.trace_id,
        "span_id": span.span_id,
        "span_name": span.name or None,
        "span_end": None if span.end is None else str(span.end),
        "operation": _first_text([attributes], otel.OPERATION, otel.SPAN_KIND),
        "model": _first_text(inner, otel.RESPONSE_MODEL, otel.REQUEST_MODEL, otel.LLM_MODEL),
        "provider": _first_text(inner, otel.PROVIDER, otel.OLD_SYSTEM, otel.LLM_PROVIDER),
        "response_id": _first_text(inner, otel.RESPONSE_ID),
        "agent": _first_text(inner, otel.AGENT_NAME),
        "session_id": _first_text(inner, otel.CONVERSATION_ID, otel.SESSION_ID),
        "user_id": _first_text(inner, otel.USER_ID),
        "service": _first_text([span.resource], otel.SERVICE_NAME),
        "timestamp": _moment(span.start),
        "finish_reasons": [reason for reason in listed(reasons) if isinstance(reason, str)] or None,
        "prompt_tokens": _tokens(story, _INPUT_TOKENS),
        "error": _first_text([attributes], otel.ERROR_TYPE)
        or ("error" if span.has_failed else None),
    }
    return {name: value for name, value in metadata.items() if value is not None}


def _first_text(places: Iterable[Mapping[str, Any]], *names: str) -> str | None:
    """The first text under one of the names, the outermost operation first."""
    values = (place.get(name) for place in places for name in names)
    return next((value for value in values if isinstance(value, str) and value), None)


def _moment(nanoseconds: int | None) -> str | None:
    """The time as people and machines read it."""
    if nanoseconds is None:
        return None
    try:
        return datetime.fromtimestamp(nanoseconds / 1e9, UTC).isoformat(timespec="milliseconds")
    except (OverflowError, ValueError, OSError):
        return None
