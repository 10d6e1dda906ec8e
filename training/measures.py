"""Fits logistic models over named measures whose signs are known beforehand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy.optimize import minimize

Array = Any
"""A numpy array."""
Bounds = Mapping[str, tuple[float | None, float | None]]
"""Measure → the least and the greatest weight that it may get; None is no limit."""


def fit_measures(
    X: Array,
    y: Sequence[int],
    names: Sequence[str],
    weights: Array | None = None,
    bounds: Bounds | None = None,
    penalty: float = 2e-4,
) -> tuple[dict[str, float], float]:
    """The weight of each measure and the bias, under bounds, with a square penalty."""
    X, y = np.asarray(X, float), np.asarray(y, float)
    weights = np.ones(len(y)) if weights is None else np.asarray(weights, float)
    weights = weights / weights.sum()
    deviation = X.std(0) + 1e-9

    def loss(parameters: Array) -> tuple[float, Array]:
        coefficients, bias = parameters[:-1], parameters[-1]
        logits = X @ coefficients + bias
        value = weights @ (np.logaddexp(0.0, logits) - y * logits)
        value += penalty * float(((coefficients * deviation) ** 2).sum())
        error = weights * (1 / (1 + np.exp(-logits)) - y)
        gradient = X.T @ error + 2 * penalty * coefficients * deviation**2
        return value, np.append(gradient, error.sum())

    limits = [(bounds or {}).get(name, (None, None)) for name in names] + [(None, None)]
    start = np.array([np.clip(0.0, low, high) for low, high in limits], float)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=limits)
    return dict(zip(names, map(float, found.x[:-1]), strict=True)), float(found.x[-1])


def apply(X: Array, names: Sequence[str], fitted: tuple[Mapping[str, float], float]) -> Array:
    """The logits of a fitted model."""
    weights, bias = fitted
    return np.asarray(X) @ np.array([weights[name] for name in names]) + bias
