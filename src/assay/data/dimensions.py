"""The dimensions of governance: which metrics make up each (`dimensions.toml`).

A `[[dimension]]` has a name, a title, its metrics and its blind spots; `zero` says when its score
is 0 whatever the metrics say, and `note` explains that.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from assay.data.files import read_bundled_toml


@dataclass(frozen=True, slots=True)
class Dimension:
    """A row of the table."""

    name: str
    title: str
    metrics: tuple[str, ...]
    blind_spots: str
    tags: tuple[str, ...] = ("rules",)
    zero: str = ""
    """When the score is 0 whatever the metrics say; empty where it never is."""
    note: str = ""
    """What the page says about that."""


@cache
def dimensions() -> tuple[Dimension, ...]:
    """All dimensions in the order of the Endurance guide."""
    return tuple(
        Dimension(
            **{
                key: tuple(value) if isinstance(value, list) else " ".join(value.split())
                for key, value in table.items()
            }
        )
        for table in read_bundled_toml("dimensions.toml")["dimension"]
    )
