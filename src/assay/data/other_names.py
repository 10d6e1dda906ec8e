"""What other tools call what our metrics measure (`other_names.toml`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from assay.data.bundled_files import read_toml


@cache
def other_names() -> Mapping[str, tuple[str, ...]]:
    """Name → ids of metrics, or families, the nearest first."""
    text = (files("assay") / "data" / "other_names.toml").read_text(encoding="utf-8")
    return {name: tuple(ids) for name, ids in read_toml(text, "other_names.toml").items()}
