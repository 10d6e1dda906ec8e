"""The scores of a run by column, and which rows of two runs belong together."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable
from math import nan
from typing import Any

import numpy as np

from assay.runner.sides import ScoredSample

Array = Any
"""A numpy array."""
OVERALL, PASS_RATE = "overall", "pass_rate"
"""The columns of the samples' own scores and verdicts, beside those of the metrics."""


class ScoreTable:
    """The scores of one side by column, in memory that does not hold a text."""

    def __init__(self, rows: Iterable[ScoredSample]) -> None:
        self.keys: list[tuple[str, int]] = []
        """What each row is paired by, and how often that came before."""
        self.columns: dict[str, array[float]] = {}
        self.verdicts: dict[str, array[int]] = {}
        """1 for a score that holds its threshold, 0 for one that does not, else −1."""
        seen: Counter[str] = Counter()
        for place, row in enumerate(rows):
            self.keys.append((row.key, seen[row.key]))
            seen[row.key] += 1
            for metric, (value, passed) in row.values.items():
                self._put(metric, place, value)
                if passed is not None:
                    self._put_verdict(metric, place, passed)
            if row.score is not None:
                self._put(OVERALL, place, row.score)
            if row.passed is not None:
                self._put(PASS_RATE, place, float(row.passed))
        self.repeated = sum(times - 1 for key, times in seen.items() if key)

    def _put(self, metric: str, place: int, value: float) -> None:
        column = self.columns.get(metric)
        if column is None:
            column = self.columns[metric] = array("d")
        if len(column) < place:
            column.extend([nan] * (place - len(column)))
        column.append(value)

    def _put_verdict(self, metric: str, place: int, passed: bool) -> None:
        column = self.verdicts.get(metric)
        if column is None:
            column = self.verdicts[metric] = array("b")
        if len(column) < place:
            column.extend([-1] * (place - len(column)))
        column.append(passed)

    def column(self, metric: str, places: Array) -> Array:
        """The values of a metric at some places, NaN where there is none."""
        return self._whole(self.columns.get(metric, array("d")), nan)[places]

    def verdict_column(self, metric: str, places: Array) -> Array:
        """The verdicts of a metric at some places."""
        return self._whole(self.verdicts.get(metric, array("b")), -1)[places]

    def _whole(self, column: array[Any], filler: float) -> Array:
        whole = np.full(len(self.keys), filler)
        whole[: len(column)] = column
        return whole


def pair_places(a: ScoreTable, b: ScoreTable) -> tuple[Array, Array]:
    """The places of the samples that both have, in an order that neither side decides."""
    places = {key: place for place, key in enumerate(b.keys)}
    both = sorted(
        (key, place, places[key]) for place, key in enumerate(a.keys) if key[0] and key in places
    )
    return np.array([p for _, p, _ in both], int), np.array([p for *_, p in both], int)
