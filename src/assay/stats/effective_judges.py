"""How many independent judges a panel is worth.

Judges that err on the same answers are of little more use than one of them. With a mean
correlation ρ of the errors of n judges, the mean of the panel has the variance of

    n / (1 + (n − 1) · ρ)

independent judges (the design effect of Kish 1965).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assay.stats.grouped import grouped_interval
from assay.stats.intervals import Estimate
from assay.stats.ranking import Array, Statistic


def effective_judges(errors: Sequence[Sequence[float]], seed: int = 0) -> Estimate:
    """The effective number of judges from their errors, one row a judge, with its interval.

    None below two judges or where one of them makes the same error everywhere: its correlation
    with the others is not known then. Judges who err in opposite ways count as independent.
    """
    matrix = np.asarray(errors, float)
    if len(matrix) < 2 or matrix.shape[1] < 2 or (np.ptp(matrix, axis=1) == 0).any():
        return Estimate(None, None)
    statistic = effective_judges_of(matrix)
    value = float(statistic(np.ones((1, matrix.shape[1])))[0])
    return Estimate(value, grouped_interval(statistic, range(matrix.shape[1]), seed))


def effective_judges_of(errors: Array) -> Statistic:
    """`effective_judges`, prepared for weightings of the records."""
    judges = len(errors)

    def value(weights: Array) -> Array:
        shares = weights / weights.sum(axis=1, keepdims=True)
        means = shares @ errors.T
        products = np.einsum("dn,in,jn->dij", shares, errors, errors, optimize=True)
        covariances = products - means[:, :, None] * means[:, None, :]
        spread = np.sqrt(np.maximum(np.einsum("dii->di", covariances), 0.0))
        scale = spread[:, :, None] * spread[:, None, :]
        known = scale > 1e-12
        correlations = np.where(known, covariances / np.where(known, scale, 1.0), np.nan)
        others = ~np.eye(judges, dtype=bool)
        mean = correlations[:, others].mean(axis=1)
        return judges / (1 + (judges - 1) * np.clip(mean, 0.0, 1.0))

    return value
