"""The consonants of names in two scripts, as `transliteration.toml` lists them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from assay.data.bundled_files import read_toml

FILE = "transliteration.toml"


class Consonants(NamedTuple):
    """What letters are heard as."""

    arabic: Mapping[str, str]
    """Letter → its class."""
    latin: Mapping[str, Sequence[str]]
    """One or two letters → the classes that they may be heard as."""


@cache
def consonants() -> Consonants:
    """The letters of both scripts that are consonants."""
    table = read_toml((files("assay") / "data" / FILE).read_text(encoding="utf-8"), FILE)
    arabic = {letter: sound for sound, letters in table["arabic"].items() for letter in letters}
    return Consonants(arabic, table["latin"])
