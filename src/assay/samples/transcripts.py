"""What the messages of an agent's run tell: its calls with their results, its answer, its tokens.

Messages come in the forms of chat endpoints (`role`, `tool_calls`, `function_call`; content parts
`tool_use` and `tool_result`), of OpenAI's Responses (items `function_call` and
`function_call_output`), of Gemini and OpenTelemetry (`parts` in place of a content), of LangChain
and LangGraph (`type` human, ai, tool; packed in `data` or `kwargs`), and of τ-bench, whose records
hold a `traj`. Everything in them is a text of a model: it is taken apart by its shape, and never
believed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from assay.core.jsontext import dumps
from assay.samples.messages import read

ASSISTANT = ("assistant", "ai")
TOOL_ROLES = ("tool", "function")
TAU_ERROR = "Error"
"""How the results of τ-bench's tools begin when a call failed."""
TAU_ASIDE = ("think", "transfer_to_human_agents")
"""Tools of τ-bench that neither read nor change its database."""
_LANGCHAIN = {
    "HumanMessage": "human",
    "AIMessage": "ai",
    "AIMessageChunk": "ai",
    "SystemMessage": "system",
    "ToolMessage": "tool",
    "FunctionMessage": "function",
}
_ITEMS = ("function_call", "function_call_output", "reasoning")
"""Items of OpenAI's Responses beside messages."""
_ROLES = frozenset(("user", "assistant", "system", "developer", *TOOL_ROLES, "human", "ai"))


def is_message(given: Any) -> bool:
    """Whether it is one message of a conversation, in any of the known forms."""
    if not isinstance(given, Mapping):
        return False
    message = unpacked_message(given)
    role = message.get("role", message.get("type"))
    has_content = "content" in message or "tool_calls" in message or "function_call" in message
    return isinstance(role, str) and role in _ROLES and has_content


