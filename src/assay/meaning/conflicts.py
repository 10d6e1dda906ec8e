"""What a passage says against a statement that was made from it.

`differences` compares two texts that answer the same question. A passage says more than the
statement, so here its differences count only where they cannot be explained by what else the
passage says: a number that the passage has elsewhere, a denial on both sides, a list in another
order. Cause and effect, conditions and quantifiers are compared, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from assay.data.meaning import ARABIC_FOLDED, meaning_words
from assay.meaning.attachment import (
    exchanged,
    is_comparable,
    is_converse,
    is_inverted,
    is_scrambled,
    moved_figure,
    moved_run,
    other_attribute,
)
from assay.meaning.claim_difference import ClaimDifference
from assay.meaning.differences import differences, figure_differences
from assay.meaning.exceptions import ExceptionUse, exception_use
from assay.meaning.figures import Figure, measure_of
from assay.meaning.reading import TextReading, related
from assay.meaning.roles import has_same_verb, other_name, turned_way
from assay.meaning.word_coverage import alike, has_root, synonyms
from assay.meaning.words import Word

FIGURES = frozenset(("number", "unit", "limit", "date", "weekday", "time", "rate"))
CLASSES = frozenset(("quantity_words", "frequency_words", "modality", "certainty"))
NEAR = 0.5
"""The share of a statement's words that a sentence must have to speak of the same thing."""
NEAR_COPY = 0.75
SHORT_SENTENCE = 30
"""In a sentence of more words a negation may belong to something else."""
SWAPPED = 0.3
"""So much better must the parts fit the other way round."""
MIN_SPLIT = 5
"""Words that a sentence must have to be parted."""
MOST_RESTATED = 2
"""So many words of what is said of an exception the sentence may lack."""
MIN_PART = 2
"""Content words that a part of a sentence must have to be compared by itself."""


_ARABIC = re.compile("[\u0600-\u06ff]")


class ClausePart(NamedTuple):
    """A sentence parted at a word such as "because" or "if"."""

    order: str
    """`before` or `after` for a word that says when, else empty."""
    marked: frozenset[str]
    """The content keys of the part that the word opens."""
    rest: frozenset[str]


def conflicts(
    claim: TextReading,
    sentence: TextReading,
    window: Sequence[TextReading],
    given: TextReading | None = None,
) -> list[ClaimDifference]:
    """What a sentence of a passage says against a statement, the surest first."""
    near = overlap(claim, sentence)
    if near < NEAR:
        return []
    whole = sentence
    sentence = _clause(claim, sentence, near)
    own, other = claim.denies, sentence.denies
    placed = []
    for one in differences(claim, sentence, given):
        if one.kind in FIGURES:
            is_kept = _is_other_figure(one, claim, sentence, near)
        elif one.kind == "negation":
            is_short = len(sentence.words) <= SHORT_SENTENCE
            is_kept = own != other and (is_short or near >= NEAR_COPY)
        elif one.kind == "opposite":
            is_kept = own == other
        elif one.kind in CLASSES:
            is_less = one.kind == "quantity_words" and "some" in claim.classes.get(one.kind, ())
            is_kept = not is_less and (near >= NEAR_COPY or one.kind in ("modality", "certainty"))
        elif one.kind == "roles":
            is_copy = min(near, overlap(sentence, claim)) >= NEAR_COPY
            is_kept = is_copy and _has_two_names(one, claim)
            is_kept = is_kept or has_same_verb(claim, sentence) or bool(turned_way(claim, sentence))
            is_kept = is_kept or not claim.text.isascii()
        elif one.kind == "name":
            is_kept = near >= NEAR_COPY
        else:
            is_kept = False
        if is_kept:
            placed.append(one)
    if not any(one.kind == "negation" for one in placed) and _is_denied_otherwise(claim, sentence):
        spans = (0, len(claim.text), 0, len(sentence.text))
        placed.append(ClaimDifference("negation", "not" if own else "", sentence.text, *spans))
    if sentence is not whole:
        placed = [one._replace(other_start=0, other_end=len(whole.text)) for one in placed]
    is_short = is_comparable(claim, whole)
    if not placed and is_short and (names := other_name(claim, whole)):
        name, rival = ((word.start, word.end) for word in names)
        message, expected = repr(claim.quote(*name)), whole.quote(*rival)
        placed.append(ClaimDifference("roles", message, expected, *name, *rival))
    if len(claim.scopes) > 1 and not meaning_words().lists["only"].isdisjoint(whole.spellings):
        placed = [one for one in placed if one.kind != "negation"]
    use = exception_use(claim, whole)
    if use is ExceptionUse.KEPT:
        placed = [one for one in placed if one.kind not in ("negation", "opposite")]
    elif use is ExceptionUse.IGNORED and not any(one.kind == "negation" for one in placed):
        spans = (0, len(claim.text), 0, len(whole.text))
        placed.append(ClaimDifference("negation", "", whole.text, *spans))
    placed += _swapped_parts(claim, whole, window)
    if near >= NEAR and is_comparable(claim, whole):
        placed = _placed(placed, claim, whole, near)
    return placed


