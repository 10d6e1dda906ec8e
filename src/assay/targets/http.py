"""Any HTTP endpoint, described by where the question goes and where the answer stands.

What is asked is put into the request as data: the body is a JSON structure whose texts hold
placeholders such as `{{query}}`, and a value never changes the structure around it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn, Self
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit
from uuid import uuid4

from assay.core.errors import ProfileError
from assay.core.json_path import Step, Wildcard, parse_path
from assay.core.jsontext import dumps, loads
from assay.core.secrets import address_secrets
from assay.targets.answer_contexts import read_contexts
from assay.targets.chat_completion import MAX_PROMPT_TOKENS, MAX_TOKENS_PER_BYTE, read_count
from assay.targets.conversations import ConversationSessions
from assay.targets.protocol import RETURNED, Answer, Turn
from assay.targets.tables import read_table, unknown
from assay.wire.address import check_address, check_headers, place_of
from assay.wire.call_errors import CallError, Fault
from assay.wire.exchange import Request
from assay.wire.http_client import MAX_PARTIAL, Reply, Wire
from assay.wire.limits import CallLimits

METHODS = ("DELETE", "GET", "PATCH", "POST", "PUT")
PLACEHOLDERS = ("history", "query", "session", "turns")
MAX_SESSIONS = 10_000
"""Conversations that are remembered at a time; the oldest is forgotten first."""
SECRET_HEADERS = frozenset(
    {"api-key", "authorization", "cookie", "proxy-authorization", "x-api-key"}
)
OWN_HEADERS = frozenset({"content-length", "transfer-encoding"})
_PAGE = re.compile(r"\s*<(?:!doctype|html)\b", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"\{\{\s*(\w{1,50})\s*\}\}")
_PATHS = (
    "answer",
    "contexts",
    "tool_calls",
    "prompt_tokens",
    "completion_tokens",
    "model",
    "finish_reason",
)


@dataclass(frozen=True)
class HttpSpec:
    """The description of an endpoint; wrong parts raise `ProfileError`.

    Placeholders in `body` and `params`: `{{query}}` is the last question, `{{turns}}` the whole
    conversation as objects with role and content, `{{history}}` the same without the last
    question, `{{session}}` a name that all turns of one conversation share. One that is a whole
    value keeps its type; inside a longer text it becomes text.
    """

    url: str
    method: str = "POST"
    headers: Mapping[str, str] = field(default_factory=dict)
    params: Mapping[str, str] = field(default_factory=dict)
    """What is added to the address as its query."""
    body: Any = None
    """A JSON structure, or text that is sent as such; none where it is absent."""
    answer: str = ""
    """The path of the answer's text; without it the whole body is the answer."""
    contexts: str | None = None
    tool_calls: str | None = None
    prompt_tokens: str | None = None
    completion_tokens: str | None = None
    model: str | None = None
    finish_reason: str | None = None
    key_env: str | None = None
    """The environment variable that holds the key; the key itself stands in no file."""
    key_header: str = "Authorization"
    key_prefix: str = "Bearer "

    def __post_init__(self) -> None:
        check_address(self.url)
        if self.method not in METHODS:
            raise ProfileError(f"the method {self.method!r} is none of {', '.join(METHODS)}")
        check_headers(self.headers)
        for name in self.headers:
            _check_header(name)
        for path in _PATHS:
            _check_path(path, getattr(self, path))
        _check_placeholders(self.body)
        _check_placeholders(dict(self.params))

    @classmethod
    def from_mapping(cls, given: Mapping[str, Any]) -> Self:
        """The description in a table, such as a TOML file gives."""
        return read_table("HTTP", cls, given)


