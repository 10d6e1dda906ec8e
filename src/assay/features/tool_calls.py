"""Tool calls as tools write them, and how well those made fit those expected.

A call is a name, or an object with name and arguments in one of the usual forms: arguments may be
called `arguments`, `args`, `input`, `input_parameters`, `parameters`, …, and may be JSON text, as
in OpenAI's form. Where it tells how the call ended (`success`, `is_error`, `error`, `status`), that
is kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from assay.core import feature
from assay.core.jsontext import loads
from assay.features.normal import normal as normal_feature

MAX_MATCHED = 2_500
"""Calls made times calls expected of one name; beyond, equal calls are paired first and the rest
in their order."""
_INNER = ("function", "function_call", "functionCall", "tool_call")
_NAMES = ("name", "tool", "tool_name", "toolName")
_ARGUMENTS = (
    "arguments",
    "args",
    "input",
    "input_parameters",
    "inputParameters",
    "parameters",
    "params",
    "tool_input",
    "kwargs",
)
_SUCCEEDED = ("success", "succeeded", "ok", "completed", "done", "passed")
_FAILED = ("error", "failed", "failure", "timeout", "cancelled", "canceled")


class Call(NamedTuple):
    """One call of a tool."""

    name: str
    arguments: Mapping[str, Any] | None
    """None when the call says nothing of them."""
    succeeded: bool | None
    """None when the call does not tell."""


Calls = tuple[Call, ...]


class Pair(NamedTuple):
    """A call that was made for one that was expected, and how well it fits, from 0 to 1."""

    made: int
    expected: int
    fit: float


@feature()
def made_calls(tool_calls: tuple[Any, ...]) -> Calls:
    """The tool calls that were made."""
    return tuple(map(read_call, tool_calls))


@feature()
def wanted_calls(expected_tool_calls: tuple[Any, ...]) -> Calls:
    """The tool calls that were expected."""
    return tuple(map(read_call, expected_tool_calls))


def read_call(given: Any) -> Call:
    """A call in any of the usual forms; one without a name gets an empty one."""
    if not isinstance(given, Mapping):
        return Call(given.strip() if isinstance(given, str) else "", None, None)
    inner: Mapping[str, Any] = next(
        (given[key] for key in _INNER if isinstance(given.get(key), Mapping)), {}
    )
    call = {**given, **inner}
    name = next((call[key] for key in _NAMES if isinstance(call.get(key), str)), "")
    arguments = next((call[key] for key in _ARGUMENTS if call.get(key) is not None), None)
    return Call(name.strip(), _arguments(arguments), _outcome(call))


def fit(made: Call, expected: Call) -> float:
    """How well a call fits: 0 for another tool or a failed call, else the share of arguments.

    Arguments that only one of the two has count as wrong; where the expected call says nothing of
    arguments, the name is enough.
    """
    if made.name != expected.name or not made.name or made.succeeded is False:
        return 0.0
    if expected.arguments is None:
        return 1.0
    given = made.arguments or {}
    keys = given.keys() | expected.arguments.keys()
    right = [key for key in keys if key not in wrong_arguments(made, expected)]
    return len(right) / len(keys) if keys else 1.0


def wrong_arguments(made: Call, expected: Call) -> set[str]:
    """The arguments that differ, lack or are too many."""
    if expected.arguments is None:
        return set()
    given = made.arguments or {}
    return {
        key
        for key in given.keys() | expected.arguments.keys()
        if key not in given
        or key not in expected.arguments
        or not is_same(given[key], expected.arguments[key])
    }


def is_same(one: Any, other: Any) -> bool:
    """Whether two values mean the same.

    Numbers are compared by value, also where one is text; texts without regard to blanks at the
    ends and forms of characters; lists in order; objects key by key.
    """
    open_pairs = [(one, other)]
    while open_pairs:
        a, b = open_pairs.pop()
        if isinstance(a, Mapping) and isinstance(b, Mapping):
            if a.keys() != b.keys():
                return False
            open_pairs.extend((a[key], b[key]) for key in a)
        elif isinstance(a, list | tuple) and isinstance(b, list | tuple):
            if len(a) != len(b):
                return False
            open_pairs.extend(zip(a, b, strict=True))
        elif _plain(a) != _plain(b):
            return False
    return True


def match(made: Calls, expected: Calls) -> list[Pair]:
    """The pairs of calls whose fits add up to most, whatever the order; each call is in one."""
    pairs = []
    for name in dict.fromkeys(call.name for call in expected):
        rows = [place for place, call in enumerate(made) if call.name == name]
        columns = [place for place, call in enumerate(expected) if call.name == name]
        if len(rows) * len(columns) > MAX_MATCHED:
            chosen = _by_text([made[row] for row in rows], [expected[c] for c in columns])
        else:
            fits = [[fit(made[row], expected[column]) for column in columns] for row in rows]
            chosen = best_assignment(fits)
        for row, column in chosen:
            one, other = rows[row], columns[column]
            pairs.append(Pair(one, other, fit(made[one], expected[other])))
    return pairs


def _by_text(made: Sequence[Call], expected: Sequence[Call]) -> list[tuple[int, int]]:
    """Calls with equal arguments paired, then the rest in their order; in linear time."""
    waiting: dict[str, list[int]] = {}
    for column in reversed(range(len(expected))):
        waiting.setdefault(repr(expected[column].arguments), []).append(column)
    equal = {
        row: columns.pop()
        for row, call in enumerate(made)
        if call.succeeded is not False and (columns := waiting.get(repr(call.arguments)))
    }
    taken = frozenset(equal.values())
    rows = (row for row in range(len(made)) if row not in equal)
    columns_left = (column for column in range(len(expected)) if column not in taken)
    return [*equal.items(), *zip(rows, columns_left, strict=False)]


def best_assignment(fits: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """Rows and columns paired so that the fits add up to most (Kuhn 1955, Munkres 1957).

    Rows enter one by one; each looks for the cheapest way to a free column, along which the earlier
    pairs are shifted. Prices of rows and columns keep every cost from falling below 0.
    """
    if fits and len(fits) > len(fits[0]):
        turned = list(zip(*fits, strict=True))
        return sorted((row, column) for column, row in best_assignment(turned))
    width = len(fits[0]) if fits else 0
    row_price = [0.0] * (len(fits) + 1)
    column_price = [0.0] * (width + 1)
    owner = [0] * (width + 1)  # the row of each column, from 1; column 0 holds the row that enters
    for entering in range(1, len(fits) + 1):
        owner[0], column = entering, 0
        slack = [float("inf")] * (width + 1)
        came_from = [0] * (width + 1)
        used = [False] * (width + 1)
        while owner[column]:
            used[column] = True
            row, nearest, step = owner[column], 0, float("inf")
            for other in range(1, width + 1):
                if used[other]:
                    continue
                cost = -fits[row - 1][other - 1] - row_price[row] - column_price[other]
                if cost < slack[other]:
                    slack[other], came_from[other] = cost, column
                if slack[other] < step:
                    nearest, step = other, slack[other]
            for other in range(width + 1):
                if used[other]:
                    row_price[owner[other]] += step
                    column_price[other] -= step
                else:
                    slack[other] -= step
            column = nearest
        while column:
            owner[column] = owner[came_from[column]]
            column = came_from[column]
    return sorted(
        (owner[column] - 1, column - 1) for column in range(1, width + 1) if owner[column]
    )


def _arguments(arguments: Any) -> Mapping[str, Any] | None:
    """Arguments as a mapping; those that are none are one argument without a name."""
    if isinstance(arguments, str):
        try:
            arguments = loads(arguments) if arguments.strip() else {}
        except ValueError:
            return {"": arguments}
    if arguments is None or isinstance(arguments, Mapping):
        return arguments
    return {"": arguments}


def _outcome(call: Mapping[str, Any]) -> bool | None:
    """Whether the call succeeded, where it tells."""
    for key, meaning in (("success", True), ("succeeded", True), ("is_error", False)):
        if isinstance(call.get(key), bool):
            return bool(call[key] is meaning)
    if call.get("error"):
        return False
    status = call.get("status")
    word = status.strip().lower() if isinstance(status, str) else ""
    return True if word in _SUCCEEDED else False if word in _FAILED else None


def _plain(value: Any) -> Any:
    """A scalar in the form that is compared: numbers as numbers, also those written as text."""
    if isinstance(value, str):
        text = normal_feature.feature(value).text.strip()
        return _number(text) or text
    if isinstance(value, bool | int | float):
        return (type(value) is bool, value)
    return value


def _number(text: str) -> tuple[bool, float] | None:
    """The JSON number that the text spells."""
    if len(text) > 40 or not text[-1:].isdigit():
        return None
    try:
        number = loads(text)
    except ValueError:
        return None
    return (False, number) if isinstance(number, int | float) else None