def _placed(
    result: list[ClaimDifference], claim: TextReading, sentence: TextReading, near: float
) -> list[ClaimDifference]:
    """The differences after a look at the places of words.

    Two sides that are exchanged around an opposite say the same: "lower than", "higher than".
    """
    if is_inverted(claim, sentence) or is_converse(claim, sentence):
        result = [one for one in result if one.kind != "opposite"]
    place = exchanged(claim, sentence)
    if not place and not result and near >= NEAR_COPY:
        place = moved_figure(claim, sentence)
    if not place and not result and is_scrambled(claim, sentence):
        place = (0, len(claim.text))
    if not place and not result and near >= NEAR_COPY:
        place = moved_run(claim, sentence)
    if not place and not result and (pair := other_attribute(claim, sentence)):
        own, other = ((word.start, word.end) for word in pair)
        quoted = claim.quote(*own), sentence.quote(*other)
        return [ClaimDifference("name", *quoted, *own, *other)]
    if not place or (result and result[0].kind == "roles"):
        return result
    message = repr(claim.quote(*place)[:60])
    return [
        *result,
        ClaimDifference("roles", message, sentence.text, *place, 0, len(sentence.text)),
    ]


def figure_conflicts(claim: TextReading, sentence: TextReading) -> list[ClaimDifference]:
    """Those of `conflicts` that are about figures."""
    if not claim.stated_figures or not sentence.stated_figures:
        return []
    near = overlap(claim, sentence)
    if near < NEAR:
        return []
    sentence = _clause(claim, sentence, near)
    return [
        one
        for one in figure_differences(claim, sentence)
        if one.kind in FIGURES and _is_other_figure(one, claim, sentence, near)
    ]


def _clause(claim: TextReading, sentence: TextReading, near: float) -> TextReading:
    """The one clause of a sentence that has as many words of a statement as the whole of it."""
    if len(sentence.words) < MIN_SPLIT or not claim.content or len(sentence.clauses) < 2:
        return sentence
    least = max(near * len(claim.content) - 1e-9, min(MIN_PART, len(claim.content)))
    for start, end, keys in sentence.clauses:
        if _held(claim, keys) >= least:
            return sentence.stretch(start, end)
    return sentence


def overlap(claim: TextReading, other: TextReading) -> float:
    """The share of the statement's content words that the other text has."""
    return _held(claim, other.keys) / len(claim.content) if claim.content else 0.0


def _held(claim: TextReading, keys: AbstractSet[str]) -> int:
    """How many content words of a statement, or words of like meaning, are among keys."""
    known = synonyms()
    return sum(
        [
            key in keys
            or (key in known and not known[key].isdisjoint(keys))
            or (not key.isascii() and has_root(key, keys))
            for key in claim.content
        ]
    )


