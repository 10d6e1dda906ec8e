"""How many words of a statement a text has."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from functools import lru_cache

from assay.meaning.reading import TextReading
from assay.meaning.word_coverage import has_root, light_keys, synonyms

NEAR = 0.5
"""The share of a statement's words that a sentence must have to speak of the same thing."""
NEAR_COPY = 0.75
SHORT_SENTENCE = 30
"""In a sentence of more words a negation may belong to something else."""
REMEMBERED = 64
"""So many statements are kept whose telling words are known: each meets many sentences."""
MIN_PART = 2
"""Content words that a part of a sentence must have to be compared by itself."""


def overlap(claim: TextReading, other: TextReading) -> float:
    """The share of the statement's content words that the other text has; light ones are left."""
    telling = telling_keys(claim)
    return held_keys(telling, other.keys) / len(telling) if telling else 0.0


@lru_cache(maxsize=REMEMBERED)
def telling_keys(claim: TextReading) -> AbstractSet[str]:
    """The content words of a statement that say something by themselves; else all."""
    content = claim.content.keys()
    return content - light_keys() or content


def held_keys(own: AbstractSet[str], keys: AbstractSet[str]) -> int:
    """How many words of a statement, or words of like meaning, are among keys."""
    known = synonyms()
    return sum(
        [
            key in keys
            or (key in known and not known[key].isdisjoint(keys))
            or (not key.isascii() and has_root(key, keys))
            for key in own
        ]
    )
