"""Denials of "all": "not everyone" is some, and no contradiction of most."""

from __future__ import annotations

from collections.abc import Sequence

from assay.data.meaning import meaning_words
from assay.meaning.claim_difference import ClaimDifference
from assay.meaning.reading import TextReading
from assay.meaning.word_coverage import alike, light_keys

MOST_WORDS = 25
"""Longer statements are not read."""
HELD = 0.5
"""Share of a statement's words that a sentence must have to be about the same."""
PARTS = frozenset(("most", "some", "few"))
"""Classes of words for a part of a whole."""


def not_of_all(
    claim: TextReading, sentences: Sequence[TextReading]
) -> ClaimDifference | bool | None:
    """Whether a passage tells apart some of those of whom a statement says "not all".

    A difference where it speaks of all; None where the statement says nothing so, or it is open.
    """
    if len(claim.scopes) != 1 or len(claim.words) > MOST_WORDS:
        return None
    scope, lists = claim.scopes[0], meaning_words().lists
    whole = lists["every_one"]
    denied = claim.words[scope.first : scope.last]
    if whole.isdisjoint({w.text for w in denied} | {w.bare for w in denied}):
        return None
    own = [k for k, w in claim.content.items() if k not in light_keys() and w.text not in whole]
    verdict: ClaimDifference | None = None
    for sentence in sentences:
        held = [key for key in own if key in sentence.keys or alike(key, sentence.keys)]
        if not own or len(held) < HELD * len(own):
            continue
        if _is_partial(sentence):
            return True
        if not whole.isdisjoint(sentence.spellings):
            spans = (0, len(claim.text), 0, len(sentence.text))
            verdict = ClaimDifference("quantity_words", claim.text, sentence.text, *spans)
    return verdict


def _is_partial(sentence: TextReading) -> bool:
    """Whether a sentence speaks of a part of a whole."""
    lists = meaning_words().lists
    if sentence.scopes or not (lists["exceptions"] | lists["only"]).isdisjoint(sentence.spellings):
        return True
    if not PARTS.isdisjoint(sentence.classes.get("quantity_words", ())):
        return True
    return any(f.unit.dimension == "%" and 0 < f.value < 100 for f in sentence.figures)
