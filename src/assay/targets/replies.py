"""What programs give as an answer: text, or an object with the fields of a sample."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from assay.core import Document
from assay.core.bounds import MAX_COUNT, MAX_SECONDS
from assay.targets.answer_contexts import read_contexts
from assay.targets.protocol import Answer
from assay.wire.call_errors import CallError, Fault

TEXTS = ("response", "answer", "output", "text", "content")
"""The names under which an object may hold the answer's text; the first that is there counts."""
_SECONDS = ("first_token_time",)
"""Times that an object may tell; how long the whole answer took is measured here."""
_COUNTS = ("prompt_tokens", "completion_tokens")
_WORDS = ("model", "finish_reason")


def read_reply(given: Any, seconds: float) -> Answer:
    """The answer in what a function or a command gave after so many seconds.

    Raises `CallError` of the kind UNUSABLE for anything but text, an `Answer` or an object with a
    text. Fields of an object that an answer does not have go to its metadata, and so does a
    `duration`: what is measured counts, whatever a system says about itself.
    """
    if isinstance(given, str):
        return Answer(given, duration=seconds)
    if isinstance(given, Answer):
        _check(given)
        return given if given.duration is not None else replace(given, duration=seconds)
    if isinstance(given, Mapping):
        return _from_object(given, seconds)
    kind = type(given).__name__
    raise _unusable(f"{kind} came; expected text, or an object with a {TEXTS[0]!r}")


def _check(answer: Answer) -> None:
    """Refuse an answer whose fields are not what their types say: nothing has looked at them."""
    _text("text", answer.text)
    _calls(answer.tool_calls)
    if not all(isinstance(document, Document) for document in answer.contexts):
        raise _unusable("'contexts' has other entries than documents")
    for names, check in ((("duration", *_SECONDS), _number), (_COUNTS, _count)):
        for name in names:
            if getattr(answer, name) is not None:
                check(name, getattr(answer, name))


def _from_object(given: Mapping[str, Any], seconds: float) -> Answer:
    name = next((name for name in TEXTS if given.get(name) is not None), None)
    calls = _calls(given.get("tool_calls"))
    if name is None and not calls:
        raise _unusable(f"the object has no text; expected one of {', '.join(TEXTS)}")
    text = "" if name is None else _text(name, given[name])
    try:
        contexts = read_contexts(given.get("contexts"))
    except ValueError as error:
        raise _unusable(str(error)) from None
    fields: dict[str, Any] = {}
    fields |= {name: _number(name, given[name]) for name in _SECONDS if _has(given, name)}
    fields |= {name: _count(name, given[name]) for name in _COUNTS if _has(given, name)}
    fields |= {name: str(given[name]) for name in _WORDS if _has(given, name)}
    known = {name, "contexts", "tool_calls", "metadata", *fields}
    metadata = given.get("metadata")
    rest = {str(key): value for key, value in given.items() if key not in known}
    return Answer(
        text,
        contexts,
        calls,
        duration=seconds,
        **fields,
        metadata={**(metadata if isinstance(metadata, Mapping) else {}), **rest},
    )


def _has(given: Mapping[str, Any], name: str) -> bool:
    return given.get(name) is not None


def _text(name: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    raise _unusable(f"{name!r} is {type(value).__name__}; expected text")


def _calls(value: Any) -> tuple[Any, ...] | None:
    if value is None or isinstance(value, list | tuple):
        return None if value is None else tuple(value)
    raise _unusable(f"'tool_calls' is {type(value).__name__}; expected a list")


def _number(name: str, value: Any) -> float:
    if type(value) in (int, float) and 0 <= value <= MAX_SECONDS:
        return float(value)
    raise _unusable(f"{name!r} is {_shown(value)}; expected seconds from 0 to {MAX_SECONDS:,.0f}")


def _count(name: str, value: Any) -> int:
    if type(value) is int and 0 <= value <= MAX_COUNT:
        return value
    raise _unusable(f"{name!r} is {_shown(value)}; expected a whole number of 0 or more")


def _shown(value: Any) -> str:
    is_huge = isinstance(value, int) and value.bit_length() > 1000
    return "a huge number" if is_huge else repr(value)[:60]


def _unusable(reason: str) -> CallError:
    return CallError(f"the answer cannot be used: {reason}", Fault.UNUSABLE)
