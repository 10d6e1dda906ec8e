"""Cause and effect, whichever stands first: "Y because of X", "X led to Y"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from assay.data.meaning import meaning_words
from assay.meaning.claim_difference import ClaimDifference
from assay.meaning.reading import TextReading
from assay.meaning.word_coverage import has_root, light_keys, spelling, synonyms
from assay.meaning.words import Word

MOST_WORDS = 50
"""Longer texts are not compared."""
CLEAR = 0.5
"""So much better must the two fit one way round than the other."""
_NONE: frozenset[str] = frozenset()


class Causation(NamedTuple):
    """What leads to what, as the keys of words."""

    cause: frozenset[str]
    effect: frozenset[str]


def causal_order(claim: TextReading, sentences: Sequence[TextReading]) -> ClaimDifference | None:
    """Cause and effect that a statement has the other way round than the passage."""
    own = causation(claim)
    if own is None:
        return None
    for sentence in sentences:
        other = causation(sentence)
        if other is None:
            continue
        straight = _fit(own.cause, other.cause) + _fit(own.effect, other.effect)
        turned = _fit(own.cause, other.effect), _fit(own.effect, other.cause)
        crossed = sum(turned)
        # what one sentence calls an effect may be the cause of the next one
        if all(turned) and crossed >= straight + 2 * CLEAR:
            spans = (0, len(claim.text), 0, len(sentence.text))
            return ClaimDifference("roles", repr(claim.text[:60]), sentence.text, *spans)
        if straight >= crossed + 2 * CLEAR:
            return None
    return None


def causation(reading: TextReading) -> Causation | None:
    """The first cause and effect that a text names; None without."""
    lists, spellings = meaning_words().lists, reading.spellings
    is_before = not lists["causing_before"].isdisjoint(spellings)
    if not is_before and lists["causing_after"].isdisjoint(spellings):
        return None
    words = reading.words
    if len(words) > MOST_WORDS:
        return None
    for place, word in enumerate(words):
        texts = {word.text, word.bare}
        if not texts.isdisjoint(lists["causing_after"]):
            cause = _content(words[place + 1 :], word, is_clause=place == 0)
            rest = _content([w for w in words if w is not word], word) - cause
            return _known(cause, rest)
        if texts.isdisjoint(lists["causing_before"]):
            continue
        after = words[place + 1].text if place + 1 < len(words) else ""
        if after in lists["agent_marks"]:
            return _known(_content(words[place + 2 :], word), _content(words[:place], word))
        if after in lists["led_to"] or texts.isdisjoint(lists["leading"]):
            return _led_to(words, place)
    return None


def _led_to(words: Sequence[Word], place: int) -> Causation | None:
    """What stands before a verb such as "led to", and what behind; an Arabic verb stands first."""
    word = words[place]
    before = _content(words[:place], word)
    if before or word.text.isascii():
        return _known(before, _content(words[place + 1 :], word))
    goals = meaning_words().lists["led_to"]
    end = next((n for n in range(place + 1, len(words)) if words[n].text in goals), place)
    return _known(_content(words[place + 1 : end], word), _content(words[end + 1 :], word))


def _known(cause: frozenset[str], effect: frozenset[str]) -> Causation | None:
    return Causation(cause, effect) if cause and effect else None


def _content(words: Sequence[Word], mark: Word, *, is_clause: bool = False) -> frozenset[str]:
    light = light_keys()
    return frozenset(
        word.key
        for word in words
        if not word.is_empty
        and word.key not in light
        and word.sentence == mark.sentence
        and (not is_clause or word.clause == mark.clause)
    )


def _fit(own: frozenset[str], other: frozenset[str]) -> float:
    known = synonyms()
    held = sum(
        key in other
        or not known.get(key, _NONE).isdisjoint(other)
        or (not key.isascii() and has_root(key, other))
        or spelling(key, other) > 0
        for key in own
    )
    return held / len(own)