def unpacked_message(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """A message that LangChain has packed, as it was; an item of Responses as a message."""
    if "role" not in given and given.get("type") in _ITEMS:
        return _item_message(given)
    if "role" in given and "content" not in given and isinstance(given.get("parts"), list):
        return _parts_message(given)
    inner, kind = given.get("kwargs"), given.get("id")
    if isinstance(inner, Mapping) and isinstance(kind, list) and kind:
        return {"type": _LANGCHAIN.get(str(kind[-1]), ""), **inner}
    data = given.get("data")
    if isinstance(data, Mapping) and isinstance(given.get("type"), str) and "content" not in given:
        return {**data, "type": given["type"]}
    return given


def _item_message(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """A call, its result or the thoughts before it, as OpenAI's Responses list them."""
    id = given.get("call_id")
    if given["type"] == "function_call_output":
        return {"role": "tool", "tool_call_id": id, "content": given.get("output", "")}
    call = {"id": id, "name": given.get("name"), "arguments": given.get("arguments")}
    calls = [call] if given["type"] == "function_call" else []
    return {"role": "assistant", "content": "", "tool_calls": calls}


def _parts_message(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """A message of parts without a content: of Gemini, or of OpenTelemetry's conventions."""
    content: list[Mapping[str, Any]] = []
    for part in _objects(given["parts"]):
        call = part.get("functionCall", part.get("function_call"))
        result = part.get("functionResponse", part.get("function_response"))
        kind, id = part.get("type", "text"), part.get("id")
        if isinstance(call, Mapping):
            content.append({"type": "tool_call", **call})
        elif isinstance(result, Mapping):
            content.append({**_result_part(result), "name": result.get("name")})
        elif kind == "tool_call_response":
            content.append({**_result_part(part), "tool_use_id": id})
        elif kind == "text":
            content.append({"type": "text", "text": part.get("text", part.get("content"))})
        else:
            content.append(part)
    role = "assistant" if given["role"] == "model" else given["role"]
    rest = {key: value for key, value in given.items() if key != "parts"}
    return {**rest, "role": role, "content": content}


def _result_part(given: Mapping[str, Any]) -> dict[str, Any]:
    result = given.get("response", given.get("result"))
    return {"type": "tool_result", "content": result}


def has_only_results(turn: Mapping[str, Any]) -> bool:
    """Whether a message holds results of tools and nothing that anybody said."""
    parts = turn.get("parts")
    return bool(parts) and len(_result_parts(turn)) == len(parts or ())


def transcript_record(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """The record of a whole run in general names; one of another kind as it is."""
    if isinstance(record.get("traj"), list):
        return _tau_record(record)
    values = record.get("values")
    if "messages" not in record and isinstance(values, Mapping) and _has_messages(values):
        rest = {key: value for key, value in record.items() if key != "values"}
        return {**rest, "messages": values["messages"]}
    return record


def _has_messages(values: Mapping[str, Any]) -> bool:
    messages = values.get("messages")
    return isinstance(messages, list) and all(map(is_message, messages))


def _tau_record(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """A run of τ-bench: what was asked, what must have been done and said, and what was.

    What the agent changed must be what the annotated solution changes; it may look things up
    besides.
    """
    info = _mapping(record.get("info"))
    task = _mapping(info.get("task"))
    reward = record.get("reward")
    actions = task.get("actions")
    rules = solution_rules(actions) if isinstance(actions, list) else {}
    outputs = task.get("outputs")
    if isinstance(outputs, list) and (texts := [o for o in outputs if isinstance(o, str) and o]):
        rules["goal"] = {"says": texts}
    instruction = task.get("instruction")
    turns = _objects(record["traj"])
    spoken = [t["content"] for t in turns if t.get("role") == "assistant" and t.get("content")]
    given: dict[str, Any] = {
        "id": _tau_id(record),
        "query": instruction if isinstance(instruction, str) and instruction else None,
        "response": next((text for text in reversed(spoken) if isinstance(text, str)), None),
        "conversation": record["traj"],
        "tool_calls": calls_of(turns, TAU_ERROR),
        "trajectory_rules": rules or None,
        "task_completed": reward == 1 if isinstance(reward, int | float) else None,
    }
    known = {"traj", "info"}
    rest = {key: value for key, value in record.items() if key not in known}
    return {**rest, **{key: value for key, value in given.items() if value is not None}}


def solution_rules(actions: list[Any]) -> dict[str, Any]:
    """Rules from the actions of an annotated solution: the run must change what they change."""
    return {"match": "changes", "calls": actions, "aside": [*TAU_ASIDE]}


def _tau_id(record: Mapping[str, Any]) -> str | None:
    task, trial = record.get("task_id"), record.get("trial")
    if not isinstance(task, int | str):
        return None
    return f"task-{task}" if trial is None else f"task-{task}-trial-{trial}"


def answer_of(turns: Sequence[Mapping[str, Any]]) -> str | None:
    """What the assistant said last; None where the user had the last word.

    An end that only calls or answers tools is passed over.
    """
    for turn in reversed(turns):
        if turn["role"] == "user" and not _result_parts(turn):
            return None
        if turn["role"] in ASSISTANT and turn["content"].strip():
            return str(turn["content"])
    return None


def calls_of(turns: Iterable[Mapping[str, Any]], failure: str = "") -> list[dict[str, Any]]:
    """All calls that the assistant made, in their order, each with its result where there is one.

    A result belongs to the latest call of its id that has none, or else to the first one waiting
    with its name. A result that begins with `failure`, unless that is empty, says that the call
    failed.
    """
    calls: list[dict[str, Any]] = []
    waiting = _Waiting()
    for turn in turns:
        role = turn.get("role", turn.get("type"))
        if role in ASSISTANT:
            own = list(_asked(turn))
            calls += own
            waiting.add(own)
        elif role in TOOL_ROLES:
            waiting.answer(turn, turn.get("tool_call_id"), failure)
        for part in _result_parts(turn):
            waiting.answer(part, part.get("tool_use_id"), failure)
    return calls


class _Waiting:
    """The calls that have no result yet, by id and by name."""

    def __init__(self) -> None:
        self._by_id: dict[str, list[dict[str, Any]]] = {}
        self._by_name: dict[str, deque[dict[str, Any]]] = {}

    def add(self, calls: Iterable[dict[str, Any]]) -> None:
        """Let calls wait."""
        for call in calls:
            self._by_name.setdefault(call["name"], deque()).append(call)
            if "id" in call:
                self._by_id.setdefault(call["id"], []).append(call)

    def answer(self, given: Mapping[str, Any], id: Any, failure: str) -> None:
        """Give a result to the call that waits for it; one that belongs to none is left out."""
        call = self._take(id, given.get("name"))
        if call is None:
            return
        text, status = _result_text(given.get("content")), given.get("status")
        call["result"] = text
        is_failure = bool(failure) and text.startswith(failure)
        if given.get("is_error") is True or status == "error" or is_failure:
            call["status"] = "error"
        elif status == "success":
            call["status"] = "success"

    def _take(self, id: Any, name: Any) -> dict[str, Any] | None:
        if isinstance(id, str):
            same_id = self._by_id.get(id)
            return same_id.pop() if same_id else None
        same_name = self._by_name.get(name) if isinstance(name, str) else None
        while same_name and "result" in same_name[0]:
            same_name.popleft()
        return same_name.popleft() if same_name else None


def _result_text(content: Any) -> str:
    """What a tool gave: its text, the texts of its parts, or JSON."""
    if isinstance(content, str):
        return content
    texts = [part.get("text") for part in _objects(content)]
    if texts and all(isinstance(text, str) for text in texts):
        return "\n".join(map(str, texts))
    return "" if content is None else dumps(content)


def _asked(turn: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The calls of one message."""
    given = [*_objects(turn.get("tool_calls"))]
    if isinstance(turn.get("function_call"), Mapping):
        given.append(turn["function_call"])
    given += [part for part in _parts(turn) if part.get("type") in ("tool_use", "tool_call")]
    seen: set[str] = set()
    for call in given:
        inner = call.get("function")
        source = inner if isinstance(inner, Mapping) else call
        name, id = source.get("name"), call.get("id")
        if not isinstance(name, str) or not name or (isinstance(id, str) and id in seen):
            continue
        names = (key for key in ("arguments", "args", "input") if source.get(key) is not None)
        result: dict[str, Any] = {"name": name, "arguments": read(source.get(next(names, ""), {}))}
        if isinstance(id, str):
            seen.add(id)
            result["id"] = id
        yield result


def usage_of(turns: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The tokens that LangChain counted in its messages, summed, and the model that it names."""
    totals: dict[str, Any] = {}
    for turn in turns:
        usage = _mapping(turn.get("usage_metadata"))
        for key, name in (
            ("input_tokens", "prompt_tokens"),
            ("output_tokens", "completion_tokens"),
        ):
            count = usage.get(key)
            if isinstance(count, int) and not isinstance(count, bool) and count >= 0:
                totals[name] = totals.get(name, 0) + count
        model = _mapping(turn.get("response_metadata")).get("model_name")
        if isinstance(model, str) and model:
            totals["model"] = model
    return totals


def _parts(turn: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The parts of a content that has several; turns keep them beside their text."""
    return _objects(turn.get("parts", turn.get("content")))


def _result_parts(turn: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [part for part in _parts(turn) if part.get("type") == "tool_result"]


def _objects(given: Any) -> list[Mapping[str, Any]]:
    return [g for g in given if isinstance(g, Mapping)] if isinstance(given, list | tuple) else []


def _mapping(given: Any) -> Mapping[str, Any]:
    return given if isinstance(given, Mapping) else {}
