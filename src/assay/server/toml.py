"""Plain data as TOML text, for profiles that were put together on a page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date, time
from typing import Any

from assay.core import ProfileError

MAX_DEPTH = 20
"""Tables and lists inside each other; a profile needs three."""


def toml_text(table: Mapping[str, Any]) -> str:
    """The table as text that reads back to the same values."""
    lines = [f"{_text(key)} = {_value(value, 0)}" for key, value in table.items()]
    return "".join(f"{line}\n" for line in lines)


def _value(value: Any, depth: int) -> str:
    if depth > MAX_DEPTH:
        raise ProfileError(f"a value is nested deeper than {MAX_DEPTH} levels")
    if isinstance(value, Mapping):
        parts = [f"{_text(key)} = {_value(part, depth + 1)}" for key, part in value.items()]
        return f"{{{', '.join(parts)}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(_value(part, depth + 1) for part in value)}]"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, bool | int | float):
        return json.dumps(value, allow_nan=False)
    if isinstance(value, date | time):
        return value.isoformat()
    raise ProfileError(f"a value is {value!r}; a profile can hold none like it")


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
