"""An agent's calls as the steps of its way, and the rules that a sample sets for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from assay.core import Span, feature
from assay.core.jsontext import dumps
from assay.core.trajectory_rules import TrajectoryRules, read_trajectory_rules
from assay.features.tool_calls import Call, read_call

SHOWN = 20
"""Offending steps that are marked and listed; the explanation counts all."""
MAX_SHOWN = 200
"""Characters of the arguments that a result lists."""


class Step(NamedTuple):
    """One call and its place among all calls of the sample, from 0."""

    place: int
    call: Call
    given: Any
    """The call as the sample has it."""


Steps = tuple[Step, ...]


class Offence(NamedTuple):
    """A step that breaks a rule, and how."""

    step: Step
    problem: str


@feature()
def trajectory(tool_calls: tuple[Any, ...]) -> Steps:
    """The calls that were made, in their order."""
    return tuple(Step(n, read_call(given), given) for n, given in enumerate(tool_calls))


@feature()
def checked_rules(trajectory_rules: Mapping[str, Any]) -> TrajectoryRules:
    """The rules of the sample, read."""
    return read_trajectory_rules(trajectory_rules)


def spans(offences: list[Offence]) -> tuple[Span, ...]:
    """The offending steps as evidence: each marks its whole call, as JSON text."""
    return tuple(
        Span(f"tool_calls[{step.place}]", 0, len(call_text(step.given)), problem)
        for step, problem in offences[:SHOWN]
        if step.given is not None and call_text(step.given)
    )


def listed(offences: list[Offence]) -> list[dict[str, Any]]:
    """The offending steps for a result's details: index, name, arguments and problem."""
    return [
        {
            "index": step.place,
            "name": step.call.name,
            "arguments": shown(step.call.arguments),
            "problem": problem,
        }
        for step, problem in offences[:SHOWN]
    ]


def call_text(given: Any) -> str:
    """A call as text: its name where it is no more than that, else JSON."""
    return given if isinstance(given, str) else dumps(given)


def shown(value: Any, most: int = MAX_SHOWN) -> str:
    """A value as JSON text, cut where it is long, on one line."""
    text = dumps(value)
    text = text if len(text) <= most else f"{text[: most - 1]}…"
    return "".join(char if char.isprintable() else "\ufffd" for char in text)


def named(step: Step) -> str:
    """A step as an explanation names it: its place as people count, and its tool."""
    return f"call {step.place + 1} ({shown(step.call.name, 60)})"


def call_key(call: Call) -> str:
    """What two calls have in common that ask for the same: the tool and all arguments."""
    return dumps([call.name, call.arguments], is_sorted=True)
