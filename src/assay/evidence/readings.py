"""How fields of labelled records are read that are not as samples have them, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from assay.core import SampleError
from assay.core.jsontext import loads
from assay.samples.transcripts import TAU_ERROR, calls_of, solution_rules

LEFT_OUT = ""
"""Among the accepted values of an argument: it may be left out."""


def json_value(value: Any) -> Any:
    """What a JSON text says."""
    if not isinstance(value, str):
        return value
    try:
        return loads(value)
    except ValueError as error:
        raise SampleError(f"{value[:60]!r} is no JSON: {error}") from None


def accepted_calls(value: Any) -> list[dict[str, Any]]:
    """Expected tool calls from the accepted answers of the Berkeley function-calling set.

    `[{"get_weather": {"city": ["Paris"], "unit": ["C", ""]}}]` asks for one call of `get_weather`
    whose argument `city` is one of the listed values; an empty text means that the argument may be
    left out.
    """
    calls = json_value(value)
    if not isinstance(calls, list) or not all(isinstance(call, Mapping) for call in calls):
        raise SampleError(f"accepted calls are {calls!r:.60}; expected a list of objects")
    return [
        {"name": name, "arguments": {key: _accepted(given) for key, given in arguments.items()}}
        for call in calls
        for name, arguments in call.items()
    ]


def _accepted(values: Any) -> Any:
    """An argument that may have any of the listed values; null where it may be left out."""
    if not isinstance(values, list):
        return values
    return {"any_of": [None if value == LEFT_OUT else _inner(value) for value in values]}


def _inner(value: Any) -> Any:
    """An object as accepted value lists the accepted values of its own keys."""
    if not isinstance(value, Mapping):
        return value
    return {key: _accepted(inner) for key, inner in value.items()}


def tau_calls(value: Any) -> list[dict[str, Any]]:
    """The calls of a run of τ-bench, from its messages."""
    if not isinstance(value, list):
        raise SampleError(f"messages are {value!r:.60}; expected a list")
    return calls_of([turn for turn in value if isinstance(turn, Mapping)], TAU_ERROR)


def tau_rules(value: Any) -> dict[str, Any]:
    """The rules for a run of τ-bench, from the calls of its annotated solution."""
    actions = json_value(value)
    if not isinstance(actions, list):
        raise SampleError(f"a solution is {actions!r:.60}; expected a list of calls")
    return solution_rules(actions)


READINGS: Mapping[str, Callable[[Any], Any]] = {
    "accepted_calls": accepted_calls,
    "json": json_value,
    "tau_calls": tau_calls,
    "tau_rules": tau_rules,
}
"""What an experiment may name under `[readings]`."""
