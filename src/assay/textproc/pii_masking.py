"""Texts without marks of persons.

Every character of an e-mail address, a telephone, card, account or identity number becomes `█`, so
that all places stay right. What the patterns do not know, such as a person's name, stays.
"""

from __future__ import annotations

from functools import cache

from assay.data.lexicons import pattern_weights
from assay.textproc.normal import normalise
from assay.textproc.patterns import PatternHit, matcher

BLACK = "█"
FORMS = "personal_data"
LEXICONS = frozenset({"pii", "pii_numbers", FORMS})
"""The pattern sets whose hits are blacked out; of the forms only those that need no context."""
SURE = 0.6
"""The least weight of a form that is personal data wherever it stands."""


def masked(text: str) -> str:
    """The text with marks of persons blacked out."""
    known = normalise(text)
    hits = filter(_is_sure, matcher(LEXICONS).find(known))
    spans = [known.span(hit.start, hit.end) for hit in hits]
    if not spans:
        return text
    characters = list(text)
    for start, end in spans:
        characters[start:end] = BLACK * (end - start)
    return "".join(characters)


def _is_sure(hit: PatternHit) -> bool:
    return hit.lexicon != FORMS or hit.pattern in _sure_forms()


@cache
def _sure_forms() -> frozenset[str]:
    return frozenset(name for name, weight in pattern_weights(FORMS).items() if weight >= SURE)
