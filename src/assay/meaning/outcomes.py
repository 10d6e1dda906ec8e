"""Who won: of two sides of a match, a trial or a vote, told from either side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from assay.data.meaning import meaning_words
from assay.meaning.claim_difference import ClaimDifference
from assay.meaning.reading import TextReading
from assay.meaning.word_relations import list_keys
from assay.meaning.words import Word

MOST_WORDS = 40
"""Longer texts are not read."""


class _Outcome(NamedTuple):
    winner: frozenset[str]
    """The keys of its name; empty where it is not named."""
    loser: frozenset[str]


def other_outcome(
    claim: TextReading, sentences: Sequence[TextReading]
) -> ClaimDifference | bool | None:
    """Whether a statement has winner and loser right; None where either text names no outcome.

    The passage must name both sides.
    """
    deciding = list_keys("winning", "losing")
    if deciding.isdisjoint(claim.keys) or claim.denies or len(claim.words) > MOST_WORDS:
        return None
    own = next(_outcomes(claim), None)
    if own is None:
        return None
    for sentence in sentences:
        if deciding.isdisjoint(sentence.keys) or sentence.denies:
            continue
        for other in _outcomes(sentence) if len(sentence.words) <= MOST_WORDS else ():
            if not other.winner or not other.loser:
                continue
            straight = own.winner & other.winner or own.loser & other.loser
            crossed = own.winner & other.loser or own.loser & other.winner
            if straight and not crossed:
                return True
            if crossed and not straight:
                spans = (0, len(claim.text), 0, len(sentence.text))
                return ClaimDifference("roles", repr(claim.text[:60]), sentence.text, *spans)
    return None


def _outcomes(reading: TextReading) -> Iterator[_Outcome]:
    """The outcomes that the verbs of a text tell, with the names of both sides."""
    if not reading.text.isascii():
        yield from _arabic_outcomes(reading)
    for place, word in enumerate(reading.words):
        is_win, is_loss = word.key in list_keys("winning"), word.key in list_keys("losing")
        if word.is_empty or word.is_capital or is_win == is_loss:
            continue
        before = _names(reading.words[:place], word)
        behind = _behind(reading.words[place + 1 :], word)
        if before & behind or not before:
            continue
        is_turned = is_loss != _is_passive(reading.words, place)
        yield _Outcome(behind, before) if is_turned else _Outcome(before, behind)


def _arabic_outcomes(reading: TextReading) -> Iterator[_Outcome]:
    """The outcomes of an Arabic text: who acts stands behind the verb, before "over" or "to"."""
    for place, word in enumerate(reading.words):
        is_loss = word.key in list_keys("losing")
        if word.text.isascii() or (word.key not in list_keys("winning") and not is_loss):
            continue
        behind = [own for own in reading.words[place + 1 :] if own.clause == word.clause]
        over = meaning_words().lists["against_whom"]
        mark = next((n for n, own in enumerate(behind) if own.text in over), None)
        if mark is None and is_loss:
            continue
        before = behind[:1] if mark is None else behind[:mark]
        after = behind[1:2] if mark is None else behind[mark + 1 :]
        acting = frozenset(own.key for own in before if not own.is_empty)
        other = frozenset(
            [own.key for own in after if not own.is_empty and own.text not in over][:1]
        )
        if acting and not acting & other:
            yield _Outcome(other, acting) if is_loss else _Outcome(acting, other)


def _is_passive(words: Sequence[Word], place: int) -> bool:
    being = meaning_words().lists["being"]
    is_by = any(word.text == "by" for word in words[place + 1 : place + 3])
    return is_by or any(word.text in being for word in words[max(0, place - 1) : place])


def _behind(words: Sequence[Word], verb: Word) -> frozenset[str]:
    """The keys of names behind a verb: "defeated Hale", or "defeated the mayor, Tom Hale"."""
    near = _names(words, verb)
    return near or _names(words, verb._replace(clause=verb.clause + 1))


def _names(words: Sequence[Word], verb: Word) -> frozenset[str]:
    """The keys of names in the clause of a verb; an opening word with a capital may be one."""
    own = [word for word in words if word.clause == verb.clause]
    return frozenset(word.key for word in own if word.is_capital and not word.is_empty)
