"""What two texts share: counts that several overlap scores are made of, and places of words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Sequence
from functools import partial
from typing import TypeVar

from assay.core.result import LazySpans, Span
from assay.textproc.words import first_places, spaced

Item = TypeVar("Item", bound=Hashable)


def shared(a: Sequence[Item], b: Iterable[Item]) -> int:
    """How many items are in both, each as often as it is in both; quick where `a` repeats none."""
    distinct = set(a)
    if len(distinct) == len(a):
        return len(distinct.intersection(b))
    left = dict(Counter(a))  # as a plain dict it is quicker to read and to change
    count = 0
    for item in filter(distinct.__contains__, b):
        if at_hand := left[item]:
            left[item] = at_hand - 1
            count += 1
    return count


def share_ratio(matches: int, precision_of: int, recall_of: int) -> tuple[float, float, float]:
    """Precision, recall and F1 of so many matches; 0 without any."""
    if not matches:
        return 0.0, 0.0, 0.0
    precision, recall = matches / precision_of, matches / recall_of
    return precision, recall, 2 * precision * recall / (precision + recall)


def spans_of(
    wanted: Collection[str], text: str, words: Sequence[str], field: str, label: str
) -> Sequence[Span]:
    """The first place of each wanted word, in order; `words` are what `split` makes of the text."""
    return LazySpans(field, label, partial(_places, wanted, text, words)) if wanted else ()


def _places(wanted: Collection[str], text: str, words: Sequence[str]) -> list[int]:
    return first_places(spaced(text), dict.fromkeys(filter(wanted.__contains__, words)))
