"""A text as exact comparison sees it, with a way back to the text as given."""

from __future__ import annotations

from typing import Literal
from unicodedata import normalize

Form = Literal["none", "nfkc"]
"""How letters are made alike before texts are compared."""


class Comparable:
    """A text without outer blanks, in lower case."""

    def __init__(self, original: str, form: Form) -> None:
        formed = original if form == "none" else normalize("NFKC", original)
        self.text = formed.strip().lower()
        """What is compared."""
        stripped = original.strip()
        self._start = len(original) - len(original.lstrip()) if stripped else 0
        self._end = self._start + len(stripped) if stripped else len(original)

    def first_difference(self, other: Comparable) -> int:
        """Where the compared texts part; the shorter one's length where it starts the longer."""
        pairs = enumerate(zip(self.text, other.text, strict=False))
        return next((n for n, (a, b) in pairs if a != b), min(len(self.text), len(other.text)))

    def rest(self, place: int) -> tuple[int, int]:
        """The text as given from a place of the compared text on; all, where places shifted."""
        is_same_length = len(self.text) == self._end - self._start
        return (self._start + place if is_same_length else self._start), self._end
