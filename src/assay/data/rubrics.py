"""Rubrics: what a judge is asked about a sample, and on which scale it answers.

The bundled ones are `rubrics/*.toml`; a team writes its own file in the same form. Each becomes the
metric `judge.<name>`, where the name is the file's:

    title = "How friendly the response is."
    question = "Is the tone of the response warm, without flattery?"
    inputs = ["query", "response"]        # the only fields that the judge is shown
    optional = ["contexts"]               # shown where the sample has them
    polarity = "higher"                   # or "lower", "neutral"
    threshold = 4
    degenerate = "lowest"                 # or "missing", "ask": what an empty response gets
    version = 1
    [scale]                               # or [[choices]] with label, value and meaning; or
                                          # [[items]] or [nodes], see rubric_steps.py
    min = 1
    max = 5
    anchors = { 1 = "cold or rude", 3 = "neutral", 5 = "warm and natural" }
    [[examples]]                          # optional; worked examples, shown to the judge
    query = "…"
    response = "…"
    answer = 5                            # a number of the scale, or a label
    reason = "…"
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import isfinite
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from assay.core.errors import ProfileError
from assay.core.jsontext import dumps
from assay.core.metric import Polarity
from assay.data.bundled_files import bundled, fingerprint, read_toml
from assay.data.rubric_steps import Checklist, RubricSteps, read_checklist, read_tree

Degenerate = Literal["lowest", "missing", "ask"]
"""What a response gets that says nothing: the worst value, no value, or the judge after all."""
SHOWN_FIELDS = (
    *("query", "response", "expected", "contexts", "gold_context", "conversation"),
    *("expected_sources", "known_facts", "candidates", "responses", "previous_responses"),
    *("translations", "expected_json", "response_json", "schema", "steps", "tool_calls"),
    *("expected_tool_calls", "language"),
)
"""The sample fields that a rubric may show to the judge; metadata is never shown."""
MAX_WHOLE = 100
"""A scale of whole numbers has at most so many steps."""
_NAME = re.compile(r"[a-z][a-z0-9_]{0,59}")
_KINDS: Mapping[str, type | tuple[type, ...]] = {
    "title": str,
    "question": str,
    "inputs": list,
    "optional": list,
    "polarity": str,
    "threshold": (int, float),
    "degenerate": str,
    "version": int,
    "scale": dict,
    "choices": list,
    "items": list,
    "nodes": dict,
    "start": str,
    "examples": list,
    "blind_spots": str,
    "source": str,
    "licence": str,
    "language": str,
}


@dataclass(frozen=True, slots=True)
class Scale:
    """Numbers from `low` to `high`."""

    low: float
    high: float
    is_whole: bool = True
    """Whether only whole numbers count."""
    anchors: tuple[tuple[float, str], ...] = ()
    """What some of the numbers mean."""


class RubricChoice(NamedTuple):
    """One of several answers."""

    label: str
    value: float
    meaning: str = ""


class RubricExample(NamedTuple):
    """A worked example."""

    fields: tuple[tuple[str, str], ...]
    """Field → text, as the judge would see it."""
    answer: float | str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Rubric:
    """A question to a judge, as plain data that can be sent to another process."""

    name: str
    title: str
    question: str
    inputs: tuple[str, ...]
    optional: tuple[str, ...]
    answers: Scale | tuple[RubricChoice, ...]
    polarity: Polarity
    threshold: float | None
    degenerate: Degenerate
    version: int
    examples: tuple[RubricExample, ...]
    blind_spots: str
    fingerprint: str
    """Changes when the file does."""
    steps: RubricSteps | None = None
    """Set where the rubric is several questions; `answers` is then the scale of their outcome."""

    @property
    def range(self) -> tuple[float, float]:
        """The lowest and the highest value."""
        if isinstance(self.answers, Scale):
            return self.answers.low, self.answers.high
        values = [choice.value for choice in self.answers]
        return min(values), max(values)

    @property
    def worst(self) -> float | None:
        """The value of the lowest quality; None where no end is better."""
        low, high = self.range
        return {"higher": low, "lower": high}.get(self.polarity)


def rubric_names() -> list[str]:
    """The bundled rubrics."""
    return [name.removesuffix(".toml") for name in bundled("rubrics")]


@cache
def _bundled_rubric(name: str) -> Rubric:
    return read_rubric(name, bundled("rubrics")[f"{name}.toml"].read_text(encoding="utf-8"))


def rubric(name: str) -> Rubric:
    """The bundled rubric of that name, or the one in the file of that path."""
    if name in rubric_names():
        return _bundled_rubric(name)
    path = Path(name)
    if path.suffix != ".toml":
        known = ", ".join(rubric_names())
        raise ProfileError(f"unknown rubric {name!r}; expected one of {known}, or a .toml file")
    try:
        return read_rubric(path.stem, path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ProfileError(f"rubric {name!r} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ProfileError(f"rubric {name!r} is not UTF-8 text") from None


def read_rubric(name: str, text: str) -> Rubric:
    """Read a rubric's text; a mistake is refused with the key and the reason."""
    where = f"rubric {name!r}"
    if not _NAME.fullmatch(name):
        raise ProfileError(f"{where}: a rubric is named in small letters, digits and _")
    table = read_toml(text, f"{name}.toml")
    _check_kinds(table, where)
    inputs, optional = _fields(table, where)
    steps = _steps(table, where)
    answers = _answers(table, where) if steps is None else _step_scale(steps)
    parsed = Rubric(
        name=name,
        title=table["title"].strip(),
        question=table["question"].strip(),
        inputs=inputs,
        optional=optional,
        answers=answers,
        polarity=_one_of(table, "polarity", "higher", get_args(Polarity), where),
        threshold=table.get("threshold"),
        degenerate=_one_of(table, "degenerate", "lowest", get_args(Degenerate), where),
        version=table.get("version", 1),
        examples=tuple(_example(e, answers, (*inputs, *optional), where) for e in _tables(table)),
        blind_spots=" ".join(table.get("blind_spots", "").split()),
        fingerprint=fingerprint(text),
        steps=steps,
    )
    _check(parsed, where)
    return parsed


