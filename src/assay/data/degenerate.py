"""Answers that say nothing (`degenerate.toml`)."""

from __future__ import annotations

from functools import cache

from assay.data.bundled_files import read_bundled_toml

Phrases = tuple[tuple[str, ...], ...]


def empty_openers() -> Phrases:
    """Openers without content, as small words, the longest first."""
    return _phrases("openers")


def fillers() -> Phrases:
    """Words before an opener that add nothing; alone they may well be an answer."""
    return _phrases("fillers")


@cache
def _phrases(key: str) -> Phrases:
    phrases = {tuple(text.lower().split()) for text in read_bundled_toml("degenerate.toml")[key]}
    return tuple(sorted(phrases, key=lambda words: (-len(words), words)))
