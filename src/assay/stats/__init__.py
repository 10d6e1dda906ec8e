"""Statistics as pure functions.

`ranking`, `grouped` and `paired` need numpy and are imported by name where they are used.
"""

from assay.stats.intervals import bootstrap_mean, mean_of_equals, wilson

__all__ = ["bootstrap_mean", "mean_of_equals", "wilson"]
