"""The scores of a run by column, and which rows of two runs belong together."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable
from math import nan
from typing import Any

import numpy as np

from assay.runner.sides import ScoredSample

Array = Any
"""A numpy array."""
OVERALL, PASS_RATE = "overall", "pass_rate"
"""The columns of the samples' own scores and verdicts, beside those of the metrics."""


class ScoreTable:
    """The scores of one side by column, in memory that does not hold a text.

    A question is one row however often it was answered: answers to one question are alike, and
    tests that took them for independent would find changes where there are none. The row has the
    means over its answers, and their verdict where they agree.
    """

    def __init__(self, answers: Iterable[ScoredSample]) -> None:
        self.keys: list[tuple[str, int]] = []
        """What each row is paired by, and how often that came before."""
        self.first = array("q")
        """The place of each row's first answer."""
        self._rows = array("q")
        """The row of each answer."""
        self.columns: dict[str, array[float]] = {}
        self.verdicts: dict[str, array[int]] = {}
        """1 for a score that holds its threshold, 0 for one that does not, else −1."""
        seen: Counter[str] = Counter()
        questions: dict[str, int] = {}
        for place, answer in enumerate(answers):
            row = len(self.keys)
            if answer.question is not None:
                row = questions.setdefault(answer.question, row)
            if row == len(self.keys):
                self.first.append(place)
                self.keys.append((answer.key, seen[answer.key]))
                seen[answer.key] += 1
            self._rows.append(row)
            self._put_scores(place, answer)
        self.repeated = sum(times - 1 for key, times in seen.items() if key)

    @property
    def answers(self) -> int:
        """Answers behind all rows."""
        return len(self._rows)

    def _put_scores(self, place: int, answer: ScoredSample) -> None:
        for metric, (value, passed) in answer.values.items():
            self._put(metric, place, value)
            if passed is not None:
                self._put_verdict(metric, place, passed)
        if answer.score is not None:
            self._put(OVERALL, place, answer.score)
        if answer.passed is not None:
            self._put(PASS_RATE, place, float(answer.passed))
            self._put_verdict(PASS_RATE, place, answer.passed)

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
        """The values of a metric in some rows, NaN where there is none."""
        values = np.array(self.columns.get(metric, ()), float)
        return self._by_row(values, ~np.isnan(values), nan, _means)[places]

    def verdict_column(self, metric: str, places: Array) -> Array:
        """The verdicts of a metric in some rows."""
        verdicts = np.array(self.verdicts.get(metric, ()), float)
        return self._by_row(verdicts, verdicts >= 0, -1.0, _agreed)[places]

    def _by_row(
        self, values: Array, is_known: Array, filler: float, merge: Callable[[Array, Array], Array]
    ) -> Array:
        """One value for each row, of the known ones of its answers."""
        whole = np.full(len(self.keys), filler)
        if len(self._rows) == len(self.keys):
            whole[: len(values)] = values
            return whole
        rows = np.array(self._rows, int)[: len(values)][is_known]
        known = values[is_known]
        order = np.lexsort((known, rows))  # sums do not depend on the order of answers
        own, starts = np.unique(rows[order], return_index=True)
        if len(own):
            whole[own] = merge(known[order], starts)
        return whole


def _means(values: Array, starts: Array) -> Array:
    """The mean of each group of sorted values; that of equal values is exactly theirs."""
    sizes = np.diff(starts, append=len(values))
    least = values[starts]
    return least + np.add.reduceat(values - np.repeat(least, sizes), starts) / sizes


def _agreed(verdicts: Array, starts: Array) -> Array:
    """The verdict of each group of sorted ones; −1 where they differ."""
    last = np.append(starts[1:], len(verdicts)) - 1
    return np.where(verdicts[starts] == verdicts[last], verdicts[starts], -1.0)


def pair_places(a: ScoreTable, b: ScoreTable) -> tuple[Array, Array]:
    """The places of the samples that both have, in an order that neither side decides."""
    places = {key: place for place, key in enumerate(b.keys)}
    both = sorted(
        (key, place, places[key]) for place, key in enumerate(a.keys) if key[0] and key in places
    )
    return np.array([p for _, p, _ in both], int), np.array([p for *_, p in both], int)
