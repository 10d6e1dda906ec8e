"""Patterns of users in linear time: RE2, on the text as it is."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

import re2

from assay.core.plain import HALVES
from assay.textproc.linear_regex import compiled

MAX_PLACES = 1_000
"""Places of one pattern that are looked for."""


def places(pattern: str, text: str) -> Iterator[tuple[int, int]]:
    """Where the pattern matches, the first `MAX_PLACES` places; an empty match is a place too."""
    matches = compiled(pattern).finditer(HALVES.sub("\ufffd", text))
    return (match.span() for match in islice(matches, MAX_PLACES))


def text_places(wanted: str, text: str, *, ignores_case: bool = False) -> list[tuple[int, int]]:
    """Where a text stands in another, places that do not overlap, the first `MAX_PLACES`."""
    if ignores_case:
        regex = _literal(wanted)
        matches = regex.finditer(HALVES.sub("\ufffd", text))
        return [match.span() for match in islice(matches, MAX_PLACES)]
    spans: list[tuple[int, int]] = []
    start = text.find(wanted)
    while start >= 0 and len(spans) < MAX_PLACES:
        spans.append((start, start + len(wanted)))
        start = text.find(wanted, start + max(1, len(wanted)))
    return spans


@lru_cache(maxsize=1024)
def _literal(wanted: str) -> re2._Regexp:
    """The text as a pattern that does not regard case."""
    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = False
    options.literal = True
    return re2.compile(HALVES.sub("\ufffd", wanted), options)
