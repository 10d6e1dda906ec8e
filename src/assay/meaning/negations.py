"""What a text denies: the words of a negation and how far it reaches."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from assay.data.meaning import meaning_words
from assay.meaning.words import Word

if TYPE_CHECKING:
    from assay.meaning.reading import TextReading

ONLY = "الا"
"""Arabic for "but": behind a negation it says "only"."""
LEFT_OUT = 5
"""Up to so many words before it, a negation may end a clause that leaves its verb out."""

_FROM = "من"
FREED = 2
"""So many words behind "exempt from" are what somebody is exempt from."""
EXEMPT = 12
"""So far behind an Arabic word for "exempt" its "from" is looked for."""

REACH = 7
"""So many words behind a negation may be denied by it."""


class Scope(NamedTuple):
    """A negation and the words that it denies, by their places among the words."""

    place: int
    first: int
    last: int
    """Behind the last word."""


def scopes_of(reading: TextReading) -> list[Scope]:
    """The negations of a text, each with the words that it denies."""
    scopes: list[Scope] = []
    is_plain = "n't" not in reading.lower and "-free" not in reading.lower
    if is_plain and _denying().isdisjoint(reading.spellings):
        return scopes
    table, words = meaning_words(), reading.words
    for place in _denying_places(words):
        word = words[place]
        if _is_free(reading, place):
            scopes.append(Scope(place, place - 1, place))
            continue
        is_warning = word.text == "against" and place > 0
        is_warning = is_warning and words[place - 1].text in table.lists["warning"]
        is_open = word.text == "yet" and place + 1 < len(words) and words[place + 1].text == "to"
        if (
            not is_warning
            and not is_open
            and not _denies(word, table.negations, table.denying_verbs)
        ):
            continue
        if place == 0 and reading.answer is False:
            continue
        follows = words[place + 1] if place + 1 < len(words) else None
        if follows and f"{word.text} {follows.text}" in _harmless():
            continue
        last = place + 1
        if is_restricting(words, place) or _is_told_by_verb(words, place):
            continue
        if _is_bound(reading, place):
            continue
        if (
            word.text == "nothing"
            and follows
            and follows.text in meaning_words().lists["behind_nothing"]
        ):
            scopes.append(Scope(place, last, last))
            continue
        while last < len(words) and last - place <= REACH:
            own = words[last]
            is_break = own.clause != word.clause or own.text in table.lists["contrast"]
            is_break = is_break or (own.text == "as" and last > place + 1)
            if is_break or (own.text in table.negations and last > place + 1):
                break
            last += 1
        first = place + 1
        if word.text in table.lists["exempt"]:
            scopes += _freed_from(words, place)
            continue
        if last == first and _is_elliptic(words, place):
            first, last = _clause_start(words, place), place
        scopes.append(Scope(place, first, last))
    return [scope for scope in scopes if not _is_undone(words, scope, scopes)]


def _freed_from(words: list[Word], place: int) -> list[Scope]:
    """What somebody is exempt from, in Arabic: the words behind "from"."""
    behind = range(place + 1, min(len(words), place + EXEMPT))
    first = next((n + 1 for n in behind if words[n].text == _FROM), len(words))
    last = min(len(words), first + FREED)
    is_named = first < last and words[first].sentence == words[place].sentence
    return [Scope(place, first, last)] if is_named else []


def _is_before(words: list[Word], place: int, text: str) -> bool:
    return place + 1 < len(words) and words[place + 1].text == text


def _is_undone(words: list[Word], scope: Scope, scopes: list[Scope]) -> bool:
    """Whether "without" is denied itself: what follows it is needed then."""
    if words[scope.place].text not in meaning_words().lists["without"]:
        return False
    clause = words[scope.place].clause
    return any(
        other.place < scope.place and words[other.place].clause == clause for other in scopes
    )


def _is_elliptic(words: list[Word], place: int) -> bool:
    """Whether a negation ends a clause that leaves its verb out: "…, but flash is not"."""
    first = _clause_start(words, place)
    own, before = words[first:place], words[:first]
    is_negation = words[place].text == "not" or words[place].text.endswith("n't")
    return is_negation and bool(before) and len(own) <= LEFT_OUT


def _clause_start(words: list[Word], place: int) -> int:
    """The place of the first word of a clause; "but" opens one, too."""
    first = place
    contrast = meaning_words().lists["contrast"]
    while first and words[first - 1].clause == words[place].clause:
        if words[first - 1].text in contrast:
            break
        first -= 1
    return first


def is_restricting(words: list[Word], place: int) -> bool:
    """Whether an Arabic negation says "only": لا ... إلا."""
    behind = words[place + 1 : place + REACH]
    clause = words[place].clause
    return any(word.text == ONLY and word.clause == clause for word in behind)


def _is_bound(reading: TextReading, place: int) -> bool:
    """Whether a negation says where an amount or a time ends: "no later than 18:00".

    And "do not take more than two".
    """
    words, bounding = reading.words, meaning_words().lists["bounding"]
    is_plain = words[place].text in ("no", "not")
    if not is_plain and words[place].text != "never" and not words[place].text.endswith("n't"):
        return False
    behind = [w for w in words[place + 1 : place + 6] if w.clause == words[place].clause]
    for number, (one, two) in enumerate(pairwise(behind)):
        if two.text != "than" or number + 2 >= len(behind):
            continue
        first = behind[number + 2].start
        is_figure = any(figure.start <= first < figure.end for figure in reading.figures)
        return (is_plain and not number and one.text in bounding) or (
            is_figure and (not number or one.text in bounding)
        )
    return False


def _is_told_by_verb(words: list[Word], place: int) -> bool:
    """Whether the word before "nothing" has taken it up already: "costs nothing" reads as free."""
    before = words[place - 1] if place else None
    is_nothing = words[place].text == "nothing" and before is not None
    return is_nothing and before is not None and before.key == "free" != before.text


def _is_free(reading: TextReading, place: int) -> bool:
    """Whether a word is the second part of "sugar-free"."""
    words = reading.words
    return words[place].text == "free" and reading.text[words[place].start - 1] == "-" and place > 0


@cache
def _denying() -> frozenset[str]:
    """Words that may deny what follows."""
    return meaning_words().negations | meaning_words().denying_verbs | {"against", "yet"}


@cache
def _may_deny_texts() -> frozenset[str]:
    return _denying() | {"free"}


def _denying_places(words: list[Word]) -> list[int]:
    """Where words stand that may deny something; most do not, and are not looked at closely."""
    known = _may_deny_texts()
    return [
        place
        for place, word in enumerate(words)
        if word[0] in known or word[4] in known or word[0][-3:] == "n't"
    ]


@cache
def _harmless() -> frozenset[str]:
    """The first two words of phrases with a negation that deny nothing."""
    return frozenset(" ".join(phrase.split()[:2]) for phrase in meaning_words().harmless)


def _denies(word: Word, negations: frozenset[str], verbs: frozenset[str]) -> bool:
    if word.text in negations or word.text.endswith("n't") or word.text in verbs:
        return True
    return word.bare != word.text and word.bare in negations and len(word.bare) > 1
