"""Answers in OpenAI's form, whole or in pieces; whatever is odd in them is refused or noted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from assay.core.jsontext import loads
from assay.wire.body import DONE
from assay.wire.call_errors import CallError, Fault
from assay.wire.fault_classes import fault_of_status
from assay.wire.safe_messages import safe_message

MAX_TOKENS_PER_BYTE = 20
"""A model may think without showing it, yet a count beyond this many tokens a byte is no count."""
MAX_PROMPT_TOKENS = 10_000_000
"""More than any model reads; what a server adds to our question is not known here."""
MAX_TOOL_CALLS = 1_000
_RATE_WORDS = ("rate", "quota", "too_many")
_FILTER_WORDS = ("filter", "moderation", "policy_violation")


@dataclass(frozen=True, slots=True)
class Completion:
    """A whole answer, read and checked."""

    text: str
    tool_calls: tuple[Any, ...] | None
    prompt_tokens: int | None
    completion_tokens: int | None
    model: str | None
    finish_reason: str | None
    raw: Any
    metadata: Mapping[str, Any] = field(default_factory=dict)


def read_completion(body: str) -> Completion:
    """The answer in a body that came whole; raises `CallError`."""
    document = _object(body)
    choice = _first_choice(document)
    if choice is None:
        _refuse("it has no choices")
    message = choice.get("message")
    if not isinstance(message, Mapping):
        _refuse("its choice has no message")
    reason = _text_or_none(choice.get("finish_reason"))
    calls = _whole_calls(message)
    text = _content(message.get("content"))
    _check_filter(reason, text or "")
    text = text or _text_or_none(message.get("refusal")) or text
    if text is None and calls is None and reason != "length":
        _refuse("its message has no text and no tool calls")
    return _completion(
        document, _mended(text or ""), calls, reason, document.get("usage"), len(body)
    )


class Stream:
    """An answer in pieces: give every payload to `take`, then ask for the `completion`."""

    def __init__(self, clock: Callable[[], float], hide: Callable[[str], str]) -> None:
        self._clock, self._hide = clock, hide
        self._start = self._end = clock()
        self._first: float | None = None
        self._texts: list[str] = []
        self._calls: dict[int, _StreamedCall] = {}
        self._head: dict[str, Any] = {}
        self._reason: str | None = None
        self._usage: Any = None
        self._size = 0
        self._has_choice = False
        self.is_done = False
        """Whether the marker of the end has come."""

    def start(self) -> None:
        """The question is sent from now on."""
        self._start = self._end = self._clock()

    @property
    def text(self) -> str:
        """What has come so far, without keys that the other side may have sent back."""
        return self._hide(_mended("".join(self._texts)))

    @property
    def is_finished(self) -> bool:
        """Whether the model has said why it stopped."""
        return self._reason is not None

    @property
    def duration(self) -> float:
        """Seconds to the last payload."""
        return self._end - self._start

    @property
    def first_token_time(self) -> float | None:
        """Seconds to the first piece of text."""
        return None if self._first is None else self._first - self._start

    def take(self, payload: str) -> bool:
        """Read one payload; says whether it brought anything. Raises `CallError`."""
        now = self._clock()
        if payload == DONE:
            self._end = now
            return True
        self._size += len(payload.encode("utf-8", "replace"))
        chunk = _object(payload)
        for key in ("id", "model", "created", "system_fingerprint"):
            if self._head.get(key) is None and chunk.get(key) is not None:
                self._head[key] = chunk[key]
        has_usage = isinstance(chunk.get("usage"), Mapping)
        if has_usage:
            self._usage = chunk["usage"]
        choice = _first_choice(chunk)
        is_news = self._choice(choice, now) if choice is not None else has_usage
        if is_news:
            self._end = now
        return is_news

    def completion(self) -> Completion:
        """The whole answer; raises `CallError` where the stream broke off."""
        if not self._has_choice and (self._size or self.is_done):
            _refuse("it has no choices")
        if not (self.is_done or self.is_finished):
            raise CallError("the stream broke off before its end", Fault.CONNECTION)
        calls = tuple(call.whole(self._hide) for _, call in sorted(self._calls.items())) or None
        message = {"role": "assistant", "content": self.text, "tool_calls": calls}
        raw = {
            **self._head,
            "choices": [{"index": 0, "message": message, "finish_reason": self._reason}],
            "usage": self._usage,
        }
        return _completion(raw, self.text, calls, self._reason, self._usage, self._size)

    def _choice(self, choice: Mapping[str, Any], now: float) -> bool:
        """Add what a choice brings."""
        self._has_choice = True
        delta = choice.get("delta")
        delta = delta if isinstance(delta, Mapping) else {}
        text = _content(delta.get("content")) or _text_or_none(delta.get("refusal"))
        if text:
            self._first = now if self._first is None else self._first
            self._texts.append(text)
        has_call = self._add_calls(delta)
        thinks = bool(delta.get("reasoning_content") or delta.get("reasoning"))
        reason = _text_or_none(choice.get("finish_reason"))
        self._reason = reason or self._reason
        _check_filter(reason, self.text if reason else "")
        return bool(text or has_call or thinks or reason)

    def _add_calls(self, delta: Mapping[str, Any]) -> bool:
        """Put the pieces of tool calls to those that came before."""
        parts = delta.get("tool_calls")
        if parts is None and isinstance(delta.get("function_call"), Mapping):
            parts = [{"index": 0, "function": delta["function_call"]}]
        if parts is None:
            return False
        if not isinstance(parts, list):
            _refuse("its tool calls are no list")
        for place, part in enumerate(parts):
            index = part.get("index", place) if isinstance(part, Mapping) else None
            if type(index) is not int or not 0 <= index < MAX_TOOL_CALLS:
                _refuse("a piece of its tool calls has no place")
            self._calls.setdefault(index, _StreamedCall()).add(part)
        return bool(parts)


@dataclass(slots=True)
class _StreamedCall:
    """A tool call that comes in pieces: its name once, its arguments bit by bit."""

    id: str | None = None
    name: str = ""
    arguments: list[str] = field(default_factory=list)

    def add(self, part: Mapping[str, Any]) -> None:
        inner = part.get("function")
        inner = inner if isinstance(inner, Mapping) else {}
        self.id = self.id or _text_or_none(part.get("id"))
        self.name = self.name or _text_or_none(inner.get("name")) or ""
        self.arguments.append(_text_or_none(inner.get("arguments")) or "")

    def whole(self, hide: Callable[[str], str]) -> dict[str, Any]:
        """The call in the form of the protocol."""
        arguments = hide(_mended("".join(self.arguments)))
        function = {"name": self.name, "arguments": arguments}
        return {"id": self.id, "type": "function", "function": function}


def _whole_calls(message: Mapping[str, Any]) -> tuple[Any, ...] | None:
    """The tool calls of a message that came whole."""
    calls = message.get("tool_calls")
    if not calls and isinstance(message.get("function_call"), Mapping):
        calls = [{"type": "function", "function": dict(message["function_call"])}]
    if not calls:
        return None
    if not isinstance(calls, list) or not all(isinstance(call, Mapping) for call in calls):
        _refuse("its tool calls are no list of objects")
    return tuple(calls)


def _completion(
    raw: Any,
    text: str,
    calls: tuple[Any, ...] | None,
    reason: str | None,
    usage: Any,
    size: int,
) -> Completion:
    problems: list[str] = []
    limit = MAX_TOKENS_PER_BYTE * size
    prompt_tokens = read_count(
        _part(usage, "prompt_tokens"), "prompt_tokens", MAX_PROMPT_TOKENS, problems
    )
    completion_tokens = read_count(
        _part(usage, "completion_tokens"), "completion_tokens", limit, problems
    )
    return Completion(
        text=text,
        tool_calls=calls,
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
        model=_text_or_none(raw.get("model")),
        finish_reason=reason,
        raw=raw,
        metadata={"usage_problem": "; ".join(problems)} if problems else {},
    )


def read_count(value: Any, name: str, limit: int, problems: list[str]) -> int | None:
    """A number of tokens as it was told; what cannot be one is noted and left out."""
    if value is None:
        return None
    if type(value) is int and 0 <= value <= limit:
        return value
    problems.append(f"{name} is {safe_message(repr(value), ())}, which cannot be")
    return None


def _part(usage: Any, name: str) -> Any:
    return usage.get(name) if isinstance(usage, Mapping) else usage


def _object(body: str) -> Mapping[str, Any]:
    """The JSON object in a text, unless it reports a failure."""
    try:
        document = loads(body)
    except ValueError as error:
        _refuse(f"it is no JSON: {error}")
    if not isinstance(document, Mapping):
        _refuse("it is no JSON object")
    if document.get("error"):
        raise _reported(document["error"])
    return document


def _reported(error: Any) -> CallError:
    """A failure that is told inside an answer of success."""
    given = error if isinstance(error, Mapping) else {"message": error}
    code = given.get("code", given.get("status"))
    kind = f"{given.get('type')} {code}".lower()
    fault = Fault.SERVER
    if type(code) is int and 300 <= code < 600:
        fault = fault_of_status(code)
    elif any(word in kind for word in _FILTER_WORDS):
        fault = Fault.REFUSED
    elif any(word in kind for word in _RATE_WORDS):
        fault = Fault.RATE
    elif "invalid_request" in kind:
        fault = Fault.REFUSED
    words = safe_message(str(given.get("message") or given.get("type") or ""), ())
    return CallError(f"the answer reports a failure, saying {words!r}", fault)


def _first_choice(document: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The choice at place 0, if there is one."""
    choices = document.get("choices")
    if choices is None:
        return None
    if not isinstance(choices, list) or not all(isinstance(one, Mapping) for one in choices):
        _refuse("its choices are no list of objects")
    return next((choice for choice in choices if choice.get("index", 0) == 0), None)


def _content(content: Any) -> str | None:
    """Text, or the texts of a list of parts."""
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, Mapping)]
        return "".join(part for part in parts if isinstance(part, str))
    if content is not None and not isinstance(content, str):
        _refuse("its content is no text")
    return content


def _check_filter(reason: str | None, partial: str) -> None:
    if reason == "content_filter":
        raise CallError(
            "a content filter stopped the answer", Fault.REFUSED, partial=_mended(partial)
        )


def _text_or_none(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _mended(text: str) -> str:
    """The text with surrogate halves put together, as two pieces may each bring one."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _refuse(reason: str) -> NoReturn:
    raise CallError(f"the answer cannot be used: {reason}", Fault.UNUSABLE)
