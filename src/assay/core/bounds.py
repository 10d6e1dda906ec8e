"""Numbers kept inside their bounds."""

from __future__ import annotations


def clamp(value: float) -> float:
    """The value, not below 0 and not above 1."""
    return min(1.0, max(0.0, value))
