"""JSON documents of a sample, read strictly: as objects, or as JSON text.

A ground truth that cannot be read is an error. An output that cannot be read is a finding: the
model was asked for JSON and gave something else, so it is kept with the reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

from assay.core import SampleError
from assay.core.json_repair import repair
from assay.core.jsontext import MAX_DEPTH, load_document

_SCALARS = (str, int, float, bool, type(None))
_PLAIN = frozenset((str, int, bool, type(None)))
_TEXT = frozenset((str,))
_OPEN = (dict, list)


@dataclass(frozen=True, slots=True)
class JsonDocument:
    """A document, or why it is none."""

    value: Any = None
    problem: str = ""
    """Why the text is not JSON; empty when it is."""
    field: str = ""
    """The sample's field that holds its text; empty for a document that was given as an object."""
    text: str = ""
    repairs: tuple[str, ...] = ()
    """What was done to damaged text to read it."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know."""
        return (f"repaired: {', '.join(self.repairs)}",) if self.repairs else ()


def read_document(value: Any, field: str = "") -> JsonDocument:
    """A document from JSON text or from an object."""
    if isinstance(value, str):
        try:
            return JsonDocument(load_document(value), field=field, text=value)
        except ValueError as error:
            return JsonDocument(problem=str(error), field=field, text=value)
    if problem := _problem(value):
        return JsonDocument(problem=problem)
    return JsonDocument(value)


def read_output(value: Any, field: str, *, is_repaired: bool) -> JsonDocument:
    """An output; damaged text is read as well as it can be where that is asked for."""
    document = read_document(value, field)
    if not document.problem or not is_repaired or not isinstance(value, str):
        return document
    try:
        repaired, repairs = repair(value)
    except ValueError as error:
        return replace(document, problem=str(error))
    return JsonDocument(repaired, field=field, text=value, repairs=repairs)


def read_ground_truth(value: Any, depth: str) -> JsonDocument:
    """The ground truth; raises `SampleError` where it is not what fields can be taken from."""
    document = read_document(value, "expected_json")
    if document.problem:
        raise SampleError(f"the ground truth is not JSON: {document.problem}")
    kinds = (dict,) if depth == "top" else (dict, list)
    if not isinstance(document.value, kinds):
        expected = "an object" if depth == "top" else "an object or a list"
        raise SampleError(f"the ground truth is {kind_of(document.value)}; expected {expected}")
    return document


def kind_of(value: Any) -> str:
    """What a JSON value is, in words."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    return "text" if isinstance(value, str) else "a number"


def words_of(document: JsonDocument) -> str:
    """All keys and values of a document, one a line, as people read them.

    JSON text would not do: in it a line break before a word is a letter n.
    """
    if document.problem:
        return document.text
    lines: list[str] = []
    opened: list[Iterator[tuple[Any, Any]]] = [iter(((0, document.value),))]
    while opened:
        for key, value in opened[-1]:
            if key.__class__ is not int:
                lines.append(key)
            kind = value.__class__
            if kind is str:
                lines.append(value)
            elif kind is int or kind is float:
                lines.append(str(value))
            elif isinstance(value, _OPEN):
                opened.append(iter(value.items() if isinstance(value, dict) else enumerate(value)))
                break
            elif value is not None and kind is not bool:
                lines.append(str(value))
        else:
            opened.pop()
    return "\n".join(lines)


def _problem(value: Any) -> str:
    """Why a Python value is no JSON document, without recursion; empty when it is one."""
    level: list[Any] = [[value]]
    depth = 0
    while level:
        depth += 1
        below: list[Any] = []
        for holder in level:
            if problem_in := _problem_in(holder, below):
                return problem_in
            if holder and depth > MAX_DEPTH + 1:
                return f"nested deeper than {MAX_DEPTH} levels"
        level = below
    return ""


def _problem_in(holder: Any, below: list[Any]) -> str:
    """Why an object or a list is no JSON; those inside are added to the ones below."""
    children = holder
    if isinstance(holder, dict):
        if not _TEXT.issuperset(map(type, holder)):
            for key in holder:
                if not isinstance(key, str):
                    return f"the key {key!r} is not text"
        children = holder.values()
    for child in children:
        kind = child.__class__
        if kind in _PLAIN or (kind is float and isfinite(child)):
            continue
        if isinstance(child, _OPEN):
            below.append(child)
        elif not isinstance(child, _SCALARS):
            return f"a value of type {type(child).__name__!r} is not JSON"
        elif isinstance(child, float) and not isfinite(child):
            return f"{child} is not a JSON number"
    return ""
