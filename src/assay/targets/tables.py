"""Reads the description of a target from a table, such as a TOML file gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields
from difflib import get_close_matches
from typing import Any, NoReturn, TypeVar

from assay.core.errors import ProfileError

Spec = TypeVar("Spec")


def read_table(kind: str, spec: type[Spec], given: Mapping[str, Any]) -> Spec:
    """The description as a dataclass `spec`, whose fields are the settings that there are.

    Raises `ProfileError` for settings that are unknown, absent or of another type; what they say
    is for the dataclass to check.
    """
    known = {field.name: field for field in fields(spec)}  # type: ignore[arg-type] # a dataclass
    for name, value in given.items():
        if name not in known:
            unknown(f"the {kind} target has no setting {name!r}", name, list(known))
        is_right, words = _check(str(known[name].type))
        if not is_right(value):
            raise ProfileError(f"{name!r} of the {kind} target is {value!r}; expected {words}")
    for name, field in known.items():
        if name not in given and field.default is MISSING and field.default_factory is MISSING:
            raise ProfileError(f"the {kind} target has no {name!r}")
    lists = [name for name in given if str(known[name].type).startswith("tuple[")]
    return spec(**{**given, **{name: tuple(given[name]) for name in lists}})


def unknown(words: str, name: str, known: Sequence[str]) -> NoReturn:
    """Refuse a name, with the one that was perhaps meant."""
    near = get_close_matches(name, known, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else f"; expected one of {', '.join(known)}"
    raise ProfileError(words + hint)


_Check = tuple[Callable[[Any], bool], str]


def _check(annotation: str) -> _Check:
    """What tells whether a value fits a field, and the words for it; text unless it is known."""
    return _CHECKS.get(annotation, (lambda value: isinstance(value, str), "text"))


def _is_table(value: Any) -> bool:
    return isinstance(value, Mapping)


_CHECKS: Mapping[str, _Check] = {
    "Any": (lambda value: True, "anything"),
    "bool": (lambda value: isinstance(value, bool), "true or false"),
    "float": (lambda value: type(value) in (int, float), "a number"),
    "Mapping[str, Any]": (_is_table, "a table"),
    "Mapping[str, str]": (
        lambda value: _is_table(value) and all(isinstance(part, str) for part in value.values()),
        "a table of texts",
    ),
    "tuple[str, ...]": (
        lambda value: type(value) is list and all(isinstance(part, str) for part in value),
        "a list of texts",
    ),
}
