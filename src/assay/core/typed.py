"""Whether an object is what its class says: for objects that were made from a file of others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from assay.core.bounds import MAX_COUNT, MAX_VALUE


def misfit(value: Any, kind: type) -> str | None:
    """The first field of an object whose value is not of its declared type; None where all are."""
    for name, hint in _fields(kind).items():
        if not fits(part := getattr(value, name), hint):
            return f"{name!r} is {part!r:.60}"
    return None


def fits(value: Any, hint: Any) -> bool:
    """Whether a value is of a type. Numbers have to be finite, and small enough to be summed."""
    origin = get_origin(hint)
    if hint is Any:
        return True
    if origin in (Union, UnionType):
        return any(fits(value, part) for part in get_args(hint))
    if origin is Literal:
        return isinstance(value, str) and value in get_args(hint)
    if origin is not None:
        return _fits_container(value, origin, get_args(hint))
    return _fits_plain(value, hint)


def _fits_plain(value: Any, kind: type) -> bool:
    if kind is float:
        return type(value) in (int, float) and abs(value) <= MAX_VALUE  # what is no number is not
    if kind is int:
        return type(value) is int and abs(value) <= MAX_COUNT
    if kind in (str, bool, NoneType):
        return type(value) is kind
    return isinstance(value, kind) and misfit(value, kind) is None


def _fits_container(value: Any, origin: type, hints: tuple[Any, ...]) -> bool:
    if origin is Mapping:
        key, part = hints
        is_mapping = isinstance(value, Mapping)
        return is_mapping and all(fits(k, key) and fits(v, part) for k, v in value.items())
    if not isinstance(value, list | tuple):
        return False
    if origin is Sequence or hints[1:] == (Ellipsis,):
        return all(fits(part, hints[0]) for part in value)
    return len(value) == len(hints) and all(map(fits, value, hints))


@cache
def _fields(kind: type) -> Mapping[str, Any]:
    """The fields of a dataclass or a named tuple, with their types."""
    return get_type_hints(kind)