class HttpTarget:
    """The endpoint, asked as its description says."""

    def __init__(
        self,
        spec: HttpSpec,
        key: str = "",
        *,
        limits: CallLimits | None = None,
        wire: Wire | None = None,
        new_session: Callable[[], str] = lambda: uuid4().hex,
    ) -> None:
        self.name = f"http:{place_of(spec.url)}"
        self.returns = frozenset(name for name in RETURNED if getattr(spec, name))
        self._spec = spec
        self._headers = dict(spec.headers)
        if key:
            self._headers[spec.key_header] = spec.key_prefix + key
        check_headers(self._headers)
        self._new_session = new_session
        self._sessions: ConversationSessions[str] = ConversationSessions(MAX_SESSIONS)
        self._owns_wire = wire is None
        self._wire = wire or Wire(limits, secrets=[key, *address_secrets(spec.url)])

    async def ask(self, turns: Sequence[Turn]) -> Answer:
        """The endpoint's answer to the last turn."""
        kept = self._sessions.take(turns)
        session = self._new_session() if kept is None else kept
        try:
            reply = await self._wire.send(self._request(turns, session))
            answer = self._answer(reply)
        except BaseException:
            if kept is not None:  # the same turn may be asked again
                self._sessions.keep(turns[:-1], kept)
            raise
        self._sessions.keep([*turns, Turn("assistant", answer.text)], session)
        return answer

    async def close(self) -> None:
        """Let go of the connections, unless they were given."""
        if self._owns_wire:
            await self._wire.aclose()

    def _request(self, turns: Sequence[Turn], session: str) -> Request:
        spec, headers = self._spec, dict(self._headers)
        values = _values(turns, session)
        body = _filled(spec.body, values)
        content = None
        if body is not None:
            is_text = isinstance(body, str)
            content = (body if is_text else dumps(body)).encode("utf-8", "replace")
            if "content-type" not in map(str.lower, headers):
                headers["content-type"] = (
                    "text/plain; charset=utf-8" if is_text else "application/json"
                )
        url = _with_params(spec.url, {k: _text(_filled(v, values)) for k, v in spec.params.items()})
        return Request(spec.method, url, headers, content)

    def _answer(self, reply: Reply) -> Answer:
        try:
            return _read(self._spec, reply)
        except ValueError as error:
            raise CallError(
                f"{place_of(self._spec.url)}: the answer cannot be used: {error}",
                Fault.UNUSABLE,
                status=reply.status,
                partial=reply.text[:MAX_PARTIAL],
            ) from None


def _values(turns: Sequence[Turn], session: str) -> dict[str, Any]:
    """What the placeholders stand for."""
    messages = [{"role": turn.role, "content": turn.content} for turn in turns]
    return {
        "query": turns[-1].content,
        "turns": messages,
        "history": messages[:-1],
        "session": session,
    }


def _filled(part: Any, values: Mapping[str, Any]) -> Any:
    """The structure with its placeholders replaced, once: what is put in is not looked at again."""
    if isinstance(part, Mapping):
        return {key: _filled(inner, values) for key, inner in part.items()}
    if isinstance(part, list):
        return [_filled(inner, values) for inner in part]
    if not isinstance(part, str):
        return part
    if whole := _PLACEHOLDER.fullmatch(part):
        return values[whole[1]]
    return _PLACEHOLDER.sub(lambda match: _text(values[match[1]]), part)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else dumps(value)


def _with_params(url: str, params: Mapping[str, str]) -> str:
    if not params:
        return url
    parts = urlsplit(url)
    query = [*parse_qsl(parts.query, keep_blank_values=True), *params.items()]
    return urlunsplit(parts._replace(query=urlencode(query, errors="replace")))


def _read(spec: HttpSpec, reply: Reply) -> Answer:
    """The answer in a reply; raises `ValueError` where it has another shape than described."""
    is_plain = all(getattr(spec, path) in ("", None) for path in _PATHS)
    if is_plain and _is_page(reply):
        raise ValueError("it is a web page; a part of JSON is named by 'answer'")
    document = None if is_plain else _json(reply.text)
    problems: list[str] = []
    counts = {
        name: read_count(_single(document, name, getattr(spec, name)), name, limit, problems)
        for name, limit in (
            ("prompt_tokens", MAX_PROMPT_TOKENS),
            ("completion_tokens", MAX_TOKENS_PER_BYTE * len(reply.text)),
        )
    }
    return Answer(
        text=_answer_text(document, spec.answer) if spec.answer else reply.text,
        contexts=_contexts(document, spec.contexts),
        tool_calls=_tool_calls(document, spec.tool_calls),
        duration=reply.seconds,
        prompt_tokens=counts["prompt_tokens"],
        completion_tokens=counts["completion_tokens"],
        model=_word(document, "model", spec.model),
        finish_reason=_word(document, "finish_reason", spec.finish_reason),
        raw=reply.text if is_plain else document,
        metadata={"usage_problem": "; ".join(problems)} if problems else {},
    )


