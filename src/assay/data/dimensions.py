"""The dimensions of governance: which metrics make up each (`dimensions.toml`).

A `[[dimension]]` has a name, a title, its metrics and its blind spots; `zero` says when its score
is 0 whatever the metrics say, and `note` explains that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from assay.data.bundled_files import read_bundled_toml


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
    return tuple(_dimension(table) for table in read_bundled_toml("dimensions.toml")["dimension"])


def _dimension(table: Mapping[str, Any]) -> Dimension:
    """A row: lists as tuples, texts on one line."""
    row: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else " ".join(value.split())
        for key, value in table.items()
    }
    return Dimension(**row)
