"""Corrections of p-values where many metrics are tested at once.

Each gives adjusted values in the order of the given ones: a metric counts as changed when its
adjusted value is at most 0.05.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Literal

Correction = Literal["holm", "bh", "none"]


def holm(values: Sequence[float]) -> list[float]:
    """Holm's (1979): the chance of even one false alarm among all metrics stays below 5 %."""
    order = sorted(range(len(values)), key=values.__getitem__)
    stepped = [values[place] * (len(values) - rank) for rank, place in enumerate(order)]
    return _put_back(order, accumulate(stepped, max))


def benjamini_hochberg(values: Sequence[float]) -> list[float]:
    """Benjamini and Hochberg's (1995): at most 5 % of the alarms are false, on average."""
    order = sorted(range(len(values)), key=values.__getitem__, reverse=True)
    count = len(values)
    stepped = [values[place] * (count / (count - rank)) for rank, place in enumerate(order)]
    return _put_back(order, accumulate(stepped, min))


def _put_back(order: Sequence[int], adjusted: accumulate[float]) -> list[float]:
    by_place = dict(zip(order, adjusted, strict=True))
    return [min(1.0, by_place[place]) for place in range(len(order))]


CORRECTIONS: dict[Correction, Callable[[Sequence[float]], list[float]]] = {
    "holm": holm,
    "bh": benjamini_hochberg,
    "none": list,
}
"""All of them by name."""
