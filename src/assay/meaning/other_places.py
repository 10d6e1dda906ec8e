"""What a passage says elsewhere: figures of other documents, words on another subject."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from assay.meaning.claim_difference import ClaimDifference
from assay.meaning.figures import Figure, measure_of
from assay.meaning.overlap import SHORT_SENTENCE
from assay.meaning.reading import TextReading
from assay.meaning.words import Word


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


def other_unit(claim: TextReading, sentences: Sequence[TextReading]) -> ClaimDifference | None:
    """A number that the sentences around have with another unit of the same measure: 500 MB."""
    own = [figure for figure in claim.stated_figures if _has_unit(figure)]
    if not own:
        return None
    around = [(one, other) for one in sentences for other in one.figures if _has_unit(other)]
    for figure in own:
        if any(figure.equals(other) for _, other in around):
            continue
        for reading, other in around:
            is_number = figure.value == other.value and figure.unit != other.unit
            if is_number and measure_of(figure.unit.dimension) == measure_of(other.unit.dimension):
                return _instead(claim, figure, reading, other)._replace(kind="unit")
    return None


def _has_unit(figure: Figure) -> bool:
    return figure.kind == "number" and bool(figure.unit.dimension)


def other_subject(claim: TextReading, sentences: Sequence[TextReading]) -> ClaimDifference | None:
    """What is said of another of two things that one word tells apart.

    "The basic plan covers fire. The premium plan covers theft." is against "The basic plan covers
    theft": without "basic", all of it stands in the sentence on the other plan.
    """
    content = frozenset(claim.content)
    if len(claim.words) > SHORT_SENTENCE:
        return None
    if any(map(content.issubset, [one.keys for one in sentences])):
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
            if telling is two and not _may_follow(telling):
                continue
            rival = _in_its_place(other, telling, noun, is_before=telling is one)
            if rival is not None and any(_has_pair(one, two, own) for own in sentences):
                spans = (telling.start, telling.end, 0, len(other.text))
                quoted = claim.quote(*spans[:2])
                rivals.append(ClaimDifference("name", quoted, rival.text, *spans))
    return min(rivals, key=lambda one: one.start, default=None)


def _may_follow(word: Word) -> bool:
    """Whether a word may tell its noun apart from behind: "lift B", and any Arabic adjective."""
    return word.is_capital or word.is_number or not word.text.isascii()


def _has_pair(one: Word, two: Word, sentence: TextReading) -> bool:
    """Whether two words are neighbours in a sentence, too."""
    is_there = one.key in sentence.keys and two.key in sentence.keys
    return is_there and (one.key, two.key) in sentence.pairs


def _in_its_place(
    sentence: TextReading, telling: Word, noun: Word, *, is_before: bool
) -> Word | None:
    """The word that stands beside the same noun in another sentence."""
    if noun.key not in sentence.keys:
        return None
    for one, two in pairwise(sentence.words):
        own, beside = (one, two) if is_before else (two, one)
        is_telling = not own.is_empty and own.key != telling.key
        if not is_before and not _may_follow(own):
            continue
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
