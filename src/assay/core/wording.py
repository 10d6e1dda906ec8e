"""Parts of sentences that explanations share."""

from __future__ import annotations

from collections.abc import Sequence


def listed(names: Sequence[str], most: int, last: str = " and ") -> str:
    """The first of several names, and how many more there are: "a, b and 3 more"."""
    shown, rest = ", ".join(names[:most]), len(names) - most
    return f"{shown}{last}{rest} more" if rest > 0 else shown


def counted(amount: int, one: str, many: str = "") -> str:
    """An amount with its noun: "1 pair", "2 pairs"."""
    return f"{amount} {one if amount == 1 else many or one + 's'}"
