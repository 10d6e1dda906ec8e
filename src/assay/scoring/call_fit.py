"""Whether the tool calls that were made do what was expected, call by call and in order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Any, Literal, NamedTuple

from assay.data.bundled_files import read_bundled_toml
from assay.features.offered_tools import Tool, Tools
from assay.features.tool_calls import Call, Calls, best_assignment
from assay.jsoncompare.spellings import compare_spellings

Order = Literal["auto", "strict", "any"]
"""`auto`: two calls keep their order where one of them changes something that both name."""
MAX_PAIRS = 2_500
"""Calls made times calls expected beyond which they are paired in their order."""
MAX_SHOWN = 60
_NAME_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_UNKNOWN = Tool("", {}, frozenset(), False)


class CallFit(NamedTuple):
    """What was found of the calls."""

    right: int
    """Expected calls that were made as expected."""
    problems: tuple[str, ...]
    """What is wrong, each as a sentence without its end."""


def fit_calls(made: Calls, expected: Calls, tools: Tools, order: Order) -> CallFit:
    """Pair the calls, and say what is wrong with each."""
    pairs = _pairs(made, expected, tools)
    problems: list[str] = []
    right: list[tuple[int, int]] = []
    for one, other in pairs:
        wrong = list(call_problems(made[one], expected[other], tools))
        problems += wrong
        if not wrong:
            right.append((one, other))
    paired, met = {one for one, _ in pairs}, {other for _, other in pairs}
    problems += [f"{_name(c)} was not called" for n, c in enumerate(expected) if n not in met]
    problems += [
        f"{_name(c)} was called, which nobody expected"
        for n, c in enumerate(made)
        if n not in paired
    ]
    swapped = _swapped(right, expected, tools, order)
    problems += [
        f"{_name(expected[late])} was called before {_name(expected[early])}, which must come first"
        for early, late in swapped
    ]
    late_calls = {late for _, late in swapped}
    return CallFit(sum(other not in late_calls for _, other in right), tuple(problems))


def _pairs(made: Calls, expected: Calls, tools: Tools) -> list[tuple[int, int]]:
    """Calls of the same name paired so that most do what is expected."""
    pairs: list[tuple[int, int]] = []
    for name in dict.fromkeys(call.name for call in expected):
        rows = [n for n, call in enumerate(made) if call.name == name]
        columns = [n for n, call in enumerate(expected) if call.name == name]
        if not rows or len(rows) * len(columns) > MAX_PAIRS:
            pairs += zip(rows, columns, strict=False)
            continue
        fits = [
            [1.0 / (1 + len(list(call_problems(made[r], expected[c], tools)))) for c in columns]
            for r in rows
        ]
        pairs += [(rows[row], columns[column]) for row, column in best_assignment(fits)]
    return pairs


def call_problems(made: Call, expected: Call, tools: Tools) -> Iterator[str]:
    """What is wrong with a call that was made for an expected one of the same name."""
    tool = tools.get(made.name, _UNKNOWN)
    if made.succeeded is False:
        yield f"{_name(made)} failed"
        return
    given = made.arguments or {}
    for key in sorted(tool.required - given.keys()):
        yield f"{_name(made)} was called without {key!r}, which it requires"
    if tool.is_closed:
        for key in given:
            if key not in tool.parameters:
                yield f"{_name(made)} was called with {key[:MAX_SHOWN]!r}, which it does not take"
    if expected.arguments is None:
        return
    for key, wanted in expected.arguments.items():
        if key not in given:
            if not (key in tool.required or _is_default(wanted, tool.parameters.get(key))):
                yield f"{_name(made)} was called without {key!r}"
        elif reason := _difference(key, given[key], wanted, tool.parameters.get(key)):
            yield f"{_name(made)} was called with another {key!r}: {reason}"
    for key, value in given.items():
        is_known = key in expected.arguments or (tool.is_closed and key not in tool.parameters)
        if not is_known and value is not None and not _is_default(value, tool.parameters.get(key)):
            yield f"{_name(made)} was called with {key[:MAX_SHOWN]!r}, which nobody expected"


def _is_default(value: Any, schema: Mapping[str, Any] | None) -> bool:
    """Whether leaving a parameter out means the same as giving it this value."""
    if value is None:
        return True
    if _is_choice(value):
        return any(_is_default(one, schema) for one in value["any_of"])
    return schema is not None and "default" in schema and schema["default"] == value


def _difference(key: str, value: Any, wanted: Any, schema: Mapping[str, Any] | None) -> str:
    """Why an argument is not the expected one; empty where it is."""
    if _is_choice(wanted):
        reasons = [_difference(key, value, one, schema) for one in wanted["any_of"]]
        return "" if "" in reasons else next(iter(reasons), "")
    if isinstance(wanted, Mapping) and isinstance(value, Mapping):
        return _object_difference(value, wanted, schema)
    if schema is not None and isinstance(schema.get("enum"), list):
        is_same = str(value).strip() == str(wanted).strip()
        return "" if is_same else f"{_shown(value)} where {_shown(wanted)} is expected"
    match = compare_spellings(key, wanted, value)
    return "" if match.is_same else match.reason


def _is_choice(wanted: Any) -> bool:
    """Whether an expected value stands for several accepted ones."""
    return isinstance(wanted, Mapping) and list(wanted) == ["any_of"]


def _object_difference(
    value: Mapping[str, Any], wanted: Mapping[str, Any], schema: Mapping[str, Any] | None
) -> str:
    listed = (schema or {}).get("properties")
    parts = listed if isinstance(listed, Mapping) else {}
    for key in [*wanted, *(key for key in value if key not in wanted)]:
        if key not in value or key not in wanted:
            side = wanted if key in wanted else value
            if not _is_default(side[key], parts.get(key)):
                return f"{key!r} is in one of the two only"
        elif reason := _difference(key, value[key], wanted[key], parts.get(key)):
            return f"{key!r}: {reason}"
    return ""


def _swapped(
    right: Sequence[tuple[int, int]], expected: Calls, tools: Tools, order: Order
) -> list[tuple[int, int]]:
    """Expected calls that came in the other order where the order matters."""
    if order == "any":
        return []
    place = {other: one for one, other in right}
    return [
        (early, late)
        for early, late in combinations(sorted(place), 2)
        if place[early] > place[late]
        and (order == "strict" or _depend(expected[early], expected[late], tools))
    ][:MAX_SHOWN]


def _depend(one: Call, other: Call, tools: Tools) -> bool:
    """Whether one of two different tools changes something that both name, or must come first."""
    if one.name == other.name:
        return False
    if _says_first(one, other, tools):
        return True
    if only_reads(one.name) and only_reads(other.name):
        return False
    return not _values(one).isdisjoint(_values(other))


def _says_first(one: Call, other: Call, tools: Tools) -> bool:
    """Whether the description of either tool says that the first one comes before the other."""
    early = tools.get(one.name, _UNKNOWN).description.lower()
    late = tools.get(other.name, _UNKNOWN).description.lower()
    is_first = any(phrase in early for phrase in _order_words("first"))
    is_named = one.name.lower() in late and any(p in late for p in _order_words("after"))
    needs = any(phrase in late for phrase in _order_words("needs"))
    return is_first or is_named or (needs and any(p in early for p in _order_words("opens")))


@cache
def _order_words(kind: str) -> tuple[str, ...]:
    return tuple(read_bundled_toml("tool_names.toml")["order"][kind])


def _values(call: Call) -> set[str]:
    """The texts and numbers that a call names; yes and no, and small numbers, name nothing."""
    return {
        str(value).strip().lower()
        for value in (call.arguments or {}).values()
        if isinstance(value, str | int) and not isinstance(value, bool) and len(str(value)) > 2
    }


def only_reads(name: str) -> bool:
    """Whether the name of a tool says that it changes nothing."""
    parts = [part.lower() for part in _NAME_PART.findall(name)]
    return any(part in _reading_verbs() for part in parts[:2])


@cache
def _reading_verbs() -> frozenset[str]:
    return frozenset(read_bundled_toml("tool_names.toml")["reading"])


def _name(call: Call) -> str:
    return _shown(call.name)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 1]}…"
