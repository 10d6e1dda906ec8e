"""Words that belong to one matter, and words that say little, as `frames.toml` lists them."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from assay.data.bundled_files import read_toml
from assay.data.meaning import ARABIC_FOLDED

FILE = "frames.toml"


@cache
def _table() -> dict[str, Any]:
    text = (files("assay") / "data" / FILE).read_text(encoding="utf-8")
    return read_toml(text.translate(ARABIC_FOLDED), FILE)


@cache
def frames() -> tuple[tuple[str, ...], ...]:
    """The words of each matter."""
    return tuple(tuple(one["words"]) for one in _table()["frames"])


@cache
def light_words() -> frozenset[str]:
    """Words that say little by themselves."""
    return frozenset(_table()["light"]["words"])
