"""Texts without marks of persons.

Every character of an e-mail address, a telephone, card or identity number becomes `█`, so that all
places stay right. What the patterns do not know, such as a person's name, stays.
"""

from __future__ import annotations

from assay.textproc.normal import normalise
from assay.textproc.patterns import matcher

BLACK = "█"
LEXICONS = frozenset({"pii", "pii_numbers"})
"""The pattern sets whose hits are blacked out."""


def masked(text: str) -> str:
    """The text with marks of persons blacked out."""
    known = normalise(text)
    spans = [known.span(hit.start, hit.end) for hit in matcher(LEXICONS).find(known)]
    if not spans:
        return text
    characters = list(text)
    for start, end in spans:
        characters[start:end] = BLACK * (end - start)
    return "".join(characters)
