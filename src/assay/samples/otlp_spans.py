"""Spans from OTLP's JSON: what tracing tools export to a file or send to a server.

Only shapes and types are dealt with here; what spans mean is a matter of `stories.py` and
`genai.py`. Times come as numbers or text, identifiers as hexadecimal or base64 text; whatever else
a value turns out to be, it is taken as absent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

from assay.core import otel

_IDENTIFIER = re.compile(r"[0-9A-Za-z+/=]{1,64}")
_LIMIT = 2**63
"""Whole numbers of OTLP, times among them, have 64 bits."""
_ERROR = (2, "2", "STATUS_CODE_ERROR")


@dataclass(frozen=True, slots=True)
class SpanEvent:
    """Something that happened during a span."""

    name: str
    time: int | None
    attributes: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TraceSpan:
    """One operation of a trace; times are nanoseconds since 1970."""

    trace_id: str
    span_id: str
    parent_id: str
    name: str
    start: int | None
    end: int | None
    attributes: Mapping[str, Any]
    resource: Mapping[str, Any]
    events: tuple[SpanEvent, ...]
    has_failed: bool

    @property
    def seconds(self) -> float | None:
        """How long it took."""
        if self.start is None or self.end is None or self.end < self.start:
            return None
        return (self.end - self.start) / 1e9


def holds_spans(record: Any) -> bool:
    """Whether a record is an export of traces."""
    return isinstance(record, Mapping) and ("resourceSpans" in record or "resource_spans" in record)


def read_spans(record: Mapping[str, Any]) -> Iterator[TraceSpan | None]:
    """The spans of one export; None stands for one that has no identifiers or is no object."""
    for group in _objects(record, "resourceSpans", "resource_spans"):
        resource = _attributes(_object(group, "resource"))
        scopes = _objects(group, "scopeSpans", "scope_spans", "instrumentationLibrarySpans")
        for scope in scopes:
            for span in _listed(scope, "spans"):
                yield _span(span, resource) if isinstance(span, Mapping) else None


def _span(span: Mapping[str, Any], resource: Mapping[str, Any]) -> TraceSpan | None:
    trace_id, span_id = (
        _identifier(span, n) for n in (("traceId", "trace_id"), ("spanId", "span_id"))
    )
    if not trace_id or not span_id:
        return None
    attributes = _attributes(span)
    is_error = _object(span, "status").get("code") in _ERROR
    return TraceSpan(
        trace_id=trace_id,
        span_id=span_id,
        parent_id=_identifier(span, ("parentSpanId", "parent_span_id")),
        name=_text(span.get("name")),
        start=_time(_first(span, "startTimeUnixNano", "start_time_unix_nano")),
        end=_time(_first(span, "endTimeUnixNano", "end_time_unix_nano")),
        attributes=attributes,
        resource=resource,
        events=tuple(
            SpanEvent(
                _text(event.get("name")),
                _time(_first(event, "timeUnixNano", "time_unix_nano")),
                _attributes(event),
            )
            for event in _objects(span, "events")
        ),
        has_failed=is_error or bool(attributes.get(otel.ERROR_TYPE)),
    )


def _attributes(owner: Mapping[str, Any]) -> dict[str, Any]:
    """Attributes by name; of a name that comes twice the last counts."""
    attributes = {}
    for entry in _objects(owner, "attributes"):
        key = entry.get("key")
        if isinstance(key, str):
            attributes[key] = _value(entry.get("value"))
    return attributes


def _value(given: Any) -> Any:
    """A value of OTLP as plain data; None where it is none."""
    if not isinstance(given, Mapping):
        return None
    for kind, value in given.items():
        match kind.replace("_", "").lower():
            case "stringvalue":
                return value if isinstance(value, str) else None
            case "boolvalue":
                return value if isinstance(value, bool) else None
            case "intvalue":
                return _whole(value)
            case "doublevalue":
                return _number(value)
            case "arrayvalue":
                parts = _listed(value, "values") if isinstance(value, Mapping) else []
                return [_value(part) for part in parts]
            case "kvlistvalue":
                entries = _objects(value, "values") if isinstance(value, Mapping) else []
                return {
                    entry["key"]: _value(entry.get("value"))
                    for entry in entries
                    if isinstance(entry.get("key"), str)
                }
    return None


def _time(given: Any) -> int | None:
    nanoseconds = _whole(given)
    return nanoseconds if nanoseconds is not None and 0 < nanoseconds < _LIMIT else None


def _whole(given: Any) -> int | None:
    """A whole number of 64 bits, as JSON's own or as text."""
    if isinstance(given, str) and re.fullmatch(r"-?[0-9]{1,19}", given):
        given = int(given)
    is_whole = isinstance(given, int) and not isinstance(given, bool)
    return given if is_whole and abs(given) < _LIMIT else None


def _number(given: Any) -> float | None:
    if not isinstance(given, int | float) or isinstance(given, bool):
        return None
    try:
        number = float(given)
    except OverflowError:  # JSON's whole numbers may have any number of digits
        return None
    return number if isfinite(number) else None


def _identifier(span: Mapping[str, Any], names: tuple[str, str]) -> str:
    identifier = _first(span, *names)
    is_fit = (
        isinstance(identifier, str) and _IDENTIFIER.fullmatch(identifier) and identifier.strip("0")
    )
    return str(identifier) if is_fit else ""


def _first(owner: Mapping[str, Any], *names: str) -> Any:
    return next((owner[name] for name in names if name in owner), None)


def _text(given: Any) -> str:
    return given if isinstance(given, str) else ""


def _object(owner: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    inner = owner.get(name)
    return inner if isinstance(inner, Mapping) else {}


def _listed(owner: Mapping[str, Any], *names: str) -> list[Any]:
    values = _first(owner, *names)
    return values if isinstance(values, list) else []


def _objects(owner: Mapping[str, Any], *names: str) -> list[Mapping[str, Any]]:
    return [part for part in _listed(owner, *names) if isinstance(part, Mapping)]
