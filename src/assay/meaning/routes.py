"""What leads from one thing to another: flights from Oslo to Madrid, sugar from water and air."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from assay.data.meaning import meaning_words
from assay.meaning.claim_difference import ClaimDifference
from assay.meaning.reading import TextReading
from assay.meaning.words import Word

REACH = 3
"""So many words behind "leaves" or "arrives" the place is named."""


class Route(NamedTuple):
    """Where a way begins and where it ends."""

    origin: Word
    goal: Word


def turned_route(claim: TextReading, sentences: Sequence[TextReading]) -> ClaimDifference | None:
    """A way that a statement goes in the other direction than a sentence."""
    own = _route(claim)
    if own is None or claim.scopes:
        return None
    for sentence in sentences:
        other = _route(sentence)
        if other is None or (own.origin.key, own.goal.key) != (other.goal.key, other.origin.key):
            continue
        start, end = min(w.start for w in own), max(w.end for w in own)
        spans = (start, end, 0, len(sentence.text))
        return ClaimDifference("roles", repr(claim.quote(start, end)), sentence.text, *spans)
    return None


def _route(reading: TextReading) -> Route | None:
    """The one way that a text names; None where it names none or several."""
    lists = meaning_words().lists
    if lists["departing"].isdisjoint(reading.texts) or lists["arriving"].isdisjoint(reading.texts):
        return None
    origins, goals = (_places(reading, lists[name]) for name in ("departing", "arriving"))
    if len(origins) != 1 or len(goals) != 1 or origins[0].key == goals[0].key:
        return None
    return Route(origins[0], goals[0])


def _places(reading: TextReading, marks: frozenset[str]) -> list[Word]:
    """The names that stand shortly behind some words, each once."""
    words = reading.words
    places: dict[str, Word] = {}
    for number, word in enumerate(words):
        if word.text not in marks:
            continue
        behind = words[number + 1 : number + 1 + REACH]
        named = next((w for w in behind if w.is_capital and not w.is_empty), None)
        if named is not None and named.clause == word.clause:
            places[named.key] = named
    return [*places.values()]


class Conversion(NamedTuple):
    """The keys of what is made into something else, and of what is made of it."""

    given: frozenset[str]
    made: frozenset[str]


def turned_conversion(
    claim: TextReading, sentences: Sequence[TextReading]
) -> ClaimDifference | None:
    """What a statement makes of something, where a sentence makes that of it.

    "Plants turn sugar into water" is against "plants make sugar from water".
    """
    own = _conversion(claim)
    if own is None or claim.scopes:
        return None
    for sentence in sentences:
        other = _conversion(sentence)
        if other is None:
            continue
        is_straight = own.given & other.given or own.made & other.made
        if own.given & other.made and own.made & other.given and not is_straight:
            spans = (0, len(claim.text), 0, len(sentence.text))
            return ClaimDifference("roles", repr(claim.text[:60]), sentence.text, *spans)
    return None


def _conversion(reading: TextReading) -> Conversion | None:
    """What a text turns into something, or makes from it; None where it does neither."""
    lists, words = meaning_words().lists, reading.words
    for verbs, joint in ((lists["turning_into"], "into"), (lists["making_from"], "from")):
        if joint not in reading.texts or verbs.isdisjoint(reading.texts):
            continue
        verb = next(n for n, word in enumerate(words) if word.text in verbs)
        place = next((n for n in range(verb, len(words)) if words[n].text == joint), None)
        if place is None or words[place].clause != words[verb].clause:
            continue
        sides = words[verb + 1 : place], words[place + 1 :]
        near = [[w for w in side if w.clause == words[verb].clause] for side in sides]
        first, second = (frozenset(w.key for w in side if not w.is_empty) for side in near)
        return Conversion(first, second) if joint == "into" else Conversion(second, first)
    return None
