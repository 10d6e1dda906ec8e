"""What is advised against: "should not be taken" beside "is fine", "avoid" beside "is safe"."""

from __future__ import annotations

from collections.abc import Sequence

from assay.data.meaning import meaning_words
from assay.meaning.claim_difference import ClaimDifference
from assay.meaning.reading import TextReading
from assay.meaning.word_coverage import alike, light_keys
from assay.meaning.word_relations import list_keys

MOST_WORDS = 25
"""Longer texts are not read."""


def other_advice(claim: TextReading, sentences: Sequence[TextReading]) -> ClaimDifference | None:
    """What a passage advises against and the statement calls fine, or the other way round.

    None where the statement gives no advice, or the passage both kinds or none on all its words.
    """
    is_fine = _advice(claim)
    if is_fine is None:
        return None
    subject = claim.content.keys() - light_keys() - list_keys("approving", "cautioning", "using")
    if not subject:
        return None
    told: dict[bool, TextReading] = {}
    for sentence in sentences:
        if all(key in sentence.keys or alike(key, sentence.keys) for key in subject):
            other = _advice(sentence)
            if other is not None and bool(sentence.figures) <= bool(claim.figures):
                told.setdefault(other, sentence)
    if is_fine in told or not told:
        return None
    sentence = told[not is_fine]
    spans = (0, len(claim.text), 0, len(sentence.text))
    return ClaimDifference("opposite", claim.text, sentence.text, *spans)


def _advice(reading: TextReading) -> bool | None:
    """Whether a text calls something fine; None where it gives no advice, or on a condition."""
    lists = meaning_words().lists
    approving, cautioning = lists["approving"], lists["cautioning"]
    spellings = reading.spellings
    is_told = not (approving.isdisjoint(spellings) and cautioning.isdisjoint(spellings))
    if not (is_told or reading.scopes) or len(reading.words) > MOST_WORDS:
        return None
    bounded = lists["conditions"] | lists["exceptions"] | lists["only"] | lists["without"]
    if not bounded.isdisjoint(reading.spellings):
        return None
    if not is_told:
        return False if _forbids(reading) else None
    places = [n for n, word in enumerate(reading.words) if word.bare in approving | cautioning]
    found = {(reading.words[n].bare in approving) != (n in reading.denied) for n in places}
    is_one = all(any(n in range(*scope[1:]) for n in places) for scope in reading.scopes)
    return found.pop() if is_one and len(found) == 1 else None


def _forbids(reading: TextReading) -> bool:
    """Whether a text says "should not", "do not" or "never"."""
    duties = meaning_words().lists["duties"]
    for scope in reading.scopes:
        around = reading.words[max(0, scope.place - 1) : scope.place + 2]
        if any(word.text.removesuffix("n't") in duties for word in around):
            return True
    return False
