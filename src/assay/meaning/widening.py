"""Statements that are wider than their source: of all, of anyone, without a condition."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from assay.data.meaning import meaning_words
from assay.meaning.attachment import is_comparable
from assay.meaning.overlap import MIN_PART, telling_keys
from assay.meaning.reading import TextReading
from assay.meaning.word_relations import opposites
from assay.meaning.words import Word


def drops_condition(claim: TextReading, sentence: TextReading) -> bool:
    """Whether a sentence says something on a condition, and the statement without it."""
    lists = meaning_words().lists
    if lists["conditions"].isdisjoint(sentence.spellings):
        return False
    if not _limiting().isdisjoint(claim.spellings) or claim.denies or claim.figures:
        return False
    if not is_comparable(claim, sentence):
        return False
    for place, word in enumerate(sentence.words):
        if word.text not in lists["conditions"]:
            continue
        marked = {w.key for w in sentence.words[place + 1 :] if w.clause == word.clause}
        rest = sentence.content.keys() - marked
        own = telling_keys(claim)
        if len(own) >= MIN_PART and own <= rest | {word.key} and not own & (marked - rest):
            return True
    return False


@cache
def _limiting() -> frozenset[str]:
    """Words with which a statement has a condition of its own."""
    lists = meaning_words().lists
    return lists["conditions"] | lists["only"] | (lists["open"] - meaning_words().polar)


def widens(claim: TextReading, window: Sequence[TextReading]) -> bool:
    """Whether a statement speaks of all, any or only where the passage does not."""
    lists = meaning_words().lists
    for name in ("whole", "only"):
        words = lists[name]
        if words.isdisjoint(claim.spellings) or not _has_scope(claim, words):
            continue
        if name == "only" and any(_sets_apart(claim, reading) for reading in window):
            continue
        if all(words.isdisjoint(reading.spellings) for reading in window):
            return True
    return False


def _sets_apart(claim: TextReading, sentence: TextReading) -> bool:
    """Whether a sentence denies, or has the opposite of, what is said of one thing only."""
    known = opposites()
    return sentence.denies or any(
        not known.get(key, frozenset()).isdisjoint(sentence.keys) for key in claim.content
    )


def widening_word(claim: TextReading, window: Sequence[TextReading]) -> Word | None:
    """The word for all or anyone of a statement that denies nothing, where the passage has none."""
    words = meaning_words().lists["whole"]
    if words.isdisjoint(claim.spellings) or claim.denies:
        return None
    alike = words | {"per"}  # "for each item" is "per item"
    if not all(alike.isdisjoint(reading.spellings) for reading in window):
        return None
    if not _has_scope(claim, words):
        return None
    return next((w for w in claim.words if w.text in words or w.bare in words), None)


def _has_scope(claim: TextReading, words: frozenset[str]) -> bool:
    """Whether one of some words speaks of something, unlike "at all" and "all around"."""
    empty, timed = meaning_words().lists["idioms_of_all"], _timed()
    own = claim.words
    for place, word in enumerate(own):
        if word.text not in words and word.bare not in words:
            continue
        before = own[place - 1].text if place else ""
        follows = own[place + 1] if place + 1 < len(own) else None
        is_last = follows is None or follows.clause != word.clause
        is_idiom = is_last and f"{before} {word.text}" in empty
        if follows is not None and (follows.text in timed or follows.text == "who"):
            continue
        if not is_idiom and f"{word.text} {follows.text if follows else ''}" not in empty:
            return True
    return False


@cache
def _timed() -> frozenset[str]:
    """Words for units of time."""
    units = meaning_words().units.items()
    return frozenset(word for word, unit in units if unit.dimension in ("duration", "calendar"))
