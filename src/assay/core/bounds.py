"""Numbers kept inside their bounds."""

from __future__ import annotations

from math import isfinite
from typing import Any

MAX_WEIGHT = 1e9
"""A sample may count as a thousand million others: more would leave nothing of their digits."""
MAX_SECONDS = 1e9
"""Some 30 years: longer is a mistake of units, and squares of it must still be summed."""

MAX_MOMENT = 253_402_300_799.0
"""The end of the year 9999, in seconds since 1970: no date can be shown behind it."""
MAX_COUNT = 2**63 - 1
"""Stores and Parquet hold whole numbers in 64 bits."""
MAX_VALUE = 1e100
"""Of a score, either way: its square, with any weight and in any number, can still be summed."""
MAX_SUM = 1e250
"""What no sum of such squares reaches."""


def clamp(value: float) -> float:
    """The value, not below 0 and not above 1."""
    if value > 0.0:
        return value if value < 1.0 else 1.0
    return 0.0


def finite(value: Any) -> float | None:
    """The number as a float; None for what is no number, or beyond all floats."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    try:
        return float(value) if isfinite(value) else None
    except OverflowError:
        return None


def within(value: Any, most: float) -> float | None:
    """The number, or the text of one, where it is from 0 to the most; None for anything else."""
    if isinstance(value, bool):
        return None
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if 0 <= number <= most else None
