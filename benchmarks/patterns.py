"""The patterns of `patterns.toml`, for our matcher and for `re`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from assay.data import Lexicon, Pattern


@cache
def lexicons() -> tuple[Lexicon, ...]:
    """One lexicon for each group."""
    table = tomllib.loads((files(__package__) / "patterns.toml").read_text(encoding="utf-8"))
    return tuple(
        Lexicon(name, "", "", "", "", tuple(_patterns(**group)), (), (), "")
        for name, group in table.items()
    )


def _patterns(phrases: Iterable[str] = (), expressions: Iterable[str] = ()) -> Iterable[Pattern]:
    for phrase in phrases:
        yield Pattern(phrase, phrase=phrase)
    for expression in expressions:
        yield Pattern(expression, regex=expression)


def compiled(pattern: Pattern) -> re.Pattern[str]:
    """The pattern as people write it for `re`; a phrase is matched as whole words."""
    if pattern.regex:
        return re.compile(pattern.regex, re.IGNORECASE)
    words = (pattern.phrase or "").split()
    starts = r"\b" if re.match(r"\w", words[0]) else ""
    ends = r"\b" if re.search(r"\w$", words[-1]) else ""
    return re.compile(starts + r"\s+".join(map(re.escape, words)) + ends, re.IGNORECASE)
