"""What a sample asks of an agent's way to its answer: the object `trajectory_rules`.

    {"match": "superset",                           how the calls fit the expected ones
     "calls": [{"name": "refund"}],                 those, unless `expected_tool_calls` has them
     "aside": ["think"],                            calls that a match does not look at
     "before": [["log_in", "refund"]],              no call of the second without an earlier first
     "required": ["search", {"name": "refund", "at_most": 1}],
     "forbidden": ["delete_*", {"name": "refund", "arguments": {"amount": {"above": 100}}}],
     "arguments": [{"name": "refund", "arguments": {"order": {"matches": "^A-[0-9]+$"}}}],
     "budget": {"steps": 8, "tokens": 20000, "seconds": 30, "usd": 0.05},
     "goal": {"state": {"order": {"status": "refunded"}}, "says": ["14 days"]}}

Every key is optional, and one that is unknown is refused: a rule with a slip would never fail. A
call is named by its tool (`*` at the end stands for any ending) or by an object with `name` and
conditions on `arguments`: a value that the argument must equal, or an object of the words of
`CONDITIONS`, all of which must hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any, Literal, NamedTuple, get_args

from assay.core.errors import SampleError

MatchMode = Literal["strict", "unordered", "subset", "superset", "changes"]
"""`strict`: the same calls in the same order; `unordered`: in any order; `subset`: only expected
calls; `superset`: at least the expected calls; `changes`: as `unordered`, over the calls that may
change something."""
CONDITIONS = (
    *("equals", "any_of", "none_of", "above", "below", "at_least", "at_most"),
    *("matches", "contains", "present"),
)
"""Words that state a condition on an argument."""
MAX_RULES = 1000
"""Entries of one list of rules."""
_NUMBERS = ("above", "below", "at_least", "at_most")
_LISTS = ("any_of", "none_of")
_TEXTS = ("matches", "contains")


class CallPattern(NamedTuple):
    """Calls of a tool, and what must hold of their arguments."""

    name: str
    """`*` at the end stands for any ending."""
    conditions: Mapping[str, Mapping[str, Any]] = {}
    """Argument → word of `CONDITIONS` → value."""
    at_least: int = 1
    at_most: int | None = None
    """How often it is to be called, where it is required."""


class CallBudget(NamedTuple):
    """What a run may use at most; None for no limit."""

    steps: float | None = None
    tokens: float | None = None
    seconds: float | None = None
    usd: float | None = None


class Goal(NamedTuple):
    """What must hold in the end."""

    state: Any = None
    """The part of the final state that must be so; None where nothing is asked of it."""
    says: tuple[str, ...] = ()
    """Texts that the agent must have told the user."""


class TrajectoryRules(NamedTuple):
    """The rules of one sample."""

    match: MatchMode | None = None
    calls: tuple[Any, ...] | None = None
    aside: tuple[CallPattern, ...] = ()
    before: tuple[tuple[CallPattern, CallPattern], ...] = ()
    required: tuple[CallPattern, ...] = ()
    forbidden: tuple[CallPattern, ...] = ()
    arguments: tuple[CallPattern, ...] = ()
    budget: CallBudget = CallBudget()
    goal: Goal = Goal()


def read_trajectory_rules(given: Any) -> TrajectoryRules:
    """The rules; raises `SampleError` that names what is wrong."""
    table = _table(given, "trajectory_rules", TrajectoryRules._fields)
    mode = table.get("match")
    if mode is not None and mode not in get_args(MatchMode):
        raise _refusal("match", mode, f"one of {', '.join(get_args(MatchMode))}")
    return TrajectoryRules(
        mode,
        None if table.get("calls") is None else tuple(c for _, c in _entries(table, "calls")),
        tuple(_pattern(entry, place) for place, entry in _entries(table, "aside")),
        tuple(_pair(entry, place) for place, entry in _entries(table, "before")),
        tuple(_pattern(entry, place, counted=True) for place, entry in _entries(table, "required")),
        tuple(_pattern(entry, place) for place, entry in _entries(table, "forbidden")),
        tuple(_conditioned(entry, place) for place, entry in _entries(table, "arguments")),
        _budget(table.get("budget")),
        _goal(table.get("goal")),
    )


def _entries(table: Mapping[str, Any], key: str) -> list[tuple[str, Any]]:
    given = table.get(key)
    if given is None:
        return []
    if not isinstance(given, list | tuple) or len(given) > MAX_RULES:
        raise _refusal(key, given, f"a list of at most {MAX_RULES} entries")
    return [(f"{key}[{number}]", entry) for number, entry in enumerate(given)]


def _pair(given: Any, place: str) -> tuple[CallPattern, CallPattern]:
    if not isinstance(given, list | tuple) or len(given) != 2:
        raise _refusal(place, given, "two calls, the earlier first")
    return _pattern(given[0], f"{place}[0]"), _pattern(given[1], f"{place}[1]")


def _conditioned(given: Any, place: str) -> CallPattern:
    pattern = _pattern(given, place)
    if not pattern.conditions:
        raise _refusal(place, given, "an object with 'name' and 'arguments'")
    return pattern


def _pattern(given: Any, place: str, *, counted: bool = False) -> CallPattern:
    if isinstance(given, str) and given.strip():
        return CallPattern(given.strip())
    counts = ("at_least", "at_most") if counted else ()
    table = _table(given, place, ("name", "arguments", *counts))
    name = table.get("name")
    if not isinstance(name, str) or not name.strip():
        raise _refusal(f"{place}.name", name, "the name of a tool")
    arguments = _table(table.get("arguments", {}), f"{place}.arguments")
    least = _count(table.get("at_least", 1), f"{place}.at_least")
    most = table.get("at_most")
    most = None if most is None else _count(most, f"{place}.at_most")
    if most is not None and most < least:
        raise _refusal(f"{place}.at_most", most, f"at least {least}")
    conditions = {
        key: _condition(value, f"{place}.arguments.{key}") for key, value in arguments.items()
    }
    return CallPattern(name.strip(), conditions, least, most)


def _condition(given: Any, place: str) -> Mapping[str, Any]:
    """What must hold of an argument; a plain value means that it equals that."""
    if not isinstance(given, Mapping) or not given or given.keys().isdisjoint(CONDITIONS):
        return {"equals": given}
    table = _table(given, place, CONDITIONS)
    for word, value in table.items():
        if word in _NUMBERS and not _is_number(value):
            raise _refusal(f"{place}.{word}", value, "a number")
        if word in _LISTS and not isinstance(value, list | tuple):
            raise _refusal(f"{place}.{word}", value, "a list of values")
        if word in _TEXTS and not isinstance(value, str):
            raise _refusal(f"{place}.{word}", value, "text")
        if word == "present" and not isinstance(value, bool):
            raise _refusal(f"{place}.{word}", value, "true or false")
    return table


def _budget(given: Any) -> CallBudget:
    if given is None:
        return CallBudget()
    table = _table(given, "budget", CallBudget._fields)
    for key, value in table.items():
        if not _is_number(value) or value < 0:
            raise _refusal(f"budget.{key}", value, "a number of 0 or more")
    return CallBudget(**table)


def _goal(given: Any) -> Goal:
    if given is None:
        return Goal()
    table = _table(given, "goal", Goal._fields)
    state = table.get("state")
    if state is not None and (not isinstance(state, Mapping) or not state):
        raise _refusal("goal.state", state, "an object that is not empty")
    says = table.get("says", ())
    if not isinstance(says, list | tuple) or not all(isinstance(s, str) and s for s in says):
        raise _refusal("goal.says", says, "a list of texts")
    return Goal(state, tuple(says))


def _table(given: Any, place: str, known: tuple[str, ...] | None = None) -> Mapping[str, Any]:
    if not isinstance(given, Mapping):
        raise _refusal(place, given, "an object")
    unknown = [key for key in given if not isinstance(key, str) or (known and key not in known)]
    if unknown:
        raise SampleError(
            f"{place!r} has the unknown key {unknown[0]!r:.60}; "
            f"expected {', '.join(known or ('texts',))}"
        )
    return given


def _count(given: Any, place: str) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or not 0 <= given <= MAX_RULES:
        raise _refusal(place, given, f"a whole number from 0 to {MAX_RULES}")
    return given


def _is_number(given: Any) -> bool:
    return isinstance(given, int | float) and not isinstance(given, bool) and isfinite(given)


def _refusal(place: str, given: Any, expected: str) -> SampleError:
    where = place if place.startswith("trajectory_rules") else f"trajectory_rules.{place}"
    kind = "an object" if isinstance(given, Mapping) else f"{given!r:.60}"
    return SampleError(f"{where!r} is {kind}; expected {expected}")
