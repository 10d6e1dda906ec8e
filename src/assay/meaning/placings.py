"""Who came first and who second, where a passage names several in their places."""

from __future__ import annotations

from collections.abc import Sequence

from assay.meaning.claim_difference import ClaimDifference
from assay.meaning.parts import parts_of
from assay.meaning.reading import TextReading

Placings = dict[frozenset[str], int]
"""The keys of a name → its place."""


def other_placing(claim: TextReading, sentences: Sequence[TextReading]) -> ClaimDifference | None:
    """A place that a statement gives to one, and a sentence to another.

    "Berg came first" is against "first prize to Ruiz and second prize to Berg".
    """
    own = _placings(claim)
    if not own or claim.scopes:
        return None
    for sentence in sentences:
        known = _placings(sentence)
        for name, place in own.items() if len(known) > 1 else ():
            mine = [other for other in known if not name.isdisjoint(other)]
            theirs = [other for other in known if known[other] == place]
            if len(mine) == len(theirs) == 1 and mine != theirs and not sentence.scopes:
                spans = (0, len(claim.text), 0, len(sentence.text))
                return ClaimDifference("binding", claim.text[:60], sentence.text, *spans)
    return None


def _placings(reading: TextReading) -> Placings:
    """The places of a text, each with its name; of parts with one place and one name alone."""
    result: Placings = {}
    ordinals = [figure for figure in reading.figures if figure.is_ordinal]
    if not ordinals:
        return result
    for part in parts_of(reading):
        places = {int(one.value) for one in ordinals if part.start <= one.start < part.end}
        units: dict[int, set[str]] = {}
        for key, word in reading.names.items():
            if part.start <= word.start < part.end:
                units.setdefault(reading.name_units[key], set()).add(key)
        if len(places) == len(units) == 1:
            result[frozenset(*units.values())] = places.pop()
    return result
