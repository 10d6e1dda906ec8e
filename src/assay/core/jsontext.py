"""The one reader and the one writer of JSON text.

Strict where Python is lenient: duplicate keys, NaN and infinities are refused, and depth or
digits that would crash a parser become an ordinary `ValueError` with a clear reason.
"""

from __future__ import annotations

import json
from typing import Any

MAX_DEPTH = 500
"""Deeper nesting is refused; Python's own parser gives up near a thousand levels."""


def loads(text: str) -> Any:
    """Read JSON text; raises `ValueError` whose message is fit for people."""
    try:
        value = _DECODER.decode(text.removeprefix("\ufeff"))
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    except json.JSONDecodeError as error:
        raise ValueError(f"{error.msg} at character {error.pos + 1}") from None
    if text.count("[") + text.count("{") > MAX_DEPTH and _depth(value) > MAX_DEPTH:
        raise ValueError(_TOO_DEEP)
    return value


def dumps(value: Any, indent: int | None = None) -> str:
    """Write JSON text that any strict parser reads back to the same value.

    Text stays readable (no escapes for Arabic); a lone surrogate, which UTF-8 cannot hold, makes
    the whole value fall back to escapes.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    try:
        text.encode()
    except UnicodeEncodeError:
        text = json.dumps(value, ensure_ascii=True, allow_nan=False, indent=indent)
    return text


_TOO_DEEP = f"nested deeper than {MAX_DEPTH} levels"


def _depth(value: Any) -> int:
    """How many lists and objects lie inside each other, without recursion."""
    depth, level = 0, [value]
    while level:
        level = [part for part in level if isinstance(part, dict | list)]
        depth += bool(level)
        level = [
            child for part in level for child in (part.values() if isinstance(part, dict) else part)
        ]
    return depth


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {twice!r} appears twice")
    return found


def _number(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise ValueError(f"the number {text[:20]} is too large")
    return value


def _integer(text: str) -> int:
    if len(text) > 400:
        raise ValueError(f"the number {text[:20]}… has {len(text)} digits; expected at most 400")
    return int(text)


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object,
    parse_constant=_refuse_constant,
    parse_float=_number,
    parse_int=_integer,
)
