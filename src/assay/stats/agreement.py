"""How far two raters agree, and how well a score parts two kinds of records.

Labels are 1 (positive) and 0. Scores rise towards the positive label; turn the sign of those that
fall.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Literal, NamedTuple

import numpy as np

from assay.core import Interval
from assay.stats.grouped import grouped_interval
from assay.stats.intervals import Estimate, wilson
from assay.stats.ranking import Array, Statistic, auroc, auroc_of

Weighting = Literal["none", "linear", "quadratic"]


class Confusion(NamedTuple):
    """How often verdict and label agree, and how they differ."""

    true_positive: int
    false_positive: int
    false_negative: int
    true_negative: int

    @property
    def total(self) -> int:
        """All labelled records."""
        return sum(self)

    @property
    def agreement(self) -> Estimate:
        """The share of records on which verdict and label agree."""
        return rate(self.true_positive + self.true_negative, self.total)

    @property
    def precision(self) -> Estimate:
        """The share of positive labels among positive verdicts."""
        return rate(self.true_positive, self.true_positive + self.false_positive)

    @property
    def recall(self) -> Estimate:
        """The share of positive verdicts among positive labels (sensitivity)."""
        return rate(self.true_positive, self.true_positive + self.false_negative)

    @property
    def specificity(self) -> Estimate:
        """The share of negative verdicts among negative labels."""
        return rate(self.true_negative, self.true_negative + self.false_positive)


def rate(successes: int, total: int) -> Estimate:
    """A share with Wilson's interval; neither without records."""
    return Estimate(successes / total if total else None, wilson(successes, total))


def confusion(verdicts: Sequence[bool], labels: Sequence[int]) -> Confusion:
    """Count the four kinds of pairs."""
    pairs = [(bool(verdict), bool(label)) for verdict, label in zip(verdicts, labels, strict=True)]
    kinds = ((True, True), (True, False), (False, True), (False, False))
    return Confusion(*(pairs.count(kind) for kind in kinds))


def kappa(
    one: Sequence[float], other: Sequence[float], weighting: Weighting = "none", seed: int = 0
) -> Estimate:
    """Cohen's kappa: how far two raters agree beyond what their habits alone would give.

        κ = 1 − observed disagreement / disagreement by chance

    A disagreement counts 1, or the distance of the two grades (`linear`) or its square
    (`quadratic`, Cohen 1968); a grade that nobody gave still lies between its neighbours. The
    interval is a bootstrap; raters who never disagree do so in no draw either, so theirs ends at
    the kappa of as many small disagreements as Wilson's interval leaves room for. No value where
    both raters know one grade only.
    """
    return _estimate(one, other, weighting, range(len(one)), seed)


def fleiss_kappa(ratings: Sequence[Sequence[float]], seed: int = 0) -> Estimate:
    """Fleiss' kappa: how far any number of raters agree beyond chance (Fleiss 1971).

    Each entry holds the grades of one sample. It is the kappa of all ordered pairs of grades of
    the same sample, so that no rater is the first; of two raters it is Scott's pi. The interval is
    a bootstrap over samples, for the pairs of one sample are no news of each other. No value where
    no sample has two grades, or where all grades are the same.
    """
    pairs = [(place, *pair) for place, own in enumerate(ratings) for pair in permutations(own, 2)]
    if not pairs:
        return Estimate(None, None)
    samples, one, other = zip(*pairs, strict=True)
    return _estimate(one, other, "none", samples, seed)


def _estimate(
    one: Sequence[float],
    other: Sequence[float],
    weighting: Weighting,
    groups: Sequence[int],
    seed: int,
) -> Estimate:
    """Kappa of pairs of grades, with an interval that draws whole groups of them."""
    if not len(one):
        return Estimate(None, None)
    statistic = kappa_of(one, other, weighting)
    value = float(statistic(np.ones((1, len(one))))[0])
    if np.isnan(value):
        return Estimate(None, None)
    if np.array_equal(one, other):
        return Estimate(value, Interval(_least_kappa(one, len(set(groups)), weighting), value))
    return Estimate(value, grouped_interval(statistic, groups, seed))


def _least_kappa(grades: Sequence[float], count: int, weighting: Weighting) -> float:
    """The lower end for raters who gave the same grades to `count` samples."""
    agreement = wilson(count, count)
    assert agreement
    known, counts = np.unique(grades, return_counts=True)
    shares, costs = counts / len(grades), _costs(known, weighting)
    chance = float(shares @ costs @ shares)
    return max(-1.0, 1 - (1 - agreement.low) * float(costs[costs > 0].min()) / chance)


def kappa_of(
    one: Sequence[float], other: Sequence[float], weighting: Weighting = "none"
) -> Statistic:
    """`kappa`, prepared for weightings."""
    grades, places = np.unique(np.concatenate([one, other]), return_inverse=True)
    first, second = np.split(places, 2)
    costs = _costs(grades, weighting)
    rows, columns = np.eye(len(grades))[first], np.eye(len(grades))[second]
    cost = costs[first, second]

    def value(weights: Array) -> Array:
        chance = np.einsum("ij,jk,ik->i", weights @ rows, costs, weights @ columns)
        seen = (weights @ cost) * weights.sum(axis=1)
        return np.where(chance > 0, 1 - seen / np.where(chance > 0, chance, 1), np.nan)

    return value


def _costs(grades: Array, weighting: Weighting) -> Array:
    """What it counts when one rater gives the grade of the row, the other that of the column."""
    steps = np.abs(np.subtract.outer(grades, grades)).astype(float)
    return {"none": (steps > 0).astype(float), "linear": steps, "quadratic": steps**2}[weighting]


def auroc_estimate(scores: Sequence[float], labels: Sequence[int], seed: int = 0) -> Estimate:
    """AUROC with its bootstrap interval.

    Where every draw says the same, as for scores that part the labels without a mistake, the
    interval is Wilson's over the fewer of the two kinds of records.
    """
    value = auroc(scores, labels)
    if value is None:
        return Estimate(None, None)
    interval = grouped_interval(auroc_of(scores, labels), range(len(scores)), seed)
    if interval is not None and interval.low == interval.high:
        fewer = min(sum(labels), len(labels) - sum(labels))
        interval = wilson(value * fewer, fewer)
    return Estimate(value, interval)
