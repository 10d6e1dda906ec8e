"""Statements that the sources say nothing of something."""

from __future__ import annotations

from functools import cache

from assay.data.meaning import ARABIC_FOLDED, meaning_words
from assay.meaning.reading import TextReading


def unstated(claim: TextReading) -> frozenset[str] | None:
    """The keys of what the sources are said not to say; None for any other statement."""
    lower = claim.text.lower()
    if not lower.isascii():
        lower = lower.translate(ARABIC_FOLDED)
    lists = meaning_words().lists
    if not any(map(lower.__contains__, _folded("not_stated"))) and not _states_not(claim):
        return None
    words = {word for one in claim.words for word in (one.text, one.bare)}
    if lists["source_nouns"].isdisjoint(words):
        return None
    return frozenset(
        word.key
        for word in claim.content.values()
        if lists["sources"].isdisjoint((word.text, word.bare))
        and lists["source_nouns"].isdisjoint((word.text, word.bare))
        and lists["stating"].isdisjoint((word.text, word.bare))
        and not word.text.endswith("n't")
    )


def _states_not(claim: TextReading) -> bool:
    """Whether a verb such as "mention" stands right behind a negation."""
    stating = meaning_words().lists["stating"]
    return any(
        not stating.isdisjoint((own.text, own.bare))
        for scope in claim.scopes
        for own in claim.words[scope.first : scope.first + 1]
    )


@cache
def _folded(name: str) -> tuple[str, ...]:
    return tuple(phrase.translate(ARABIC_FOLDED) for phrase in meaning_words().lists[name])
