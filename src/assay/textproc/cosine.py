"""How alike two vectors are."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

from assay.backends import Vector
from assay.core.bounds import clamp


def cosine(a: Vector, b: Vector) -> float:
    """How alike two vectors are, from 0 to 1; opposite ones count as unlike, and so do zeros.

    Vectors of embedders have length 1 and are taken as they are; plain lists are brought to it.
    """
    if isinstance(a, list | tuple) or isinstance(b, list | tuple):
        return clamp(sum(x * y for x, y in zip(_unit(a), _unit(b), strict=True)))
    return clamp(float(a @ b))


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
