"""How numbers, amounts and dates are written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from assay.data.bundled_files import read_toml

Limit = Literal["", "about", "least", "most"]
"""How a number is meant: as it stands, roughly, or as a lower or upper limit."""


@dataclass(frozen=True, slots=True)
class Wordings:
    """What `quantities.toml` says."""

    numbers: Mapping[str, int]
    """Number word → its value."""
    scales: Mapping[str, float]
    """Word behind a number → what it multiplies the number by."""
    units: Mapping[str, str]
    """Sign or word before or behind a number → what it is of."""
    months: Mapping[str, int]
    ordinals: Mapping[str, int]
    limits: Mapping[str, Limit]
    """Words before a number → how it is meant."""


@cache
def wordings() -> Wordings:
    """The bundled table."""
    text = (files("assay") / "data" / "quantities.toml").read_text(encoding="utf-8")
    table = read_toml(text, "quantities.toml")
    return Wordings(
        table["numbers"],
        {word: float(scale) for word, scale in table["scales"].items()},
        table["units"],
        table["months"],
        table["ordinals"],
        {word: limit for limit, words in table["limits"].items() for word in words},
    )
