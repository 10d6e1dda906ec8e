"""What two texts share: counts that several overlap scores are made of, and places of words."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

from assay.core.result import Span

SHOWN = 20
"""At most this many words are marked as evidence."""
_BLANK_PARTED = re.compile(r"\S+")

Item = TypeVar("Item", bound=Hashable)


def shared(a: Sequence[Item], b: Iterable[Item]) -> int:
    """How many items are in both, each as often as it is in both; quick where `a` repeats none."""
    distinct = set(a)
    if len(distinct) == len(a):
        return len(distinct.intersection(b))
    left: dict[Item, int] = {}  # a Counter takes longer to make than to fill
    for item in a:
        left[item] = left.get(item, 0) + 1
    found = 0
    for item in filter(distinct.__contains__, b):
        if at_hand := left[item]:
            left[item] = at_hand - 1
            found += 1
    return found


def share_ratio(matches: int, precision_of: int, recall_of: int) -> tuple[float, float, float]:
    """Precision, recall and F1 of so many matches; 0 without any."""
    if not matches:
        return 0.0, 0.0, 0.0
    precision, recall = matches / precision_of, matches / recall_of
    return precision, recall, 2 * precision * recall / (precision + recall)


def spans_where(
    text: str,
    field: str,
    label: str,
    is_wanted: Callable[[str], bool],
    pattern: re.Pattern[str] = _BLANK_PARTED,
) -> tuple[Span, ...]:
    """The first place of each wanted word, in order; words are what the pattern finds."""
    return tuple(islice(_spans(text, field, label, is_wanted, pattern), SHOWN))


def _spans(
    text: str,
    field: str,
    label: str,
    is_wanted: Callable[[str], bool],
    pattern: re.Pattern[str],
) -> Iterator[Span]:
    seen: set[str] = set()
    for found in pattern.finditer(text):
        word = found.group()
        if word not in seen:
            seen.add(word)
            if is_wanted(word):
                yield Span(field, *found.span(), label)
