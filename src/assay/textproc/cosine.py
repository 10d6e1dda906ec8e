"""How alike two vectors are."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

from assay.backends import Vector


def cosine(a: Vector, b: Vector) -> float:
    """How alike two vectors of length 1 are, from 0 to 1; opposite ones count as unlike."""
    return min(1.0, max(0.0, float(a @ b)))


def plain_cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """The cosine of two vectors of any length, from −1 to 1; 0 where one is all zeros."""
    return sum(a * b for a, b in zip(_unit(one), _unit(other), strict=True))


def mean_cosine(vectors: Sequence[Sequence[float]]) -> float:
    """The mean cosine over all pairs of two or more vectors, from −1 to 1.

    The square of the sum of unit vectors holds every pair twice, beside the squares of its parts.
    """
    units = [_unit(vector) for vector in vectors]
    total: list[float] = [sum(column) for column in zip(*units, strict=True)]
    squares = sum(part * part for unit in units for part in unit)
    pairs = len(units) * (len(units) - 1)
    return (sum(part * part for part in total) - squares) / pairs


def _unit(vector: Sequence[float]) -> list[float]:
    """The vector at length 1, or of zeros."""
    parts = [float(part) for part in vector]
    length = hypot(*parts)
    return [part / length for part in parts] if length else parts


def clamp(similarity: float) -> float:
    """A similarity kept between 0 and 1."""
    return min(1.0, max(0.0, similarity))
