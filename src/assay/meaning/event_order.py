"""What comes first: "X before Y" and "Y after X" beside the order in which a passage tells it."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import NamedTuple

from assay.data.meaning import meaning_words
from assay.meaning.claim_difference import ClaimDifference
from assay.meaning.reading import TextReading
from assay.meaning.word_coverage import has_root, light_keys, synonyms
from assay.meaning.words import Word

MOST_WORDS = 30
"""Longer statements are not read."""
REMEMBERED = 256
"""So many sentences are kept: all statements about them read them."""
_MOMENTS = ("time", "date", "weekday")
_NONE: frozenset[str] = frozenset()


class EventOrder(NamedTuple):
    """What comes before what, as the keys of words that only one of the two has."""

    first: frozenset[str]
    second: frozenset[str]


class _Place(NamedTuple):
    sentence: int
    word: int


def told_order(
    claim: TextReading, sentences: Sequence[TextReading]
) -> ClaimDifference | bool | None:
    """Whether the passage tells two events in the order of a statement; None where that is open.

    The passage's sentences stand in their order. It tells an order by "then", "finally", "first",
    "before" and "after".
    """
    for sentence in sentences if _order(claim) else ():
        if has_other_order(claim, sentence):
            return _other_order(claim, sentence)
    own = event_order(claim)
    if own is None:
        return None
    one, two = _best_place(own.first, sentences), _best_place(own.second, sentences)
    if one is None or two is None or one == two:
        return None
    is_straight = _is_straight(min(one, two), max(one, two), sentences)
    if is_straight is None:
        return None
    if (one < two) == is_straight:
        return True
    return _other_order(claim, sentences[max(one, two).sentence])


def _other_order(claim: TextReading, sentence: TextReading) -> ClaimDifference:
    spans = (0, len(claim.text), 0, len(sentence.text))
    return ClaimDifference("roles", repr(claim.text[:60]), sentence.text, *spans)


def has_other_order(one: TextReading, other: TextReading) -> bool:
    """Whether two statements tell the same two events in opposite orders.

    "Wheat before maize" beside "maize first, then wheat". "Before four" is no order of events.
    """
    if any(figure.kind in _MOMENTS for text in (one, other) for figure in text.figures):
        return False
    own = _order(one)
    theirs = _order(other) if own else None
    if own is None or theirs is None:
        return False
    is_turned = own.first & theirs.second and own.second & theirs.first
    return bool(is_turned) and not (own.first & theirs.first and own.second & theirs.second)


@lru_cache(maxsize=REMEMBERED)
def _order(reading: TextReading) -> EventOrder | None:
    """Two events and their order, by "before", "after" or "then"."""
    return event_order(reading) or _sequence(reading)


def _sequence(reading: TextReading) -> EventOrder | None:
    """Two events of which one sentence tells the second by "then"."""
    words, then = reading.words, meaning_words().lists["then"]
    if then.isdisjoint(reading.spellings) or len(words) > MOST_WORDS or reading.denies:
        return None
    places = [n for n, word in enumerate(words) if not then.isdisjoint((word.text, word.bare))]
    if len(places) != 1 or words[0].sentence != words[-1].sentence:
        return None
    before, behind = _keys(words[: places[0]]), _keys(words[places[0] + 1 :])
    first, second = before - behind, behind - before
    return EventOrder(first, second) if first and second else None


def event_order(claim: TextReading) -> EventOrder | None:
    """Two events and their order, where a statement names it by "before" or "after"."""
    words = claim.words
    if _ordering().isdisjoint(claim.spellings) or len(words) > MOST_WORDS or claim.denies:
        return None
    marks = [(n, order) for n, word in enumerate(words) if (order := _order_of(word))]
    if len(marks) != 1:
        return None
    (place, order) = marks[0]
    behind = words[place + 1 :]
    before = words[:place]
    if not any(not word.is_empty for word in before):
        clause = next((w.clause for w in behind if not w.is_empty), 0)
        behind, before = _parted(behind, clause)
    if any(word.is_number for word in behind):
        return None
    left, right = _event(before, behind), _event(behind, before)
    left, right = left - right, right - left
    if not left or not right:
        return None
    return EventOrder(left, right) if order == "before" else EventOrder(right, left)


def _parted(words: Sequence[Word], clause: int) -> tuple[list[Word], list[Word]]:
    """The words of a clause, and the others."""
    own = [word for word in words if word.clause == clause]
    return own, [word for word in words if word.clause != clause]


def _ordering() -> AbstractSet[str]:
    classes = meaning_words().lists
    return classes["order_before"] | classes["order_after"]


def _order_of(word: Word) -> str:
    lists = meaning_words().lists
    if word.text in lists["order_before"] or word.bare in lists["order_before"]:
        return "before"
    return "after" if not {word.text, word.bare}.isdisjoint(lists["order_after"]) else ""


def _keys(words: Sequence[Word]) -> frozenset[str]:
    light = light_keys()
    return frozenset(word.key for word in words if not word.is_empty and word.key not in light)


def _event(words: Sequence[Word], others: Sequence[Word]) -> frozenset[str]:
    """The keys of an event; its subject says nothing where a pronoun takes it up in the other."""
    keys, pronouns = _keys(words), meaning_words().lists["named_before"] | {"it"}
    subject = next((word.key for word in words if word.key in keys), "")
    is_taken_up = any(word.text in pronouns for word in others)
    return keys - {subject} if is_taken_up and len(keys) > 1 else keys


def _best_place(keys: frozenset[str], sentences: Sequence[TextReading]) -> _Place | None:
    """Where the clause begins to name most of an event; None where none has half of its words."""
    best, chosen = 0.0, None
    for number, sentence in enumerate(sentences):
        by_clause: dict[int, list[tuple[int, str]]] = {}
        for place, word in enumerate(sentence.words):
            if word.is_empty:
                continue
            held = next((key for key in keys if _is_like(key, word.key)), "")
            if held:
                by_clause.setdefault(word.clause, []).append((place, held))
        for own in by_clause.values():
            share = len({key for _, key in own}) / len(keys)
            if share > best:
                best, chosen = share, _Place(number, own[0][0])
    return chosen if best >= 0.5 else None


def _is_like(key: str, other: str) -> bool:
    if key == other or other in synonyms().get(key, _NONE):
        return True
    return not key.isascii() and has_root(key, frozenset((other,)))


def _is_straight(one: _Place, two: _Place, sentences: Sequence[TextReading]) -> bool | None:
    """Whether what a passage names first comes first; None where no word says so."""
    lists = meaning_words().lists
    own, other = sentences[one.sentence].words, sentences[two.sentence].words
    if one.sentence == two.sentence:
        between = other[one.word + 1 : two.word]
        opening = own[: one.word]
    else:
        between = [*own[one.word + 1 :], *other[: two.word]]
        opening = [word for word in own[: one.word] if word.clause == own[one.word].clause]
    orders = [order for word in between if (order := _order_of(word))]
    opened = [order for word in opening if (order := _order_of(word))]
    if len(orders) + len(opened) > 1:
        return None
    if opened:  # "After X, Y" tells X first; "before X, Y" tells Y first
        is_one_sentence = one.sentence == two.sentence
        are_clauses = is_one_sentence and own[one.word].clause != own[two.word].clause
        return opened[0] == "after" if are_clauses else None
    if orders:
        return orders[0] == "before"
    texts = {word.text for word in between} | {word.bare for word in between}
    if not lists["then"].isdisjoint(texts):
        return True
    starts = {word.text for word in opening}
    behind = {word.text for word in other[two.word + 1 :]}
    is_last = not lists["then_behind"].isdisjoint(behind)
    return True if is_last or not lists["first_of_all"].isdisjoint(starts) else None
