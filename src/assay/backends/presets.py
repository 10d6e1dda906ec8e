"""What is known of Hugging Face models by name: see `presets.toml`."""

from __future__ import annotations

import tomllib
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from typing import NamedTuple


class Preset(NamedTuple):
    """How a model wants to be asked and understood."""

    name: str = ""
    match: str = "*"
    prefix: str = ""
    threshold: float | None = None
    languages: tuple[str, ...] = ()
    note: str = ""


def preset(model: str) -> Preset:
    """What is known of a model, by its name or folder."""
    last = model.replace("\\", "/").rstrip("/").rpartition("/")[2].lower()
    return next((known for known in presets() if fnmatchcase(last, known.match)), Preset())


@cache
def presets() -> tuple[Preset, ...]:
    """All of them."""
    table = tomllib.loads((files("assay.backends") / "presets.toml").read_text(encoding="utf-8"))
    return tuple(
        Preset(**{**entry, "languages": tuple(entry["languages"])}) for entry in table["model"]
    )
