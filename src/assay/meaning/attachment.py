"""Words of a passage that a statement puts together otherwise: exchanged roles, moved figures.

Every word of such a statement stands in the passage: nothing but their places gives it away.
"""

from __future__ import annotations

from itertools import pairwise

from assay.data.meaning import meaning_words
from assay.meaning.figures import Figure
from assay.meaning.reading import TextReading, converses, opposites

MOST_WORDS = 80
"""Longer texts are not compared, so that time stays linear."""

_NONE: frozenset[str] = frozenset()
Span = tuple[int, int]


def is_comparable(claim: TextReading, sentence: TextReading) -> bool:
    """Whether two texts are short enough to compare the places of their words."""
    return max(len(claim.words), len(sentence.words)) <= MOST_WORDS


def exchanged(claim: TextReading, sentence: TextReading) -> Span | None:
    """What stands around a word such as "than" or "against", where the two sides are exchanged."""
    pivots = meaning_words().lists["pivots"]
    for place, word in enumerate(claim.words):
        if word.text not in pivots:
            continue
        left, right = _sides(claim, place)
        for other, known in enumerate(sentence.words):
            if known.text != word.text or not _is_alike(claim, place, sentence, other):
                continue
            before, after = _sides(sentence, other)
            moved = (left & after) - right - before, (right & before) - left - after
            if all(moved):
                return claim.words[0].start, claim.words[-1].end
    return None


def is_converse(claim: TextReading, sentence: TextReading) -> bool:
    """Whether two texts say the same from two sides: "Lind lost to Varga", "Varga beat Lind".

    Each has a word whose converse the other has, and two other words are in the other order.
    """
    if not any(not converses().get(key, _NONE).isdisjoint(sentence.keys) for key in claim.content):
        return False
    one, other = _single_places(claim), _single_places(sentence)
    both = sorted((place, other[key]) for key, place in one.items() if key in other)
    return any(first[1] > second[1] for first, second in pairwise(both))


def _is_alike(claim: TextReading, place: int, sentence: TextReading, other: int) -> bool:
    """Whether two comparisons are made by the same word, or by its opposite."""
    if claim.words[place].text not in meaning_words().lists["comparison"]:
        return True
    if not place or not other:
        return False
    one, two = claim.words[place - 1].key, sentence.words[other - 1].key
    return one == two or two in opposites().get(one, ())


def _sides(reading: TextReading, place: int) -> tuple[frozenset[str], frozenset[str]]:
    """The keys of the content words before and behind a word in its clause."""
    clause = reading.words[place].clause
    left = [w.key for w in reading.words[:place] if w.clause == clause and not w.is_empty]
    right = [w.key for w in reading.words[place + 1 :] if w.clause == clause and not w.is_empty]
    return frozenset(left), frozenset(right)


def moved_figure(claim: TextReading, sentence: TextReading) -> Span | None:
    """A number that belongs to other words of the sentence than the statement says.

    Each word belongs to the number that it stands nearest to. The statement has all words of
    another number of that unit, and lacks some of those of its own.
    """
    places = _single_places(sentence)
    for figure in claim.stated_figures:
        if figure.is_word or figure.kind != "number":
            continue
        own = [other for other in sentence.figures if figure.equals(other)]
        rivals = [
            other
            for other in sentence.figures
            if other.kind == "number"
            and not other.is_word
            and other.unit.dimension == figure.unit.dimension
            and not any(one.equals(other) for one in claim.figures)
        ]
        if len(own) != 1 or not rivals:
            continue
        here = _place(sentence, own[0])
        message = claim.keys
        mine: set[str] = set()
        cells: dict[int, set[str]] = {_place(sentence, other): set() for other in rivals}
        for key, place in places.items():
            nearest = min(cells, key=lambda other: abs(place - other))
            is_mine = abs(place - here) <= abs(place - nearest)
            (mine if is_mine else cells[nearest]).add(key)
        if not mine <= message and any(cell and cell <= message for cell in cells.values()):
            return figure.start, figure.end
    return None


def _single_places(reading: TextReading) -> dict[str, int]:
    """Key → its place, for content keys that a text has once."""
    single_places: dict[str, int] = {}
    twice: set[str] = set()
    for place, word in enumerate(reading.words):
        if word.key not in reading.content:
            continue
        if word.key in single_places:
            twice.add(word.key)
        single_places.setdefault(word.key, place)
    return {key: place for key, place in single_places.items() if key not in twice}


def _place(reading: TextReading, figure: Figure) -> int:
    return next(n for n, word in enumerate(reading.words) if word.end > figure.start)
