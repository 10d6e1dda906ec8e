"""The metrics: one folder per family, one file per metric, its cases beside it."""