def _is_denied_otherwise(claim: TextReading, sentence: TextReading) -> bool:
    """Whether just one of two short Arabic texts denies something."""
    if claim.text.isascii() or not _ARABIC.search(claim.text):
        return False
    is_short = max(len(claim.words), len(sentence.words)) <= SHORT_SENTENCE
    if not is_short or claim.denies == sentence.denies:
        return False
    one, other = (claim, sentence) if claim.denies else (sentence, claim)
    denied = [key for scope in one.scopes for key in one.scope_keys(scope)]
    return not denied or any(key in other.content or alike(key, other.keys) for key in denied)


def unstated(claim: TextReading) -> frozenset[str] | None:
    """The keys of what the sources are said not to say; None for any other statement."""
    lower = claim.text.lower().translate(ARABIC_FOLDED)
    lists = meaning_words().lists
    if not any(map(lower.__contains__, _folded("not_stated"))) and not _states_not(claim):
        return None
    words = {word for one in claim.words for word in (one.text, one.bare)}
    if lists["source_nouns"].isdisjoint(words):
        return None
    return frozenset(
        word.key
        for word in claim.content.values()
        if lists["sources"].isdisjoint((word.text, word.bare))
        and lists["source_nouns"].isdisjoint((word.text, word.bare))
        and lists["stating"].isdisjoint((word.text, word.bare))
    )


def _states_not(claim: TextReading) -> bool:
    """Whether a verb such as "mention" stands right behind a negation."""
    stating = meaning_words().lists["stating"]
    return any(
        not stating.isdisjoint((own.text, own.bare))
        for scope in claim.scopes
        for own in claim.words[scope.first : scope.first + 1]
    )


@cache
def _folded(name: str) -> tuple[str, ...]:
    return tuple(phrase.translate(ARABIC_FOLDED) for phrase in meaning_words().lists[name])


def restated(claim: TextReading, sentence: TextReading) -> frozenset[str]:
    """The words of a statement that a sentence has from the other side, with the same meaning.

    "Longer" where the sides of "shorter than" are exchanged, "closed" for the exception of what is
    open, "easy" for what is not difficult.
    """
    known, none = related(), frozenset[str]()
    facing = {
        key
        for key in claim.keys - sentence.keys
        if not known.get(key, none).isdisjoint(sentence.keys)
    }
    if not is_comparable(claim, sentence):
        return none
    if exception_use(claim, sentence) is ExceptionUse.KEPT:
        missing = claim.content.keys() - sentence.keys
        return frozenset(missing) if len(missing) <= MOST_RESTATED else none
    if not facing:
        return none
    if is_inverted(claim, sentence) or is_converse(claim, sentence):
        return frozenset(facing)
    against = {key for scope in sentence.scopes for key in sentence.scope_keys(scope)}
    denied = {key for scope in claim.scopes for key in claim.scope_keys(scope)}
    return frozenset(
        key for key in facing if (key in denied) != (not known[key].isdisjoint(against))
    )


def drops_condition(claim: TextReading, sentence: TextReading) -> bool:
    """Whether a sentence says something on a condition, and the statement without it."""
    lists = meaning_words().lists
    if lists["conditions"].isdisjoint(sentence.spellings):
        return False
    limiting = lists["conditions"] | lists["only"]
    if not limiting.isdisjoint(claim.spellings) or claim.denies or claim.figures:
        return False
    if not is_comparable(claim, sentence):
        return False
    for place, word in enumerate(sentence.words):
        if word.text not in lists["conditions"]:
            continue
        marked = {w.key for w in sentence.words[place + 1 :] if w.clause == word.clause}
        rest = sentence.content.keys() - marked
        own = claim.content.keys()
        if len(own) >= MIN_PART and own <= rest | {word.key} and not own & (marked - rest):
            return True
    return False


def widens(claim: TextReading, window: Sequence[TextReading]) -> bool:
    """Whether a statement speaks of all, any or only where the passage does not."""
    lists = meaning_words().lists
    for name in ("whole", "only"):
        words = lists[name]
        if words.isdisjoint(claim.spellings) or not _has_scope(claim, words):
            continue
        if all(words.isdisjoint(reading.spellings) for reading in window):
            return True
    return False


