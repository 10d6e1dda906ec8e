"""Rank measures of a list of retrieved documents, by their textbook formulas.

A list is given as the sources that each document is, best rank first: a set of numbers, empty for
a document that nobody expected. A source that several documents come from counts once, at its best
rank, wherever a formula counts sources; precision counts documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import fsum, log2
from typing import TypeVar

T = TypeVar("T")
Ranking = Sequence[frozenset[int]]
"""Rank → the expected sources that the document is."""


def hit_rate(ranking: Ranking, k: int) -> float:
    """1 if one of the first k documents is an expected source, else 0."""
    return float(any(_first(ranking, k)))


def reciprocal_rank(ranking: Ranking, k: int) -> float:
    """1 / the rank of the first expected source among the first k documents; 0 without one."""
    ranks = (rank for rank, sources in enumerate(_first(ranking, k), 1) if sources)
    return 1.0 / next(ranks, float("inf"))


def precision_at(ranking: Ranking, k: int) -> float:
    """The share of the first k documents, or of all where there are fewer, that were expected."""
    first = _first(ranking, k)
    return sum(map(bool, first)) / len(first) if first else 0.0


def recall_at(ranking: Ranking, k: int, expected: int) -> float:
    """The share of the expected sources that are among the first k documents."""
    return len(frozenset().union(*_first(ranking, k))) / expected


def ndcg_at(ranking: Ranking, k: int, expected: int) -> float:
    """The discounted gain of the first k documents over that of the best possible order.

        DCG = Σ new sources at rank r / log2(r + 1)

    A document that is two sources at once counts for one, so that the best possible order is the
    one with an expected source at each of the first ranks.
    """
    gains = _first_seen(_first(ranking, k))
    best = fsum(1.0 / log2(rank + 1) for rank in range(1, min(k, expected) + 1))
    result = fsum(1.0 / log2(rank + 1) for rank, is_new in enumerate(gains, 1) if is_new)
    return result / best


def average_precision_at(relevant: Sequence[bool], k: int) -> float:
    """The mean over relevant documents of the precision at their ranks; 0 without any."""
    result, precisions = 0, []
    for rank, is_relevant in enumerate(_first(relevant, k), 1):
        if is_relevant:
            result += 1
            precisions.append(result / rank)
    return fsum(precisions) / len(precisions) if precisions else 0.0


def _first(items: Sequence[T], k: int) -> Sequence[T]:
    if k < 1:
        raise ValueError(f"k is {k}; expected a whole number of 1 or more")
    return items[:k]


def _first_seen(ranking: Iterable[frozenset[int]]) -> Iterable[bool]:
    """For each document whether it brings a source that no better rank has."""
    seen: set[int] = set()
    for sources in ranking:
        yield bool(sources - seen)
        seen |= sources
