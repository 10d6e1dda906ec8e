"""Statistics as pure functions."""

from assay.stats.intervals import bootstrap_mean, wilson

__all__ = ["bootstrap_mean", "wilson"]
