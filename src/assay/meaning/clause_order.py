"""Cause and effect, or condition and outcome, that were exchanged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from assay.data.meaning import meaning_words
from assay.meaning.claim_difference import ClaimDifference
from assay.meaning.overlap import MIN_PART, NEAR_COPY
from assay.meaning.reading import TextReading
from assay.meaning.words import Word

SWAPPED = 0.3
"""So much better must the parts fit the other way round."""


class ClausePart(NamedTuple):
    """A sentence parted at a word such as "because" or "if"."""

    order: str
    """`before` or `after` for a word that says when, else empty."""
    marked: frozenset[str]
    """The content keys of the part that the word opens."""
    rest: frozenset[str]


def _parts(reading: TextReading) -> ClausePart | None:
    """The part that a causal or conditional word opens, and the rest."""
    causes, even = meaning_words().lists["causes"], meaning_words().lists["even"]
    if causes.isdisjoint(reading.spellings):
        return None
    for place, word in enumerate(reading.words):
        if word.text not in causes and word.bare not in causes:
            continue
        if _time_order(word) and _is_before_figure(reading, place):
            continue
        if place and reading.words[place - 1].text in even:  # "even when" gives no condition
            continue
        clause = word.clause
        marked = {
            w.key for w in reading.words[place + 1 :] if w.clause == clause and not w.is_empty
        }
        rest = {w.key for w in reading.words if not w.is_empty} - marked - {word.key}
        if len(marked) >= MIN_PART and len(rest) >= MIN_PART:
            return ClausePart(_time_order(word), frozenset(marked), frozenset(rest))
    return None


def _is_before_figure(reading: TextReading, place: int) -> bool:
    """Whether a time or number follows a word within two others: "after 4 o'clock"."""
    behind = [word.start for word in reading.words[place + 1 : place + 4]]
    return any(figure.start in behind for figure in reading.figures)


def _time_order(word: Word) -> str:
    """Whether a word says `before` or `after`; empty for another one."""
    own = dict(meaning_words().classes.get(word.text, ()))
    return own.get("time_order", "")


def swapped_parts(
    claim: TextReading, sentence: TextReading, window: Sequence[TextReading]
) -> Iterator[ClaimDifference]:
    """Cause and effect, or condition and outcome, that were exchanged."""
    own = _parts(claim)
    if own is None:
        return
    other = _parts(sentence)
    if other is None or bool(own.order) != bool(other.order):
        return
    straight = _fit(own.marked, other.marked) + _fit(own.rest, other.rest)
    crossed = _fit(own.marked, other.rest) + _fit(own.rest, other.marked)
    if own.order != other.order and own.order and other.order:
        straight, crossed = crossed, straight  # "A before B" is "B after A"
        other = other._replace(marked=other.rest, rest=other.marked)
    is_crossed = crossed > straight + 2 * SWAPPED
    if not is_crossed and _fit(own.marked, other.marked) >= NEAR_COPY:
        rests = [part for part in map(_parts, window) if part is not None and part != other]
        here = _fit(own.rest, other.rest)
        is_crossed = any(
            _fit(own.rest, part.rest) >= here + 2 * SWAPPED
            and _fit(own.marked, part.marked) < _fit(own.marked, other.marked)
            for part in rests
        )
    if not is_crossed and _fit(own.rest, other.rest) >= NEAR_COPY:
        here = _fit(own.marked, other.marked)
        is_crossed = any(
            _fit(own.marked, part.marked) >= here + SWAPPED
            and _fit(own.rest, part.rest) <= 1.0 - NEAR_COPY
            for part in map(_parts, window)
            if part is not None and part != other
        )
    if is_crossed:
        message = repr(claim.text[:60])
        yield ClaimDifference(
            "roles", message, sentence.text, 0, len(claim.text), 0, len(sentence.text)
        )


def _fit(keys: frozenset[str], others: frozenset[str]) -> float:
    return len(keys & others) / len(keys)
