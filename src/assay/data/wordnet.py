"""Synonyms, antonyms, derived words and irregular forms of English, from WordNet."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal

from assay.data.bundled_files import read_bundled_toml

FILE = "wordnet.toml"
Relation = Literal["synonyms", "antonyms", "derived"]


@cache
def word_pairs(relation: Relation) -> tuple[tuple[str, str], ...]:
    """All pairs of words that stand in a relation; each pair once."""
    return tuple((word, other) for word, others in _rows(relation) for other in others)


@cache
def irregular_forms() -> Mapping[str, str]:
    """Irregular form → its base: "bought" → "buy"."""
    return {form: bases[0] for form, bases in _rows("irregular")}


def _rows(name: str) -> list[tuple[str, list[str]]]:
    lines = read_bundled_toml(FILE)[name].split("\n")
    return [(words[0], words[1:]) for line in lines if (words := line.split())]
