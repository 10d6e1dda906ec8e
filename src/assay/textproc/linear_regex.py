"""Regular expressions that people write in their data, run by RE2: in linear time on any text."""

from __future__ import annotations

from functools import lru_cache

import re2

from assay.core import SampleError
from assay.core.plain import HALVES

MAX_PATTERN = 10_000
"""Characters of a pattern."""
MAX_MEMORY = 8 << 20
"""Bytes that RE2 may take for one pattern; more means too many repetitions within repetitions."""


class PatternError(ValueError):
    """Correct the pattern as the message says."""


@lru_cache(maxsize=1024)
def compiled(pattern: str) -> re2._Regexp:
    """The compiled pattern; raises `PatternError` for one that RE2 does not take."""
    if len(pattern) > MAX_PATTERN:
        raise PatternError(f"it has {len(pattern):,} characters; expected at most {MAX_PATTERN:,}")
    options = re2.Options()
    options.max_mem = MAX_MEMORY
    options.log_errors = False
    try:
        return re2.compile(HALVES.sub("\ufffd", pattern), options)
    except re2.error as error:
        reason = error.args[0]
        words = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        raise PatternError(f"RE2 does not take it: {words[:120]}") from None


def found(pattern: str, text: str) -> bool:
    """Whether the pattern matches somewhere in the text.

    Raises `SampleError` for a pattern that is broken or not linear, such as one with a
    backreference.
    """
    try:
        return compiled(pattern).search(HALVES.sub("\ufffd", text)) is not None
    except PatternError as error:
        raise SampleError(f"{pattern!r:.60} is not a linear-time expression: {error}") from None
