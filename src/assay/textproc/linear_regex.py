"""Regular expressions that people write in their data, run by RE2: in linear time on any text."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import re2

from assay.core import SampleError

MAX_MEMORY = 8 << 20
"""Bytes that one expression may take; larger ones are refused."""


def found(expression: str, text: str) -> bool:
    """Whether the expression matches somewhere in the text; half a surrogate pair reads as `?`.

    Raises `SampleError` for an expression that is broken or not linear, such as one with a
    backreference.
    """
    return _compiled(expression).search(text.encode("utf-8", "replace")) is not None


@lru_cache(maxsize=1024)
def _compiled(expression: str) -> Any:
    options = re2.Options()
    options.log_errors = False
    options.max_mem = MAX_MEMORY
    try:
        return re2.compile(expression.encode("utf-8", "replace"), options)
    except re2.error as error:
        reason = error.args[0].decode("utf-8", "replace")
        raise SampleError(
            f"{expression!r:.60} is not a linear-time expression: {reason}; expected RE2's syntax"
        ) from None
