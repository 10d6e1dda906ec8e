"""How well numbers put records in order: AUROC, average precision, Spearman's correlation.

Each statistic is prepared once for its records and can then be asked for many weightings of them
at a time, one weighting a row. Whole weights stand for copies of a record, which is how
the bootstrap in `grouped` resamples.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

Array = Any
"""A numpy array of floats."""
Statistic = Callable[[Array], Array]
"""From weightings, one a row, to the value under each; NaN where there is none."""
StatisticName = Literal["auroc", "average_precision", "spearman"]


def auroc(scores: Sequence[float], labels: Sequence[float]) -> float | None:
    """The chance that a positive record scores above a negative one; ties count half.

        AUROC = (pairs in the right order + ½ · tied pairs) / (positives · negatives)

    Labels are 1 and 0. None without a record of each kind.
    """
    return _plain(auroc_of(scores, labels), len(scores))


def average_precision(scores: Sequence[float], labels: Sequence[float]) -> float | None:
    """The mean precision at the places of the positive records, from the highest score down.

        AP = Σ (recall at threshold k − recall at threshold k − 1) · precision at threshold k

    Records with one score enter together. None without a positive record.
    """
    return _plain(average_precision_of(scores, labels), len(scores))


def spearman(scores: Sequence[float], labels: Sequence[float]) -> float | None:
    """The correlation of two rankings in which ties share their mean rank.

    None where all scores or all labels are equal.
    """
    return _plain(spearman_of(scores, labels), len(scores))


def auroc_of(scores: Sequence[float], labels: Sequence[float]) -> Statistic:
    """`auroc`, prepared for weightings."""
    order, starts = _ordered(scores)
    positive = np.asarray(labels, float)[order]

    def value(weights: Array) -> Array:
        weights = weights[:, order]
        right = np.add.reduceat(weights * positive, starts, axis=1)
        wrong = np.add.reduceat(weights * (1 - positive), starts, axis=1)
        below = np.cumsum(wrong, axis=1) - wrong / 2
        return _ratio((right * below).sum(axis=1), right.sum(axis=1) * wrong.sum(axis=1))

    return value


def average_precision_of(scores: Sequence[float], labels: Sequence[float]) -> Statistic:
    """`average_precision`, prepared for weightings."""
    order, starts = _ordered([-score for score in scores])
    positive = np.asarray(labels, float)[order]

    def value(weights: Array) -> Array:
        weights = weights[:, order]
        right = np.add.reduceat(weights * positive, starts, axis=1)
        seen = np.add.reduceat(weights, starts, axis=1).cumsum(axis=1)
        precision = right.cumsum(axis=1) / np.where(seen, seen, 1)
        return _ratio((right * precision).sum(axis=1), right.sum(axis=1))

    return value


def spearman_of(scores: Sequence[float], labels: Sequence[float]) -> Statistic:
    """`spearman`, prepared for weightings."""
    rank_scores, rank_labels = _ranks_of(scores), _ranks_of(labels)

    def value(weights: Array) -> Array:
        total = weights.sum(axis=1, keepdims=True)
        total = np.where(total, total, 1)
        one, other = (
            ranks - (weights * ranks).sum(axis=1, keepdims=True) / total
            for ranks in (rank_scores(weights), rank_labels(weights))
        )
        squares = (weights * one**2).sum(axis=1) * (weights * other**2).sum(axis=1)
        return _ratio((weights * one * other).sum(axis=1), np.sqrt(squares))

    return value


STATISTICS: dict[StatisticName, Callable[[Sequence[float], Sequence[float]], Statistic]] = {
    "auroc": auroc_of,
    "average_precision": average_precision_of,
    "spearman": spearman_of,
}
"""All of them by name."""


def _ordered(values: Sequence[float]) -> tuple[Array, Array]:
    """The places of the values in rising order, and where a new value starts among them."""
    numbers = np.asarray(values, float)
    order = np.argsort(numbers, kind="stable")
    rises = np.diff(numbers[order], prepend=np.nan) != 0
    return order, np.flatnonzero(rises)


def _ranks_of(values: Sequence[float]) -> Statistic:
    """The ranks of the values under weightings; equal values share their mean rank."""
    order, starts = _ordered(values)
    block = np.empty(len(values), int)
    block[order] = np.searchsorted(starts, np.arange(len(values)), side="right") - 1

    def ranks(weights: Array) -> Array:
        held = np.add.reduceat(weights[:, order], starts, axis=1)
        return (np.cumsum(held, axis=1) - (held - 1) / 2)[:, block]

    return ranks


def _ratio(part: Array, whole: Array) -> Array:
    """Part by whole; NaN where the whole is nothing."""
    return np.where(whole > 0, part / np.where(whole > 0, whole, 1), np.nan)


def _plain(statistic: Statistic, size: int) -> float | None:
    """The statistic of the records as they are."""
    if not size:
        return None
    value = float(statistic(np.ones((1, size)))[0])
    return None if np.isnan(value) else value
