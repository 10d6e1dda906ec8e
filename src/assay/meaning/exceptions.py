"""What a sentence says of all but some: "all shops are open except the post office"."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from assay.data.meaning import meaning_words
from assay.meaning.negations import ONLY
from assay.meaning.reading import TextReading
from assay.meaning.word_relations import opposites
from assay.meaning.words import Word

NEAR = 3
"""So many words before "but" a word such as "every" makes an exception of what follows."""


class ExceptionUse(Enum):
    """What a statement makes of an exception."""

    NONE = 0
    """It says nothing of it."""
    KEPT = 1
    """It says that the exception is otherwise, as the sentence does."""
    IGNORED = 2
    """It says of the exception, or of all, what is true of the others."""


def exception_use(claim: TextReading, sentence: TextReading) -> ExceptionUse:
    """What a statement makes of the exception in a sentence."""
    excepted = _excepted(sentence)
    if not excepted or _excepted(claim):
        return ExceptionUse.NONE
    others = sentence.content.keys() - excepted
    is_opposite = _has_opposite(claim, sentence)
    if _is_included(claim, excepted):
        return ExceptionUse.IGNORED
    if not is_opposite and claim.content.keys().isdisjoint(others):
        return ExceptionUse.NONE
    if excepted <= claim.keys:
        is_otherwise = bool(claim.scopes) != is_opposite
        return ExceptionUse.KEPT if is_otherwise else ExceptionUse.IGNORED
    whole = meaning_words().lists["whole"]
    is_whole = not whole.isdisjoint(claim.spellings)
    own = {key for key, word in claim.content.items() if whole.isdisjoint((word.text, word.bare))}
    is_same = not claim.scopes and own <= others
    return ExceptionUse.IGNORED if is_whole and is_same else ExceptionUse.NONE


def _is_included(claim: TextReading, excepted: frozenset[str]) -> bool:
    """Whether "including" stands before one of the excepted things in its clause."""
    including = meaning_words().lists["including"]
    if including.isdisjoint(claim.spellings) or claim.scopes:
        return False
    for place, word in enumerate(claim.words):
        if word.text in including:
            behind = [w.key for w in claim.words[place + 1 :] if w.clause == word.clause]
            if not excepted.isdisjoint(behind):
                return True
    return False


def exception_marks(reading: TextReading) -> frozenset[str]:
    """The words that open an exception in a text; Arabic "illa" says "only" behind a negation."""
    marks = meaning_words().lists["exceptions"]
    is_except = meaning_words().negations.isdisjoint(reading.spellings)
    return marks | {ONLY} if is_except and ONLY in reading.spellings else marks


def _excepted(reading: TextReading) -> frozenset[str]:
    """The keys of what stands behind "except" in its clause; empty without such a word."""
    lists, marks = meaning_words().lists, exception_marks(reading)
    if "but" not in reading.spellings and marks.isdisjoint(reading.spellings):
        return frozenset()
    words = reading.words
    for place, word in enumerate(words):
        follows = words[place + 1].text if place + 1 < len(words) else ""
        is_marker = word.text in marks and (
            word.text not in lists["exception_starts"] or follows in ("from", "than")
        )
        if is_marker or (word.text == "but" and _follows_whole(words, place)):
            own: list[str] = []
            for behind in words[place + 1 :]:
                is_verb = behind.text in lists["being"] or behind.text in meaning_words().polar
                if behind.clause != word.clause or (is_verb and own):
                    break
                if not behind.is_empty:
                    own.append(behind.key)
            return frozenset(own)
    return frozenset()


def _follows_whole(words: Sequence[Word], place: int) -> bool:
    """Whether a word such as "all" stands shortly before a word in its clause."""
    clause = words[place].clause
    before = [w.text for w in words[max(0, place - NEAR) : place] if w.clause == clause]
    return not meaning_words().lists["whole"].isdisjoint(before)


def _has_opposite(claim: TextReading, sentence: TextReading) -> bool:
    """Whether the statement has an opposite of a word of the sentence in its place."""
    known = opposites()
    return any(
        not known[key].isdisjoint(sentence.content)
        for key in claim.content
        if key in known and key not in sentence.content
    )
