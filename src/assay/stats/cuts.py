"""Where to cut a score: positive from there on.

Labels are 1 (positive) and 0. Scores rise towards the positive label; turn the sign of those that
fall.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Literal, NamedTuple

import numpy as np

from assay.core import Interval
from assay.stats.agreement import kappa
from assay.stats.grouped import draws
from assay.stats.intervals import Estimate, wilson
from assay.stats.ranking import Array

Aim = Literal["precision", "recall", "agreement"]
"""What a cut is chosen for: precision or recall of at least a given value, or the highest kappa."""


class Cut(NamedTuple):
    """A chosen cut, and what it is worth beyond the labels that chose it."""

    score: float
    """Between the lowest score with a positive verdict and the next lower one."""
    is_reached: bool
    """Whether the labels show as much as was wanted."""
    precision: Estimate
    recall: Estimate
    agreement: Estimate
    kappa: Estimate


def choose_cut(
    scores: Sequence[float],
    labels: Sequence[int],
    aim: Aim = "agreement",
    wanted: float | None = None,
    seed: int = 0,
) -> Cut | None:
    """The cut with the most recall at the wanted precision, the most precision at the wanted
    recall, or the highest kappa. Where the wanted precision is not reached, the nearest to it.

    A cut that was chosen on some labels looks better on them than it is. Each estimate is
    therefore what the labels show less the mean that choosing adds in bootstrap draws (optimism,
    Efron and Gong 1983); its interval reaches from the lower end of the interval around that to
    the upper end of the one around what the labels show. None without a record of each kind.
    """
    if not 0 < sum(labels) < len(labels):
        return None
    levels = _Levels(scores, labels)
    whole = levels.counts(np.ones((1, len(scores))))
    place = _choose(whole, aim, wanted)
    shown = whole.rates(place)
    added = _optimism(levels, whole, aim, wanted, seed)
    sizes = {
        "precision": float(whole.called[0, place[0]]),
        "recall": float(sum(labels)),
        "agreement": float(len(labels)),
    }
    honest = {
        name: _honest(float(shown[name][0]), added[name], size) for name, size in sizes.items()
    }
    cut = levels.between(int(place[0]))
    own = kappa([float(score >= cut) for score in scores], labels, seed=seed)
    return Cut(
        score=cut,
        is_reached=wanted is None or bool(shown[aim][0] >= wanted),
        kappa=_lowered(own, added["kappa"]),
        **honest,
    )


def even_cut(scores: Sequence[float], labels: Sequence[int]) -> float | None:
    """The cut with about as many positive verdicts as there are positive labels.

    It looks at how many labels are positive, not at which, so that what the labels say about its
    verdicts is as if it had been fixed before. None for records of one score.
    """
    levels = _Levels(scores, labels)
    called = levels.counts(np.ones((1, len(scores)))).called[0]
    if len(called) < 2:
        return None
    return levels.between(int(np.argmin(np.abs(called[:-1] - sum(labels)))))


class _Counts(NamedTuple):
    """Weights above each level of the score, one draw a row, levels from the top."""

    hit: Array
    """Of positive labels."""
    called: Array
    """Of all labels."""

    @property
    def kappa(self) -> Array:
        """Kappa at each level, −1 where there is none."""
        positives, total = self.hit[:, -1:], self.called[:, -1:]
        wrong = (self.called - self.hit) + (positives - self.hit)
        chance = self.called * (total - positives) + (total - self.called) * positives
        return np.where(chance > 0, 1 - wrong * total / np.where(chance > 0, chance, 1), -1.0)

    def rates(self, places: Array) -> dict[str, Array]:
        """Precision, recall, agreement and kappa at one level of each row; NaN where none is."""
        rows = np.arange(len(self.hit))
        hit, called = self.hit[rows, places], self.called[rows, places]
        positives, total = self.hit[:, -1], self.called[:, -1]
        right = hit + (total - called - (positives - hit))
        with np.errstate(invalid="ignore", divide="ignore"):
            return {
                "precision": hit / called,
                "recall": hit / positives,
                "agreement": right / total,
                "kappa": self.kappa[rows, places],
            }


class _Levels:
    """Labelled records by falling score, records of one score together."""

    def __init__(self, scores: Sequence[float], labels: Sequence[int]) -> None:
        values = np.asarray(scores, float)
        self._order = np.argsort(-values, kind="stable")
        self._found = values[self._order]
        self._positive = np.asarray(labels, float)[self._order]
        self._last = np.flatnonzero(np.append(np.diff(self._found) != 0, True))

    def counts(self, weights: Array) -> _Counts:
        ordered = weights[:, self._order]
        hit = np.cumsum(ordered * self._positive, axis=1)[:, self._last]
        return _Counts(hit, np.cumsum(ordered, axis=1)[:, self._last])

    def between(self, level: int) -> float:
        """A short number between a level and the next lower one, or the lowest level itself."""
        upper = float(self._found[self._last[level]])
        if level + 1 == len(self._last):
            return upper
        return _short(float(self._found[self._last[level + 1]]), upper)


def _short(low: float, high: float) -> float:
    """A number above `low` and not above `high`, near their middle, with few digits."""
    middle = low / 2 + high / 2
    for digits in range(1, 17):
        rounded = float(f"{middle:.{digits}g}")
        if low < rounded < high:
            return rounded
    return high


def _choose(counts: _Counts, aim: Aim, wanted: float | None) -> Array:
    """The chosen level of each row."""
    if aim == "agreement" or wanted is None:
        return np.argmax(counts.kappa, axis=1)
    levels = counts.hit.shape[1]
    called = np.where(counts.called > 0, counts.called, 1)
    if aim == "recall":
        positives = np.where(counts.hit[:, -1:] > 0, counts.hit[:, -1:], 1)
        return np.argmax(counts.hit / positives >= wanted, axis=1)
    precision = np.where(counts.called > 0, counts.hit / called, -1.0)
    enough = precision >= wanted
    lowest = levels - 1 - np.argmax(enough[:, ::-1], axis=1)
    return np.where(enough.any(axis=1), lowest, np.argmax(precision, axis=1))


def _optimism(
    levels: _Levels, whole: _Counts, aim: Aim, wanted: float | None, seed: int
) -> dict[str, float]:
    """How much better a cut looks on the draw that chose it than on all labels, in the mean."""
    gains: dict[str, list[Array]] = {
        name: [] for name in ("precision", "recall", "agreement", "kappa")
    }
    size = int(whole.called[0, -1])
    for weights in draws(range(size), seed):
        drawn = levels.counts(weights)
        places = _choose(drawn, aim, wanted)
        again = _Counts(*(np.broadcast_to(part, drawn.hit.shape) for part in whole))
        own, other = drawn.rates(places), again.rates(places)
        for name, held in gains.items():
            held.append(own[name] - other[name])
    return {name: float(np.nanmean(np.concatenate(held))) for name, held in gains.items()}


def _honest(shown: float, added: float, size: float) -> Estimate:
    """A rate less what choosing added, with the interval around both."""
    if not isfinite(shown) or not size:
        return Estimate(None, None)
    value = min(1.0, max(0.0, shown - max(0.0, added)))
    low, high = wilson(value * size, size), wilson(shown * size, size)
    assert low
    assert high
    return Estimate(value, Interval(low.low, high.high))


def _lowered(shown: Estimate, added: float) -> Estimate:
    """A figure less what choosing added; so is the lower end of its interval."""
    less = max(0.0, added)
    if shown.value is None or shown.interval is None:
        return shown
    low, high = shown.interval
    return Estimate(shown.value - less, Interval(max(-1.0, low - less), high))
