"""Answers that say nothing (`degenerate.toml`)."""

from __future__ import annotations

from functools import cache

from assay.data.files import read_bundled_toml

Phrases = tuple[tuple[str, ...], ...]


def empty_openers() -> Phrases:
    """Openers without content, as small words, the longest first."""
    return _phrases("openers")


def fillers() -> Phrases:
    """Words before an opener that add nothing; alone they may well be an answer."""
    return _phrases("fillers")


@cache
def _phrases(key: str) -> Phrases:
    found = {tuple(text.lower().split()) for text in read_bundled_toml("degenerate.toml")[key]}
    return tuple(sorted(found, key=lambda words: (-len(words), words)))
