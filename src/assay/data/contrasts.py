"""Things of one kind that are told apart, as `contrasts.toml` lists them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from assay.data.bundled_files import read_toml
from assay.data.meaning import ARABIC_FOLDED

FILE = "contrasts.toml"


@cache
def contrasts() -> Mapping[str, tuple[tuple[str, ...], ...]]:
    """Kind → its things, each as all the words for it."""
    text = (files("assay") / "data" / FILE).read_text(encoding="utf-8")
    table = read_toml(text.translate(ARABIC_FOLDED), FILE)
    return {
        kind: tuple(tuple(words.split()) for words in things)
        for kind, things in table["groups"].items()
    }


@cache
def things_of_words() -> Mapping[str, tuple[str, str]]:
    """Word → the kind of the thing that it names, and the name of the thing."""
    return {
        word: (kind, f"{kind} {number}")
        for kind, things in contrasts().items()
        for number, words in enumerate(things)
        for word in words
    }