def _has_scope(claim: TextReading, words: frozenset[str]) -> bool:
    """Whether one of some words speaks of something, unlike "at all" and "all around"."""
    empty = meaning_words().lists["idioms_of_all"]
    own = claim.words
    for place, word in enumerate(own):
        if word.text not in words and word.bare not in words:
            continue
        before = own[place - 1].text if place else ""
        follows = own[place + 1].text if place + 1 < len(own) else ""
        if f"{before} {word.text}" not in empty and f"{word.text} {follows}" not in empty:
            return True
    return False


def clauses(claim: TextReading) -> list[TextReading]:
    """The clauses of a statement that say something by themselves; itself where it has one."""
    if len(claim.clauses) < 2:
        return [claim]
    result = [claim.stretch(start, end) for start, end, _ in claim.clauses]
    return [part for part in result if part.content]


def _is_other_figure(
    one: ClaimDifference, claim: TextReading, sentence: TextReading, near: float
) -> bool:
    """Whether two figures are of the same kind, so that one excludes the other."""
    message = next((f for f in claim.figures if f.start == one.start), None)
    other = next((f for f in sentence.figures if f.start == one.other_start), None)
    if message is None or other is None:
        return False
    if message.kind != "number":
        return True
    if message.unit.dimension or other.unit.dimension:
        return measure_of(message.unit.dimension) == measure_of(other.unit.dimension)
    return near >= NEAR_COPY and not message.is_word


def other_document(
    claim: TextReading, documents: Sequence[Sequence[TextReading]]
) -> ClaimDifference | None:
    """A figure of the statement that belongs to another document than the rest of it.

    In every document that fits the statement best, the figure is missing and another one of the
    same kind stands in its place.
    """
    figures = [figure for figure in claim.figures if not figure.is_word]
    if not figures or len(documents) < 2:
        return None
    fits = []
    for own in documents:
        keys = frozenset().union(*[reading.keys for reading in own])
        stated = [other for reading in own for other in reading.figures]
        held = [any(figure.equals(other) for other in stated) for figure in figures]
        fits.append((sum([key in keys for key in claim.content]) + sum(held), held, own))
    best = max(fit for fit, _, _ in fits)
    result = None
    for fit, held, own in fits:
        if fit < best:
            continue
        rival = next(
            (
                _instead(claim, figure, reading, other)
                for figure, is_held in zip(figures, held, strict=True)
                if not is_held
                for reading in own
                for other in reading.figures
                if _is_rival(claim, figure, reading, other)
            ),
            None,
        )
        if rival is None:
            return None
        result = result or rival
    return result


def other_subject(claim: TextReading, sentences: Sequence[TextReading]) -> ClaimDifference | None:
    """What is said of another of two things that one word tells apart.

    "The basic plan covers fire. The premium plan covers theft." is against "The basic plan covers
    theft": without "basic", all of it stands in the sentence on the other plan.
    """
    content = claim.content.keys()
    if len(claim.words) > SHORT_SENTENCE or any(content <= one.keys for one in sentences):
        return None
    rivals: list[ClaimDifference] = []
    for other in sentences:
        missing = content - other.keys
        if len(missing) != 1:
            continue
        telling = claim.content[next(iter(missing))]
        for one, two in pairwise(claim.words):
            noun = two if one is telling else one
            if telling not in (one, two) or noun.is_empty or one.clause != two.clause:
                continue
            has_both = any((one.key, two.key) in sentence.pairs for sentence in sentences)
            rival = _in_its_place(other, telling, noun, is_before=telling is one)
            if has_both and rival is not None:
                spans = (telling.start, telling.end, 0, len(other.text))
                quoted = claim.quote(*spans[:2])
                rivals.append(ClaimDifference("name", quoted, rival.text, *spans))
    return min(rivals, key=lambda one: one.start, default=None)


