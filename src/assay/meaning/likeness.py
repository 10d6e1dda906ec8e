"""How alike two texts are, in one language or across two, in named measures."""

from __future__ import annotations

from collections.abc import Sequence, Set
from math import log
from typing import TypeVar

from assay.meaning.agreement import CONFLICTS
from assay.meaning.differences import differences
from assay.meaning.figures import Figure
from assay.meaning.reading import TextReading

T = TypeVar("T")
_KINDS = {"number": "figure", "unit": "figure", "date": "figure", "time": "figure"}


def likeness(one: TextReading, other: TextReading) -> dict[str, float]:
    """Measures of two texts in the same language."""
    mine, theirs = set(one.content), set(other.content)
    letters, others = one.trigrams, other.trigrams
    own = [_KINDS.get(difference.kind, difference.kind) for difference in differences(one, other)]
    return {
        "words": _dice(mine, theirs),
        "covered": max(_share(mine, theirs), _share(theirs, mine)),
        "letters": _dice(letters, others),
        "pairs": _dice(one.pairs, other.pairs),
        "all_words": _dice(one.keys, other.keys),
        "lengths": _ratio(len(one.words), len(other.words)),
        "conflict": float(any(kind in CONFLICTS for kind in own)),
        "name": float("name" in own),
    }


def translation_likeness(one: TextReading, other: TextReading) -> dict[str, float]:
    """Measures of two texts in different languages, besides their cosine."""
    missing = _unmatched(one.figures, other.figures) + _unmatched(other.figures, one.figures)
    count = len(one.figures) + len(other.figures)
    return {
        "figures": missing / count if count else 0.0,
        "figures_met": 1.0 - missing / count if count else 0.0,
        "lengths": _ratio(len(one.text), len(other.text)),
        "denials": float(bool(one.scopes) != bool(other.scopes)),
        "questions": float(_asks(one) != _asks(other)),
    }


def _asks(reading: TextReading) -> bool:
    return "?" in reading.text or "؟" in reading.text


def _unmatched(own: Sequence[Figure], others: Sequence[Figure]) -> int:
    """Figures in digits that the others lack; words for small numbers differ between languages."""
    plain = [figure for figure in own if not figure.is_word]
    return sum(not any(figure.equals(other) for other in others) for figure in plain)


def _dice(one: Set[T], other: Set[T]) -> float:
    count = len(one) + len(other)
    return 2 * len(one & other) / count if count else 0.0


def _share(one: set[str], other: set[str]) -> float:
    return len(one & other) / len(one) if one else 0.0


def _ratio(one: int, other: int) -> float:
    """The size of the logarithm of the ratio of two lengths, at most 2."""
    return min(2.0, abs(log((one + 1) / (other + 1))))
