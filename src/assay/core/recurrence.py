"""A cache that keeps long what recurs, and only briefly what is asked for once."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import TypeVar

Value = TypeVar("Value")
NOTED = 100_000
"""So many hashes of arguments are noted before the list is begun anew."""


def recurrence_cache(
    recent: int, recurring: int
) -> Callable[[Callable[..., Value]], Callable[..., Value]]:
    """Decorate a pure function: its last `recent` values are kept, and `recurring` others.

    A value is among the others when it is asked for again after it was dropped from the recent
    ones. Most texts of a run are seen once; what is kept of them only makes the cycle collector
    slow, which walks all that outlives a batch.
    """

    def decorate(function: Callable[..., Value]) -> Callable[..., Value]:
        noted: set[int] = set()
        kept = lru_cache(maxsize=recurring)(function)

        @lru_cache(maxsize=recent)
        def value(*arguments: Hashable) -> Value:
            key = hash(arguments)
            if key in noted:
                return kept(*arguments)
            if len(noted) >= NOTED:
                noted.clear()
            noted.add(key)
            return function(*arguments)

        return value

    return decorate
