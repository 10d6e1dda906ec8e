"""Vectors as every embedder gives them: float32, of length 1, and read-only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from assay.backends.protocols import Vector
from assay.core.errors import ModelError


def unit(values: Any, model: str) -> Vector:
    """The vector with length 1; one that has no direction is an error, never a guess."""
    vector = np.asarray(values, np.float64)
    length = float(np.sqrt(np.sum(vector * vector)))
    if not np.isfinite(length) or not length:
        problem = "without direction" if length == 0 else "with values that are not finite"
        raise ModelError(f"the model {model!r} gave a vector {problem}; try another model")
    return frozen(vector / length)


def mean(vectors: Sequence[Any], weights: Sequence[float], model: str) -> Vector:
    """The weighted mean of the vectors of a text's pieces, with length 1."""
    total = sum(
        np.asarray(vector, np.float64) * weight
        for vector, weight in zip(vectors, weights, strict=True)
    )
    return unit(total, model)


def zeros(dimensions: int) -> Vector:
    """The vector of a text without content: alike to nothing."""
    return frozen(np.zeros(dimensions, np.float32))


def rows(matrix: Any, model: str) -> Any:
    """A matrix of token vectors, each with length 1."""
    matrix = np.asarray(matrix, np.float64)
    if not np.isfinite(matrix).all():
        raise ModelError(f"the model {model!r} gave token vectors that are not finite")
    lengths = np.sqrt(np.sum(matrix * matrix, axis=1, keepdims=True))
    return frozen(matrix / np.maximum(lengths, np.finfo(np.float32).tiny))


def frozen(array: Any) -> Any:
    """A float32 copy that nobody can change, since many features share it."""
    array = np.array(array, np.float32)
    array.flags.writeable = False
    return array
