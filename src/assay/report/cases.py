"""The cases that lie beside a metric: its worked examples, and its tests.

[[case]]
why = "a longer word that begins like a hedge is no hedge"
response = "The mighty river rose."      # sample fields, by their own names
options = { min_words = 5 }              # options of the metric
value = 0.0                              # what is expected: value, state, passed, evidence
"""

from __future__ import annotations

import inspect
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, get_args

from assay.core import DataError, Metric, Sample, State

TOLERANCE = 1e-9
_EXPECTED = ("why", "options", "value", "tolerance", "state", "passed", "evidence")
_SAMPLE_FIELDS = frozenset(field.name for field in fields(Sample))


@dataclass(frozen=True, slots=True)
class Case:
    """One sample and what the metric says about it."""

    why: str
    fields: Mapping[str, Any]
    """The sample's fields, as they would stand in a file."""
    options: Mapping[str, Any]
    value: float | None
    """None when there is no value."""
    tolerance: float
    state: State
    passed: bool | None
    """None when the case does not speak of it."""
    evidence: tuple[str, ...] | None
    """The words of the evidence; None when the case does not speak of it."""


def read_cases(metric: Metric) -> list[Case]:
    """The cases of a metric; none when no file lies beside it."""
    name = metric.name.rpartition(".")[2]
    path = Path(inspect.getfile(metric.function)).with_name(f"{name}.cases.toml")
    if not path.is_file():
        return []
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8")).get("case", [])
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"{path.name}: not valid TOML: {error}") from None
    return [_case(table, path.name) for table in tables]


def _case(table: Mapping[str, Any], file_name: str) -> Case:
    why = table.get("why", "")
    if not why:
        raise DataError(f"{file_name}: a case has no 'why'; expected a sentence")
    given = {name: value for name, value in table.items() if name not in _EXPECTED}
    for name in given.keys() - _SAMPLE_FIELDS:
        raise DataError(f"{file_name}, {why!r}: {name!r} is no field of a sample")
    if table.keys().isdisjoint(("value", "state")):
        raise DataError(f"{file_name}, {why!r}: nothing is expected; give 'value' or 'state'")
    state = table.get("state", "ok")
    if state not in get_args(State):
        raise DataError(f"{file_name}, {why!r}: {state!r} is no state")
    evidence = table.get("evidence")
    return Case(
        why=why,
        fields=given,
        options=table.get("options", {}),
        value=table.get("value"),
        tolerance=table.get("tolerance", TOLERANCE),
        state=state,
        passed=table.get("passed"),
        evidence=None if evidence is None else tuple(evidence),
    )
