"""How far a response holds the documented checks of its form."""

from __future__ import annotations

import re
from itertools import islice
from typing import NamedTuple

from assay.core import Span
from assay.features.form_checks import MIN_LENGTH, quality_checks

SHOWN = 10
"""At most this many brackets are marked as evidence."""
_BRACKET = re.compile("[<>]")


class Validity(NamedTuple):
    """The share of checks that hold, in percent, and which do not."""

    percent: float
    failed: tuple[str, ...]
    checked: int

    def __str__(self) -> str:
        return f"{self.checked - len(self.failed)} of {self.checked} checks of its form hold"


def validity(
    response: str, min_length: int = MIN_LENGTH, max_length: int | None = None
) -> Validity:
    """The share of the documented checks that a response holds."""
    checks = quality_checks(response, min_length, max_length)
    failed = tuple(name for name, holds in checks.items() if not holds)
    return Validity(100.0 * (len(checks) - len(failed)) / len(checks), failed, len(checks))


def failure_spans(
    response: str, failed: tuple[str, ...], max_length: int | None = None
) -> tuple[Span, ...]:
    """Where the checks of that name fail."""
    begin = len(response) - len(response.lstrip())
    end = len(response.rstrip())
    bounds = {
        "has_minimum_length": [(begin, end)],
        "has_no_html_tags": (m.span() for m in islice(_BRACKET.finditer(response), SHOWN)),
        "ends_properly": [(max(begin, end - 1), end)],
        "within_max_length": [(max_length or 0, len(response))],
    }
    return tuple(
        Span("response", start, stop, name)
        for name in failed
        for start, stop in bounds.get(name, ())
        if start < stop
    )
