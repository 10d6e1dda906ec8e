"""What two texts share: counts that several overlap scores are made of, and places of words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Sequence
from typing import TypeVar

from assay.core.result import Span

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
    wanted: Collection[str], text: str, words: Iterable[str], field: str, label: str
) -> tuple[Span, ...]:
    """The first place of each wanted word, in order; `words` are all words of the text in order."""
    spans: dict[str, Span] = {}
    end = 0
    for word in words if wanted else ():
        start = text.index(word, end)
        end = start + len(word)
        if word in wanted and word not in spans:
            spans[word] = Span(field, start, end, label)
    return tuple(spans.values())
