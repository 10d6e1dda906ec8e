"""What is done to texts before any model sees them."""

from __future__ import annotations

import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from importlib.resources import files

SAMPLED = 2000
"""Characters whose script is looked at; more do not change the verdict."""
FOREIGN_SHARE = 0.2
"""A text with a larger share of letters that a model does not read is not shown to it."""


def is_blank(text: str) -> bool:
    """Whether there is nothing in the text for a model to read."""
    return not text.strip()


def encodable(text: str) -> str:
    """The text with lone surrogates, which no tokenizer takes, replaced by U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def pieces(text: str, limit: int) -> Iterator[str]:
    """The text in pieces of at most `limit` characters, cut at a blank where there is one."""
    start = 0
    while len(text) - start > limit:
        end = max(text.rfind(blank, start + 1, start + limit + 1) for blank in " \n")
        end = end if end > 0 else start + limit
        yield text[start:end]
        start = end
    yield text[start:]


def unread_script(text: str, languages: Iterable[str]) -> str:
    """The script for which the text cannot be read by a model of these languages, or nothing.

    Only scripts are told apart, so that there is no doubt: French passes for English here.
    """
    if not languages or text.isascii():
        return ""
    head = unicodedata.normalize("NFKC", text[:SAMPLED])
    scripts = Counter(_script(char) for char in head if char.isalpha())
    known = {script for code in languages for script in _scripts()[code]}
    foreign = {script: count for script, count in scripts.items() if script not in known}
    if sum(foreign.values()) <= FOREIGN_SHARE * scripts.total():
        return ""
    return max(sorted(foreign), key=foreign.__getitem__).capitalize()


@lru_cache(maxsize=4096)
def _script(char: str) -> str:
    """The first word of the letter's Unicode name: its script."""
    return unicodedata.name(char, "UNKNOWN").partition(" ")[0]


@cache
def _scripts() -> Mapping[str, list[str]]:
    """Language → the scripts that it is written in."""
    table = tomllib.loads((files("assay.backends") / "scripts.toml").read_text(encoding="utf-8"))
    return {code: words.split() for code, words in table["scripts"].items()}
