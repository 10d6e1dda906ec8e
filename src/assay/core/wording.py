"""Parts of sentences that explanations share."""

from __future__ import annotations

from collections.abc import Sequence


def listed(names: Sequence[str], most: int, last: str = " and ") -> str:
    """The first of several names, and how many more there are: "a, b and 3 more"."""
    shown, rest = ", ".join(names[:most]), len(names) - most
    return f"{shown}{last}{rest} more" if rest > 0 else shown
