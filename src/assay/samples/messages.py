"""The messages of a conversation with a model, in the forms in which tracing tools write them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from assay.core.jsontext import dumps, loads


class Message(NamedTuple):
    """What one side said, and which tools it asked for."""

    role: str
    text: str
    calls: tuple[dict[str, Any], ...] = ()


def chat_messages(given: Any, role: str) -> list[Message]:
    """Messages from JSON text, a list, an object or plain text; `role` is whose those without are.

    A message holds `parts` (OpenTelemetry), or `content` as text or as parts (chat endpoints). JSON
    text without any is what was said itself: models answer in JSON too.
    """
    if not isinstance(given, str):
        return _structured(given, role)
    inner = parsed(given)
    messages = _structured(inner, role)
    is_empty = not any(message.text or message.calls for message in messages)
    if given and (inner is None or (inner and is_empty and not _has_shape(inner))):
        return [Message(role, given)]
    return messages


def _has_shape(given: Any) -> bool:
    """Whether it is meant as a message, or as a list with one."""
    parts = given if isinstance(given, list) else [given]
    return any(isinstance(part, Mapping) and ("role" in part or "parts" in part) for part in parts)


def _structured(given: Any, role: str) -> list[Message]:
    if isinstance(given, Mapping):
        given = [given]
    if not isinstance(given, list):
        return []
    if any(isinstance(part, Mapping) and "type" in part and "role" not in part for part in given):
        return [_message({"parts": given}, role)]  # parts alone, as of system instructions
    return [
        Message(role, part) if isinstance(part, str) else _message(part, role)
        for part in given
        if isinstance(part, str | Mapping)
    ]


def _message(given: Mapping[str, Any], role: str) -> Message:
    role_given = given.get("role")
    parts = given.get("parts", given.get("content"))
    parts = [parts] if isinstance(parts, str | Mapping) else parts
    parts = parts if isinstance(parts, list) else []
    texts = [text for part in parts if (text := _part_text(part))]
    calls = [
        part for part in parts if isinstance(part, Mapping) and part.get("type") == "tool_call"
    ]
    tool_calls = given.get("tool_calls")
    calls += (
        [call for call in tool_calls if isinstance(call, Mapping)]
        if isinstance(tool_calls, list)
        else []
    )
    return Message(
        role_given if isinstance(role_given, str) and role_given else role,
        "\n".join(texts),
        tuple(call for part in calls if (call := _call(part))),
    )


def _part_text(part: Any) -> str:
    """The text of a part; thoughts, calls, pictures and files have none."""
    if isinstance(part, str):
        return part
    if not isinstance(part, Mapping) or part.get("type", "text") not in (
        "text",
        "tool_call_response",
    ):
        return ""
    names = ("content", "text", "response", "result")
    value = next((part[name] for name in names if part.get(name) is not None), "")
    return value if isinstance(value, str) else dumps(value)


def _call(given: Mapping[str, Any]) -> dict[str, Any]:
    """A call under the names that a sample uses; empty without a name."""
    inner = given.get("function")
    source = inner if isinstance(inner, Mapping) else given
    name, arguments, id = source.get("name"), source.get("arguments"), given.get("id")
    if not isinstance(name, str) or not name:
        return {}
    call: dict[str, Any] = {"id": id} if isinstance(id, str) else {}
    call["name"] = name
    if arguments is not None:
        call["arguments"] = read(arguments)
    return call


def indexed(attributes: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    """What attributes such as `name.0.part` hold, one object for each number, in their order.

    No number is taken for a size: only those that occur count.
    """
    place = re.compile(re.escape(name) + r"\.([0-9]{1,6})\.(.+)", re.DOTALL)
    by_index: dict[int, dict[str, Any]] = {}
    for key, value in attributes.items():
        if match := place.fullmatch(key):
            by_index.setdefault(int(match[1]), {})[match[2]] = value
    return [by_index[number] for number in sorted(by_index)]


def indexed_messages(attributes: Mapping[str, Any], name: str, role: str) -> list[Message]:
    """Messages from attributes such as `llm.input_messages.0.message.content`."""
    return [_flat_message(parts, role) for parts in indexed(attributes, name)]


def _flat_message(parts: Mapping[str, Any], role: str) -> Message:
    fields = {key.removeprefix("message."): value for key, value in parts.items()}
    pieces = [fields.get("content")]
    pieces += [part.get("message_content.text") for part in indexed(fields, "contents")]
    calls = (
        _call(
            {
                "id": call.get("tool_call.id", call.get("id")),
                "name": call.get("tool_call.function.name", call.get("name")),
                "arguments": call.get("tool_call.function.arguments", call.get("arguments")),
            }
        )
        for call in indexed(fields, "tool_calls")
    )
    stated_role = fields.get("role")
    return Message(
        stated_role if isinstance(stated_role, str) and stated_role else role,
        "\n".join(piece for piece in pieces if isinstance(piece, str) and piece),
        tuple(call for call in calls if call),
    )


def listed(given: Any) -> list[Any]:
    """A list, also from JSON text."""
    values = parsed(given) if isinstance(given, str) else given
    return values if isinstance(values, list) else []


def read(given: Any) -> Any:
    """The list or object that JSON text holds; anything else as it is."""
    parsed_value = parsed(given)
    return given if parsed_value is None else parsed_value


def parsed(given: Any) -> Any:
    """The list or object that JSON text holds; None for anything else."""
    if not isinstance(given, str) or given.lstrip()[:1] not in ("[", "{"):
        return None
    try:
        return loads(given)
    except ValueError:
        return None
