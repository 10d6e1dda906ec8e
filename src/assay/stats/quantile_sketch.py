"""Quantiles of any number of values in little memory, by DDSketch (extra `scale`).

DDSketch counts values in bins whose width grows with the value: a quantile is off by at most 1 % of
itself. Its counts are whole numbers, so that merging in any order gives the same quantiles.
Sketches by random choice, such as KLL, would give others at each run.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from assay.core.extras import require

ERROR = 0.01
"""The largest relative error of a quantile."""
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
"""What a run by blocks states of each metric."""
PLACES = 12
"""Digits of a quantile that are kept: beyond its error by far, and equal on every machine."""


class QuantileSketch:
    """The distribution of some values; merging is associative and commutative."""

    def __init__(self) -> None:
        mapping = require("ddsketch.mapping", "scale").LogarithmicMapping(ERROR)
        store = require("ddsketch.store", "scale").DenseStore
        self._value_of = mapping.value
        self._positive, self._negative = store(), store()
        self._sketch = require("ddsketch.ddsketch", "scale").BaseDDSketch(
            mapping, self._positive, self._negative, 0.0
        )

    def add(self, value: float, count: int = 1) -> None:
        """Count a value, once or several times."""
        self._sketch.add(value, count)

    def merge(self, other: QuantileSketch) -> None:
        """Add the values of another sketch."""
        self._sketch.merge(other._sketch)

    def quantile(self, share: float) -> float | None:
        """The value that this share of all values does not exceed, within the error; None without.

        It is a value of rank `floor(share * (count - 1))`, as NumPy's method "lower" gives.
        """
        value: float | None = self._sketch.get_quantile_value(share)
        return None if value is None else float(f"{value:.{PLACES}g}")

    def to_json(self) -> list[list[float]]:
        """The bins as plain data: a value of each, and how many values it holds."""
        zeros = self._sketch.count - self._positive.count - self._negative.count
        bins = [[0.0, zeros]] if zeros else []
        for sign, store in ((1.0, self._positive), (-1.0, self._negative)):
            bins += [
                [sign * self._value_of(store.offset + place), count]
                for place, count in enumerate(store.bins)
                if count
            ]
        return bins

    @classmethod
    def from_json(cls, bins: Iterable[Any]) -> QuantileSketch:
        """The sketch again, from what `to_json` gave."""
        sketch = cls()
        for value, count in bins:
            sketch.add(value, count)
        return sketch