def _is_page(reply: Reply) -> bool:
    """Whether a whole page came, such as one to sign in; a piece of HTML may be an answer."""
    kind = reply.headers.get("content-type", "").partition(";")[0].strip().lower()
    return kind == "text/html" and bool(_PAGE.match(reply.text))


def _json(body: str) -> Any:
    try:
        return loads(body)
    except ValueError as error:
        raise ValueError(f"it is no JSON: {error}") from None


def select(value: Any, path: str) -> list[Any]:
    """All values at a path; those that are not there are left out."""
    selected = [value]
    for step in parse_path(path):
        selected = [child for parent in selected for child in _children(parent, step)]
    return selected


def _children(parent: Any, step: Step) -> list[Any]:
    if isinstance(parent, dict):
        if step is Wildcard.KEY:
            return list(parent.values())
        return [parent[step]] if isinstance(step, str) and step in parent else []
    if isinstance(parent, list):
        if step is Wildcard.PLACE:
            return parent
        return [parent[step]] if isinstance(step, int) and step < len(parent) else []
    return []


def _single(selected: Any, name: str, path: str | None) -> Any:
    """The value at a path, or None where there is none."""
    values = select(selected, path) if path else []
    if len(values) > 1:
        _misshapen(name, path, f"{len(values)} values", "one")
    return values[0] if values else None


def _word(selected: Any, name: str, path: str | None) -> str | None:
    value = _single(selected, name, path)
    if value is not None and not isinstance(value, str):
        _misshapen(name, path, _kind(value), "text")
    return value


def _answer_text(selected: Any, path: str) -> str:
    """The text at the path; the texts of several places stand on lines of their own."""
    values = select(selected, path)
    if not values:
        _misshapen("answer", path, "nothing", "text")
    for value in values:
        if not isinstance(value, str):
            _misshapen("answer", path, _kind(value), "text")
    return "\n".join(values)


def _contexts(selected: Any, path: str | None) -> tuple[Any, ...]:
    values = [value for value in _listed(selected, path) or () if value is not None]
    try:
        return read_contexts(values)
    except ValueError as error:
        raise ValueError(f"'contexts' at {path!r}: {error}") from None


def _tool_calls(selected: Any, path: str | None) -> tuple[Any, ...] | None:
    values = _listed(selected, path)
    if values is None:
        return None
    for value in values:
        if not isinstance(value, dict | str):
            _misshapen("tool_calls", path, _kind(value), "objects or names")
    return tuple(values)


def _listed(selected: Any, path: str | None) -> list[Any] | None:
    """The values at a path, where a single list stands for its items; None for null or nothing."""
    values = select(selected, path) if path else []
    if len(values) == 1 and isinstance(values[0], list):
        return values[0]
    return None if all(value is None for value in values) else values


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "text", bool: "true or false"}
    return "null" if value is None else names.get(type(value), "a number")


def _misshapen(name: str, path: str | None, got: str, expected: str) -> NoReturn:
    raise ValueError(f"{name!r} at {path!r} is {got}; expected {expected}")


def _check_header(name: str) -> None:
    if name.lower() in SECRET_HEADERS:
        raise ProfileError(
            f"the header {name!r} carries a secret; name its environment variable as 'key_env' "
            "and the header as 'key_header'"
        )
    if name.lower() in OWN_HEADERS:
        raise ProfileError(f"the header {name!r} is the target's own; leave it out")


def _check_path(name: str, path: str | None) -> None:
    if path:
        try:
            parse_path(path)
        except ValueError as error:
            raise ProfileError(
                f"{name!r} of the HTTP target is no path: {path!r}, {error}; "
                "expected one such as 'choices[0].text' or 'sources[*].content'"
            ) from None


def _check_placeholders(part: Any) -> None:
    """Refuse placeholders that nothing is known for, and what is no JSON."""
    if isinstance(part, Mapping):
        for inner in part.values():
            _check_placeholders(inner)
    elif isinstance(part, list):
        for inner in part:
            _check_placeholders(inner)
    elif isinstance(part, str):
        for name in _PLACEHOLDER.findall(part):
            if name not in PLACEHOLDERS:
                unknown(f"the placeholder '{{{{{name}}}}}' is unknown", name, PLACEHOLDERS)
    elif part is not None and not isinstance(part, bool | int | float):
        raise ProfileError(f"the body holds {type(part).__name__}, which is no JSON")