def _check_kinds(table: Mapping[str, Any], where: str) -> None:
    for key in table:
        if key not in _KINDS:
            known = ", ".join(_KINDS)
            raise ProfileError(f"{where}: unknown key {key!r}; expected one of {known}")
        if not isinstance(table[key], _KINDS[key]) or isinstance(table[key], bool):
            raise ProfileError(
                f"{where}: {key!r} is {table[key]!r}; expected {_kind_name(_KINDS[key])}"
            )
    for key in ("title", "question"):
        if not table.get(key, "").strip():
            raise ProfileError(f"{where}: {key!r} is missing; expected a text")


def _kind_name(kind: type | tuple[type, ...]) -> str:
    words = {str: "a text", list: "a list", dict: "a table", int: "a whole number"}
    return "a number" if isinstance(kind, tuple) else words[kind]


def _fields(table: Mapping[str, Any], where: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The needed and the optional fields."""
    inputs, optional = tuple(table.get("inputs", ())), tuple(table.get("optional", ()))
    for name in (*inputs, *optional):
        if name not in SHOWN_FIELDS:
            known = ", ".join(SHOWN_FIELDS)
            raise ProfileError(f"{where}: no judge is shown {name!r}; expected one of {known}")
    if not inputs or len({*inputs, *optional}) < len(inputs) + len(optional):
        raise ProfileError(f"{where}: 'inputs' names no field, or a field stands twice")
    return inputs, optional


def _one_of(table: Mapping[str, Any], key: str, default: str, known: Sequence[str], w: str) -> Any:
    chosen = table.get(key, default)
    if chosen not in known:
        raise ProfileError(f"{w}: {key!r} is {chosen!r}; expected one of {', '.join(known)}")
    return chosen


def _steps(table: Mapping[str, Any], where: str) -> RubricSteps | None:
    """The checklist or decision tree of a rubric, where it is one."""
    kinds = [kind for kind in ("scale", "choices", "items", "nodes") if kind in table]
    if len(kinds) != 1:
        raise ProfileError(
            f"{where}: expected one of a table 'scale', a list 'choices', a list 'items' and a "
            "table 'nodes'"
        )
    if ("start" in table) != (kinds == ["nodes"]):
        raise ProfileError(f"{where}: 'start' names the first of the 'nodes'; expected both")
    if kinds == ["items"]:
        return read_checklist(table["items"], where)
    return read_tree(table["start"], table["nodes"], where) if kinds == ["nodes"] else None


def _step_scale(steps: RubricSteps) -> Scale:
    scores = [0.0, 1.0] if isinstance(steps, Checklist) else steps.scores
    return Scale(min(scores), max(scores), is_whole=False)


def _answers(table: Mapping[str, Any], where: str) -> Scale | tuple[RubricChoice, ...]:
    return _scale(table["scale"], where) if "scale" in table else _choices(table["choices"], where)


def _scale(table: Mapping[str, Any], where: str) -> Scale:
    if unknown := table.keys() - {"min", "max", "whole", "anchors"}:
        raise ProfileError(f"{where}: 'scale' has an unknown key {min(unknown)!r}")
    low = _number(table.get("min"), f"{where}: 'min' of the scale")
    high = _number(table.get("max"), f"{where}: 'max' of the scale")
    is_whole = table.get("whole", True)
    if not isinstance(is_whole, bool) or low >= high:
        raise ProfileError(f"{where}: a scale goes from a lower 'min' to a higher 'max'")
    if is_whole and not (low.is_integer() and high.is_integer() and high - low <= MAX_WHOLE):
        raise ProfileError(
            f"{where}: a scale of whole numbers has whole ends and at most {MAX_WHOLE} steps; "
            "whole = false allows any number"
        )
    return Scale(low, high, is_whole, _anchors(table.get("anchors", {}), low, high, where))


def _anchors(given: Any, low: float, high: float, where: str) -> tuple[tuple[float, str], ...]:
    if not isinstance(given, dict):
        raise ProfileError(f"{where}: 'anchors' is {given!r}; expected number = meaning")
    anchors = []
    for key, meaning in given.items():
        try:
            number = float(key)
        except ValueError:
            number = low - 1
        if not low <= number <= high or not isinstance(meaning, str):
            raise ProfileError(f"{where}: the anchor {key!r} is no number of the scale with a text")
        anchors.append((number, " ".join(meaning.split())))
    return tuple(sorted(anchors))


def _choices(given: Sequence[Any], where: str) -> tuple[RubricChoice, ...]:
    choices = []
    for entry in given:
        if not isinstance(entry, dict) or entry.keys() - {"label", "value", "meaning"}:
            raise ProfileError(f"{where}: a choice is {entry!r}; expected label, value and meaning")
        label, meaning = entry.get("label"), entry.get("meaning", "")
        if not isinstance(label, str) or not label.strip() or not isinstance(meaning, str):
            raise ProfileError(f"{where}: a choice has the label {label!r}; expected a text")
        value = _number(entry.get("value"), f"{where}: the value of {label!r}")
        choices.append(RubricChoice(label.strip(), value, " ".join(meaning.split())))
    if len({choice.label for choice in choices}) < max(2, len(choices)):
        raise ProfileError(f"{where}: expected two or more choices with labels of their own")
    if len({choice.value for choice in choices}) < 2:
        raise ProfileError(f"{where}: all choices have the same value")
    return tuple(choices)


def _number(given: Any, what: str) -> float:
    is_number = isinstance(given, int | float) and not isinstance(given, bool)
    if not is_number or not isfinite(given):
        raise ProfileError(f"{what} is {given!r}; expected a number")
    return float(given)


def _tables(table: Mapping[str, Any]) -> Sequence[Any]:
    examples: Sequence[Any] = table.get("examples", ())
    return examples


def _example(
    entry: Any, answers: Scale | tuple[RubricChoice, ...], fields: Sequence[str], where: str
) -> RubricExample:
    if not isinstance(entry, dict) or "answer" not in entry:
        raise ProfileError(f"{where}: an example is {entry!r}; expected fields and an 'answer'")
    shown = {name: text for name, text in entry.items() if name not in ("answer", "reason")}
    if unknown := shown.keys() - set(fields):
        raise ProfileError(f"{where}: an example has {min(unknown)!r}, which is no input")
    answer, reason = entry["answer"], entry.get("reason", "")
    if not isinstance(reason, str) or not _is_answer(answer, answers):
        raise ProfileError(f"{where}: an example's answer is {answer!r}, which is none")
    texts = ((name, shown[name]) for name in fields if name in shown)
    return RubricExample(
        tuple((name, text if isinstance(text, str) else dumps(text)) for name, text in texts),
        answer,
        " ".join(reason.split()),
    )


def _is_answer(answer: Any, answers: Scale | tuple[RubricChoice, ...]) -> bool:
    if not isinstance(answers, Scale):
        return any(answer == choice.label for choice in answers)
    if not isinstance(answer, int | float) or isinstance(answer, bool):
        return False
    is_fitting = not answers.is_whole or float(answer).is_integer()
    return is_fitting and answers.low <= answer <= answers.high


def _check(rubric: Rubric, where: str) -> None:
    """What several keys together must be."""
    low, high = rubric.range
    if rubric.threshold is not None and not low <= rubric.threshold <= high:
        raise ProfileError(f"{where}: 'threshold' is {rubric.threshold}; expected {low} to {high}")
    if rubric.polarity == "neutral":
        if rubric.threshold is not None:
            raise ProfileError(f"{where}: where no end is better there is no 'threshold'")
        if rubric.degenerate == "lowest":
            raise ProfileError(
                f"{where}: where no end is better an empty response has no lowest value; "
                'set degenerate = "missing" or "ask"'
            )
    if rubric.version < 1:
        raise ProfileError(f"{where}: 'version' is {rubric.version}; expected 1 or more")
