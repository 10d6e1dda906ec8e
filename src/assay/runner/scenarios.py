"""Scenarios: who talks to a system, what they want, and when they stop."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from assay.core import DataError
from assay.core.jsontext import dumps
from assay.samples.raw_records import records

STOP = "###STOP###"
"""What a user says at the end, unless the scenario names something else."""
MAX_TURNS = 12
"""Turns of the user, unless the scenario or the command says otherwise."""
_OWN = ("id", "persona", "goal", "stop", "max_turns", "script")


@dataclass(frozen=True, slots=True)
class Scenario:
    """One person with a goal."""

    id: str
    goal: str
    persona: str = "a person like any other"
    stop: str = STOP
    """The conversation ends when the user says this."""
    max_turns: int | None = None
    script: tuple[str, ...] = ()
    """What a scripted user says, turn by turn."""
    rest: Mapping[str, Any] = field(default_factory=dict)
    """Further fields, which the transcript keeps: `trajectory_rules`, `tags`, …"""


def read_scenarios(path: Path) -> list[Scenario]:
    """The scenarios of a file; raises `DataError` that names the first that cannot be used."""
    scenarios: dict[str, Scenario] = {}
    for place, record in records(path):
        where = f"{path.name}, {place}"
        if not isinstance(record, Mapping):
            raise DataError(f"{where}: {record if isinstance(record, Exception) else 'no object'}")
        scenario = _scenario(record, where, place.replace(" ", "-"))
        if scenario.id in scenarios:
            raise DataError(f"{where}: id {scenario.id!r} was used before; expected every id once")
        scenarios[scenario.id] = scenario
    if not scenarios:
        raise DataError(f"{str(path)!r} has no scenarios; expected at least one")
    return list(scenarios.values())


def fingerprint(scenarios: list[Scenario]) -> str:
    """A short hash of all that the scenarios say."""
    parts = [{name: getattr(s, name) for name in Scenario.__slots__} for s in scenarios]
    return sha256(dumps(parts, is_sorted=True).encode()).hexdigest()[:16]


def _scenario(record: Mapping[str, Any], where: str, default_id: str) -> Scenario:
    texts = {name: record[name] for name in _OWN[:4] if record.get(name) is not None}
    for name, value in texts.items():
        if not isinstance(value, str) or not value.strip():
            raise DataError(f"{where}: {name!r} is {value!r:.60}; expected text")
    script = record.get("script") or []
    if not isinstance(script, list) or not all(isinstance(s, str) and s.strip() for s in script):
        raise DataError(f"{where}: 'script' is {script!r:.60}; expected a list of texts")
    if "goal" not in texts and not script:
        raise DataError(f"{where}: no 'goal'; expected what the user wants, or a 'script'")
    most = record.get("max_turns")
    if most is not None and (isinstance(most, bool) or not isinstance(most, int) or most < 1):
        raise DataError(f"{where}: 'max_turns' is {most!r:.60}; expected a number of 1 or more")
    rest = {key: value for key, value in record.items() if key not in _OWN}
    given = {"id": default_id, "goal": "", **texts}
    return Scenario(**given, max_turns=most, script=tuple(script), rest=rest)
