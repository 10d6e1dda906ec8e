"""Stored values as an answer can hold them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_HALVES = re.compile("[\ud800-\udfff]")


def sendable(value: Any) -> Any:
    """The value with a stand-in for each half of a surrogate pair, which no answer can hold.

    One character stands for one, so that evidence keeps its place.
    """
    if isinstance(value, str):
        return _HALVES.sub("\ufffd", value)
    if isinstance(value, Mapping):
        return {sendable(key): sendable(part) for key, part in value.items()}
    return [sendable(part) for part in value] if isinstance(value, list | tuple) else value
