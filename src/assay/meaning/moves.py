"""What was so before and is so no more: "has moved from platform 3 to the east entrance"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from assay.data.meaning import meaning_words
from assay.meaning.claim_difference import ClaimDifference
from assay.meaning.reading import TextReading
from assay.meaning.word_coverage import alike, light_keys
from assay.meaning.words import Word

BEFORE = 3
"""So many words before "moved" one stands that makes a plan of it: "will be moved"."""
MOST_WORDS = 30
"""Longer statements are not read."""


class Move(NamedTuple):
    """A change from one thing to another, as the keys that only one of the two has."""

    start: int
    old: frozenset[str]
    new: frozenset[str]
    sides: frozenset[str]
    """All keys of both."""


def went_over(
    claim: TextReading, sentences: Sequence[TextReading]
) -> ClaimDifference | bool | None:
    """What a statement says is so now, where a sentence says that it went over to something else.

    "The fee is 40 euros" is against "the fee was raised from 40 to 50 euros", and "it was 40 euros"
    is not. None where the statement is about no change.
    """
    lists = meaning_words().lists
    if claim.scopes or len(claim.words) > MOST_WORDS:
        return None
    moved = lists["moved"]
    for sentence in sentences:
        if moved.isdisjoint(sentence.texts):
            continue
        for move in _moves(sentence):
            if not move.old <= claim.keys or not move.new.isdisjoint(claim.keys):
                continue
            if not _is_about(claim, move, sentence, sentences):
                continue
            if not lists["formerly"].isdisjoint(claim.spellings):
                return True
            if not lists["nowadays"].isdisjoint(claim.texts):
                spans = (0, len(claim.text), move.start, len(sentence.text))
                quoted = claim.text[:60], sentence.quote(*spans[2:])
                return ClaimDifference("binding", *quoted, *spans)
    return None


def _is_about(
    claim: TextReading, move: Move, sentence: TextReading, sentences: Sequence[TextReading]
) -> bool:
    """Whether a statement is about what went over, and no other sentence says the same of it."""
    rest = claim.content.keys() - move.sides - light_keys()
    is_same = not rest or any(key in sentence.keys or alike(key, sentence.keys) for key in rest)
    return is_same and not any(
        move.old <= other.keys for other in sentences if other is not sentence
    )


def _moves(sentence: TextReading) -> Iterator[Move]:
    """What went over from one thing to another, plans left out."""
    lists, words = meaning_words().lists, sentence.words
    for place, word in enumerate(words):
        if word.text not in lists["moved"]:
            continue
        before = {one.text for one in words[max(0, place - BEFORE) : place]}
        if not lists["planning"].isdisjoint(before):
            continue
        behind = [one for one in words[place + 1 :] if one.clause == word.clause]
        marks = [n for n, one in enumerate(behind) if one.text in ("from", "to")]
        if len(marks) != 2 or behind[marks[0]].text == behind[marks[1]].text:
            continue
        sides = behind[marks[0] + 1 : marks[1]], behind[marks[1] + 1 :]
        if word.text not in lists["rescheduled"] and all(map(_is_day, sides)):
            continue
        old, new = map(_told, sides if behind[marks[0]].text == "from" else reversed(sides))
        if old - new and new - old:
            keys = frozenset(one.key for side in sides for one in side)
            yield Move(word.start, old - new, new - old, keys)


def _is_day(words: Sequence[Word]) -> bool:
    """Whether words name a day: "from 1 May to 31 May" says how long, not what changed."""
    table = meaning_words()
    return any(word.bare in table.months or word.bare in table.weekdays for word in words)


def _told(words: Sequence[Word]) -> frozenset[str]:
    """The keys of words that say something; of an amount its number alone."""
    numbers = frozenset(word.key for word in words if word.is_number)
    return numbers or frozenset(w.key for w in words if not w.is_empty) - light_keys()
