"""Statements that are wider than their source: of all, of anyone, without a condition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from assay.data.meaning import meaning_words
from assay.meaning.attachment import is_comparable
from assay.meaning.claim_difference import ClaimDifference
from assay.meaning.overlap import MIN_PART, telling_keys
from assay.meaning.reading import TextReading
from assay.meaning.word_relations import opposites
from assay.meaning.words import Word


def leaves_only_out(claim: TextReading, sentences: Sequence[TextReading]) -> bool | None:
    """True where a sentence says the same with "only"; None where none does."""
    only = meaning_words().lists["only"]
    if not only.isdisjoint(claim.spellings):
        return None
    own = [word.key for word in claim.words]
    for sentence in sentences:
        if only.isdisjoint(sentence.spellings):
            continue
        if own == [word.key for word in sentence.words if word.text not in only]:
            return True
    return None


def drops_condition(claim: TextReading, sentence: TextReading) -> bool:
    """Whether a sentence says something on a condition, and the statement without it."""
    return any(True for _ in _dropped(claim, sentence))


def _dropped(claim: TextReading, sentence: TextReading) -> Iterator[frozenset[str]]:
    """The content words of each condition of a sentence that a statement leaves out.

    "Pets are allowed if the landlord agrees", "only with consent".
    """
    lists = meaning_words().lists
    spellings = sentence.spellings
    if lists["conditions"].isdisjoint(spellings) and lists["only"].isdisjoint(spellings):
        return
    if not _limiting().isdisjoint(claim.spellings) or claim.denies or claim.figures:
        return
    if not is_comparable(claim, sentence):
        return
    own = telling_keys(claim)
    own = own if len(own) >= MIN_PART else claim.content.keys()
    for place, word in enumerate(sentence.words):
        if not _opens_condition(sentence.words, place):
            continue
        behind = [w for w in sentence.words[place + 1 :] if w.clause == word.clause]
        marked = {w.key for w in behind}
        rest = sentence.content.keys() - marked
        if len(own) >= MIN_PART and own <= rest | {word.key} and not own & (marked - rest):
            yield frozenset([w.key for w in behind if not w.is_empty])


def dropped_condition(
    claim: TextReading, sentence: TextReading, known: frozenset[str]
) -> ClaimDifference | None:
    """What a sentence says on a condition, where a text with the `known` words never names it."""
    if not any(known.isdisjoint(condition) for condition in _dropped(claim, sentence)):
        return None
    spans = (0, len(claim.text), 0, len(sentence.text))
    return ClaimDifference("certainty", claim.text, sentence.text, *spans)


def _opens_condition(words: Sequence[Word], place: int) -> bool:
    """Whether a word opens a condition: "if", "only with", "provided that"; no verb "provided"."""
    lists, word = meaning_words().lists, words[place]
    follows = words[place + 1].text if place + 1 < len(words) else ""
    if word.text in lists["restricting"]:  # "only with", "only permitted with", but "just after"
        before = [w.text for w in words[max(0, place - 2) : place] if w.clause == word.clause]
        return not (lists["only"] - {"just"}).isdisjoint(before)
    if word.text in lists["provided"]:
        return follows == "that" or (place > 0 and words[place - 1].clause != word.clause)
    return word.text in lists["conditions"]


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
        if follows is not None and (follows.text in timed or _is_limiting(own, place + 1)):
            continue
        if not is_idiom and f"{word.text} {follows.text if follows else ''}" not in empty:
            return True
    return False


def _is_limiting(words: Sequence[Word], place: int) -> bool:
    """Whether a word says who of all is meant: "anyone who …", "everybody younger than 14"."""
    if words[place].text == "who":
        return True
    is_person = words[place - 1].text in meaning_words().lists["everybody"]
    texts = [word.text for word in words[place : place + 2]]
    return is_person and (texts[0] in meaning_words().lists["limiting_all"] or texts[-1] == "than")


@cache
def _timed() -> frozenset[str]:
    """Words for units of time."""
    units = meaning_words().units.items()
    return frozenset(word for word, unit in units if unit.dimension in ("duration", "calendar"))
