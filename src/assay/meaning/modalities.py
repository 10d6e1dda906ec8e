"""What must, need not, may and must not be: a statement and a passage that say the reverse.

"A certificate is helpful but not required" is against "You need a certificate", "Smoking is
prohibited" against "You may smoke". English.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import takewhile
from typing import NamedTuple

from assay.data.meaning import meaning_words
from assay.meaning.claim_difference import ClaimDifference
from assay.meaning.commitments import MOST_WORDS, forms_of
from assay.meaning.reading import TextReading
from assay.meaning.word_coverage import light_keys
from assay.meaning.words import Word

REMEMBERED = 256
"""So many sentences are kept: all statements about them read them."""


class Modality(NamedTuple):
    """Something that must be or need not, or may be or must not."""

    is_duty: bool
    """Whether it is about what must be, rather than about what may be."""
    holds: bool
    """Whether it must, or may."""
    objects: Sequence[str]
    """What that is said of, in the order of the text."""
    holders: Sequence[str]
    """Who must or may, where that is said."""
    rest: Sequence[str]
    """Where or when, behind the word that says so."""


def other_modality(claim: TextReading, sentences: Sequence[TextReading]) -> ClaimDifference | None:
    """A sentence that says the reverse of a statement; None where another one says the same."""
    if len(claim.words) > MOST_WORDS or _modal_words().isdisjoint(claim.texts):
        return None
    own = [one for one in modalities_of(claim) if one.objects]
    if not own or not meaning_words().lists["conditions"].isdisjoint(claim.spellings):
        return None
    against = None
    for sentence in sentences:
        if _modal_words().isdisjoint(sentence.texts):
            continue
        for other in modalities_of(sentence):
            for mine in own:
                if not _is_same(mine, other, claim):
                    continue
                if mine.holds == other.holds:
                    return None
                if not _is_bounded(other, sentence, claim):
                    against = against or sentence
    if against is None:
        return None
    spans = (0, len(claim.text), 0, len(against.text))
    return ClaimDifference("modality", claim.text, against.text, *spans)


def same_modality(claim: TextReading, sentences: Sequence[TextReading]) -> bool | None:
    """True where a sentence says in other words that the same must or may be: "need", "must have".

    None where no sentence does, or the statement says more.
    """
    if len(claim.words) > MOST_WORDS or _modal_words().isdisjoint(claim.texts) or claim.figures:
        return None
    own = [*modalities_of(claim)]
    if len(own) != 1 or not own[0].objects or not own[0].holders or own[0].rest:
        return None
    said = claim.content.keys() - light_keys() - _modal_keys(claim)
    for sentence in sentences:
        if _modal_words().isdisjoint(sentence.texts) or not said <= sentence.keys:
            continue
        for other in modalities_of(sentence):
            is_same = own[0].is_duty == other.is_duty and own[0].holds == other.holds
            is_same = is_same and {*own[0].objects} <= {*other.objects}
            is_same = is_same and {*own[0].holders} == {*other.holders}
            if is_same and not _is_bounded(other, sentence, claim):
                return True
    return None


def _modal_keys(claim: TextReading) -> frozenset[str]:
    return frozenset(word.key for word in claim.words if word.text in _modal_words())


@lru_cache(maxsize=REMEMBERED)
def modalities_of(reading: TextReading) -> tuple[Modality, ...]:
    """What a text says must, need not, may or must not be."""
    return tuple(_modalities(reading))


def _modalities(reading: TextReading) -> Iterator[Modality]:
    lists, words = meaning_words().lists, reading.words
    for place, word in enumerate(words):
        if word.text not in _modal_words():
            continue
        own = [w for w in words if w.clause == word.clause]
        before = [w for w in own if w.start < word.start]
        behind = [w for w in own if w.start > word.start]
        is_denied = _is_denied(reading, place)
        verb = _verb(word.text, behind[0].text if behind else "")
        if verb == "must" and is_denied:  # "must not" forbids
            yield Modality(False, False, _keys(behind), _keys(before), ())
        elif verb:
            is_duty = verb != "may"
            yield Modality(is_duty, not is_denied, _keys(behind), _keys(before), ())
        elif word.text in lists["due"] | lists["allowed"]:
            is_reverse = word.text in lists["not_due"] | lists["not_allowed"]
            holders = _keys([*_from(behind, "for")])
            rest = [w.key for w in behind if not w.is_empty and w.key not in holders]
            said = is_denied == is_reverse
            yield Modality(word.text in lists["due"], said, _keys(_head(before)), holders, rest)
        elif word.text == "without" and before and before[-1].text == "do":
            is_needed = any(scope.place < place for scope in reading.scopes)
            yield Modality(True, is_needed, _keys(behind), (), ())


def _verb(text: str, follows: str) -> str:
    """Which verb a word is for what stands behind it: "need", "must" or "may"; or empty."""
    lists = meaning_words().lists
    if text in lists["allowing"] or (follows == "to" and text in lists["allowed"]):
        return "may"
    if text in lists["needing"] or (follows == "to" and text in lists["having"] | lists["due"]):
        return "must" if text.startswith("must") else "need"
    return ""


def _is_denied(reading: TextReading, place: int) -> bool:
    """Whether a negation covers a word, is in it or follows it: "not due", "can't", "may not"."""
    return any(
        scope.first <= place < scope.last or scope.place in (place, place + 1)
        for scope in reading.scopes
    )


def _head(before: Sequence[Word]) -> list[Word]:
    """The words of a clause before its verb and its first preposition."""
    ends = meaning_words().lists["ends_of_subject"]
    return [*takewhile(lambda w: w.text not in ends and not w.text.endswith("n't"), before)]


def _from(words: Sequence[Word], opening: str) -> Iterator[Word]:
    """The words from one on."""
    is_open = False
    for word in words:
        is_open |= word.text == opening
        if is_open:
            yield word


def _keys(words: Sequence[Word]) -> list[str]:
    """The keys of words that say something, but for those of modality."""
    keys = [w.key for w in words if not w.is_empty and w.text not in _modal_words()]
    return [key for key in keys if key not in light_keys()]


def _is_same(mine: Modality, other: Modality, claim: TextReading) -> bool:
    """Whether all that a sentence speaks of stands in the statement, with the same holder.

    What the statement itself is about comes first in it: who need not pay for a reservation may
    have to make one.
    """
    if mine.is_duty != other.is_duty or not other.objects:
        return False
    if not all(_has(key, claim.content) for key in other.objects):
        return False
    if not _has(mine.objects[0], other.objects):
        return False
    return all(_has(key, mine.holders or claim.content) for key in other.holders)


def _has(key: str, keys: Iterable[str]) -> bool:
    return not forms_of(key).isdisjoint(keys)


def _is_bounded(other: Modality, sentence: TextReading, claim: TextReading) -> bool:
    """Whether a sentence has a place, a time, a condition or a figure that the statement lacks."""
    lists = meaning_words().lists
    bounds = lists["conditions"] | lists["only"] | lists["clause_conditions"]
    return (
        not bounds.isdisjoint(sentence.spellings)
        or not all(_has(key, claim.content) for key in other.rest)
        or any(not any(map(figure.equals, claim.figures)) for figure in sentence.figures)
    )


@cache
def _modal_words() -> frozenset[str]:
    lists = meaning_words().lists
    names = ("due", "needing", "having", "allowed", "allowing")
    return frozenset(("without",)).union(*[lists[name] for name in names])
