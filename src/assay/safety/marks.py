"""Hits of patterns with their places in the normalised text, and the sentences around them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

_END = re.compile(r"[.!?؟\n;؛](?:(?<=[\n;؛])|(?=\s|$))")
_ASCII_END = re.compile(r"[.!?\n;](?:(?<=[\n;])|(?=\s|$))")
"""What `_END` finds in ASCII, at half the cost."""
_NO_ABBREVIATION = frozenset("acdehijkmnpquvwxyz0123456789)\"'")
"""Characters that end no abbreviation."""
_ABBREVIATION = re.compile(r"\b(?:mr|mrs|ms|dr|no|tel|st|prof|nr|b|e\.g|p\.o)$", re.IGNORECASE)


MAX_MARKS = 200
"""At most this many hits of one text are judged: hostile text stays cheap."""


class Mark(NamedTuple):
    """One hit: the name of the pattern and its place."""

    name: str
    start: int
    end: int


def sentence_ends(text: str) -> list[int]:
    """Where sentences end, the end of the text included."""
    ends = [m.end() for m in (_ASCII_END if text.isascii() else _END).finditer(text)]
    kept = [
        end
        for end in ends
        if text[end - 2 : end - 1] in _NO_ABBREVIATION
        or not _ABBREVIATION.search(text, max(0, end - 8), end - 1)
    ]
    return [*kept, len(text)]


def sentence_of(ends: Sequence[int], place: int) -> tuple[int, int]:
    """Start and end of the sentence that holds a place."""
    number = min(bisect_right(ends, place), len(ends) - 1)
    return (ends[number - 1] if number else 0), ends[number]


def within(marks: Iterable[Mark], start: int, end: int) -> list[Mark]:
    """The marks that lie in a stretch of text."""
    return [mark for mark in marks if start <= mark.start and mark.end <= end]


def overlaps(mark: Mark, others: Iterable[Mark]) -> bool:
    """Whether a mark shares a character with any other."""
    return any(mark.start < other.end and other.start < mark.end for other in others)


def innermost(marks: Iterable[Mark]) -> list[Mark]:
    """The marks without those that hold another one of the same name, in order of place."""
    kept: list[Mark] = []
    for mark in sorted(set(marks), key=lambda m: (m.end - m.start, m.start))[:MAX_MARKS]:
        if not any(
            k.name == mark.name and mark.start <= k.start and k.end <= mark.end for k in kept
        ):
            kept.append(mark)
    return sorted(kept, key=lambda m: (m.start, m.end))