def _in_its_place(
    sentence: TextReading, telling: Word, noun: Word, *, is_before: bool
) -> Word | None:
    """The word that stands beside the same noun in another sentence."""
    for one, two in pairwise(sentence.words):
        own, beside = (one, two) if is_before else (two, one)
        is_telling = not own.is_empty and own.key != telling.key
        if beside.key == noun.key and is_telling and own.clause == beside.clause:
            return own
    return None


def _is_rival(claim: TextReading, figure: Figure, reading: TextReading, other: Figure) -> bool:
    """Whether two figures have the same dimension, or stand behind the same word."""
    if figure.kind != other.kind or figure.kind != "number" or other.is_word:
        return False
    if figure.unit.dimension or other.unit.dimension:
        return figure.unit.dimension == other.unit.dimension
    before = _before(claim, figure)
    return bool(before) and before == _before(reading, other)


def _before(reading: TextReading, figure: Figure) -> str:
    """The key of the word right before a figure."""
    ends = [word for word in reading.words if word.end <= figure.start]
    return ends[-1].key if ends and not ends[-1].is_empty else ""


def _instead(
    claim: TextReading, figure: Figure, reading: TextReading, other: Figure
) -> ClaimDifference:
    own, place = (figure.start, figure.end), (other.start, other.end)
    return ClaimDifference("number", claim.quote(*own), reading.quote(*place), *own, *place)


def _has_two_names(one: ClaimDifference, claim: TextReading) -> bool:
    inside = [w for w in claim.words if one.start <= w.start < one.end and not w.is_empty]
    return sum(word.is_capital for word in inside) >= 2


def _parts(reading: TextReading) -> ClausePart | None:
    """The part that a causal or conditional word opens, and the rest."""
    lists = meaning_words().lists
    for place, word in enumerate(reading.words):
        if word.text not in lists["causes"] and word.bare not in lists["causes"]:
            continue
        clause = word.clause
        marked = {
            w.key for w in reading.words[place + 1 :] if w.clause == clause and not w.is_empty
        }
        rest = {w.key for w in reading.words if not w.is_empty} - marked - {word.key}
        if len(marked) >= MIN_PART and len(rest) >= MIN_PART:
            return ClausePart(_time_order(word), frozenset(marked), frozenset(rest))
    return None


def _time_order(word: Word) -> str:
    """Whether a word says `before` or `after`; empty for another one."""
    own = dict(meaning_words().classes.get(word.text, ()))
    return own.get("time_order", "")


def _swapped_parts(
    claim: TextReading, sentence: TextReading, window: Sequence[TextReading]
) -> Iterator[ClaimDifference]:
    """Cause and effect, or condition and outcome, that were exchanged."""
    own = _parts(claim)
    if own is None:
        return
    other = _parts(sentence)
    if other is None:
        return
    straight = _fit(own.marked, other.marked) + _fit(own.rest, other.rest)
    crossed = _fit(own.marked, other.rest) + _fit(own.rest, other.marked)
    if own.order != other.order and own.order and other.order:
        straight, crossed = crossed, straight  # "A before B" is "B after A"
        other = other._replace(marked=other.rest, rest=other.marked)
    is_crossed = crossed > straight + 2 * SWAPPED
    if not is_crossed and _fit(own.marked, other.marked) >= NEAR_COPY:
        rests = [part for part in map(_parts, window) if part is not None and part != other]
        here = _fit(own.rest, other.rest)
        is_crossed = any(
            _fit(own.rest, part.rest) >= here + 2 * SWAPPED
            and _fit(own.marked, part.marked) < _fit(own.marked, other.marked)
            for part in rests
        )
    if is_crossed:
        message = repr(claim.text[:60])
        yield ClaimDifference(
            "roles", message, sentence.text, 0, len(claim.text), 0, len(sentence.text)
        )


def _fit(keys: frozenset[str], others: frozenset[str]) -> float:
    return len(keys & others) / len(keys)
