"""Statements that the sources say nothing of something, or that the speaker knows nothing of it."""

from __future__ import annotations

from functools import cache

from assay.data.meaning import ARABIC_FOLDED, meaning_words
from assay.meaning.reading import TextReading
from assay.meaning.word_coverage import light_keys

NEAR = 3
"""So many words behind "have" the word "information" is looked for."""


def unstated(claim: TextReading) -> frozenset[str] | None:
    """The keys of what the sources are said not to say; None for any other statement."""
    if topic := _unknown(claim):
        return topic
    lower = claim.text.lower()
    if not lower.isascii():
        lower = lower.translate(ARABIC_FOLDED)
    lists = meaning_words().lists
    is_left_out = _is_left_out(claim)
    is_unstated = any(map(lower.__contains__, _folded("not_stated"))) or _states_not(claim)
    if not is_left_out and not is_unstated:
        return None
    words = {word for one in claim.words for word in (one.text, one.bare)}
    if not is_left_out and lists["source_nouns"].isdisjoint(words):
        return None
    return frozenset(
        word.key
        for word in claim.content.values()
        if lists["sources"].isdisjoint((word.text, word.bare))
        and lists["source_nouns"].isdisjoint((word.text, word.bare))
        and (lists["stating"] | lists["left_out"]).isdisjoint((word.text, word.bare))
        and not word.text.endswith("n't")
    )


def _unknown(claim: TextReading) -> frozenset[str]:
    """What the speaker says that he does not know: "I don't have information about parking".

    Empty for any other statement.
    """
    lists = meaning_words().lists
    if lists["speaking"].isdisjoint(claim.texts):
        return frozenset()
    for scope in claim.scopes:
        behind = claim.words[scope.place : scope.last]
        told = next((n for n, word in enumerate(behind) if word.text in lists["knowing"]), None)
        if told is None:
            continue
        rest = claim.words[scope.place + told + 1 :]
        if rest and rest[-1].clause != behind[told].clause:
            continue
        has_noun = any(word.text in lists["known_things"] for word in rest[:NEAR])
        if has_noun or behind[told].text not in lists["having_known"]:
            light, skipped = light_keys(), lists["known_things"] | lists["source_nouns"]
            telling = [w for w in rest if not w.is_empty and w.text not in skipped]
            return frozenset(word.key for word in telling if word.key not in light)
    return frozenset()


def _states_not(claim: TextReading) -> bool:
    """Whether a verb such as "mention" stands right behind a negation."""
    lists = meaning_words().lists
    stating = lists["stating"]
    if not lists["given_texts"].isdisjoint(claim.spellings):
        stating |= lists["containing"]
    return any(
        not stating.isdisjoint((own.text, own.bare))
        for scope in claim.scopes
        for own in claim.words[scope.first : scope.first + 1]
    )


def _is_left_out(claim: TextReading) -> bool:
    """Whether a statement ends with "is not named" or the like: by the sources, if not by name."""
    left_out = meaning_words().lists["left_out"]
    return any(
        scope.last == len(claim.words) and claim.words[scope.last - 1].text in left_out
        for scope in claim.scopes
    )


@cache
def _folded(name: str) -> tuple[str, ...]:
    return tuple(phrase.translate(ARABIC_FOLDED) for phrase in meaning_words().lists[name])
