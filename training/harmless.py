"""Harmless texts with sharp words or names of groups (`harmless.toml`), for fitting."""

from __future__ import annotations

import tomllib
from pathlib import Path

FILE = Path(__file__).parent / "harmless.toml"
STEP = 3
"""Every third pair of group and sentence is read: enough to tell a group's name from hate."""


def harmless_sentences() -> list[str]:
    """Sentences with sharp words."""
    return list(_table()["sentences"])


def harmless_texts() -> list[str]:
    """The sentences, and groups put into sentences."""
    table = _table()
    pairs = [
        about.format(group if about.startswith("{}") else group[0].lower() + group[1:])
        for group in table["groups"]
        for about in table["about_groups"]
    ]
    return [*table["sentences"], *pairs[::STEP]]


def _table() -> dict[str, list[str]]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))
