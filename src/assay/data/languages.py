"""Scripts and function words by which a text's language is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from assay.data.bundled_files import read_toml


@dataclass(frozen=True, slots=True)
class Languages:
    """What `languages.toml` says."""

    scripts: Mapping[str, str]
    """First word of a letter's Unicode name → the language most texts of that script are in."""
    letters: Mapping[str, Mapping[str, str]]
    """Language → letters of the same script that only another language uses."""
    words: Mapping[str, frozenset[str]]
    """Language → its most frequent function words."""
    names: Mapping[str, str]
    """What a request calls a language → its code; `und` for languages that are not told."""
    requests: Mapping[str, str]
    """Kind of request → the pattern by which it is told."""


@cache
def languages() -> Languages:
    """The bundled table."""
    text = (files("assay") / "data" / "languages.toml").read_text(encoding="utf-8")
    table = read_toml(text, "languages.toml")
    words = {code: frozenset(listed.split()) for code, listed in table["words"].items()}
    names = {name: code for code, listed in table["names"].items() for name in listed.split()}
    return Languages(table["scripts"], table["letters"], words, names, table["requests"])
