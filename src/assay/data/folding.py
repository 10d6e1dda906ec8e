"""Letters of other scripts that look like Latin ones."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files


@cache
def confusables() -> Mapping[str, str]:
    """Look-alike letter → Latin letter."""
    text = (files("assay") / "data" / "confusables.txt").read_text(encoding="utf-8")
    pairs = (line.split() for line in text.splitlines() if line and not line.startswith("#"))
    return {lookalike: latin for latin, lookalikes in pairs for lookalike in lookalikes}
