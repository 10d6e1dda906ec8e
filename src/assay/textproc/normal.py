"""Text made comparable, with a way back to the text as given.

Compatibility forms become plain ones (NFKC), curly quotes straight, all blanks one kind, decimal
digits of every script 0–9; invisible characters, Arabic vowel marks and stretched letters go;
letters of other scripts that pose as Latin ones inside a Latin word become Latin. Case is kept.

Marks are composed with the letter before them one at a time, so a run of marks in non-canonical
order is not reordered, and conjoining Hangul letters are not composed: both are linear-time
choices, and neither matters to the metrics.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_left
from collections.abc import Mapping
from functools import lru_cache, partial

from assay.data import confusables

_PLAIN = bytes([9, 10, 13, *range(32, 127)])
"""The ASCII bytes that normalisation leaves alone."""
_USUAL = frozenset(_PLAIN.decode())
_UNUSUAL = re.compile(r"[^\t\n\r\x20-\x7e]+")
_REPLACED = {
    **dict.fromkeys("‘’‚‛′ʼ´", "'"),
    **dict.fromkeys("“”„‟″«»", '"'),
    **dict.fromkeys("‐‑‒–—―−", "-"),
    **dict.fromkeys("\x0b\x0c\x1c\x1d\x1e\x1f\x85\u2028\u2029", " "),
    "İ": "I",  # the only letter whose lower case is two characters
    "ـ": "",  # the Arabic stretcher
    "！": "！",  # as they are: they end a sentence without a blank
    "？": "？",
}
_ARABIC_VOWELS = re.compile("[\u064b-\u0652\u0670]")
MAX_PASSES = 40
"""So many passes over a text take about as long as one that looks at every character."""
MAX_EXPANSION = 6
"""A character that stands for more than this many (ﷺ for eighteen) stays as it is, so that no text
grows without bounds."""
_MARKED_SCRIPTS = ("LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "CANADIAN", "CHEROKEE")
"""Where marks that do not compose are decoration; elsewhere (Hindi, Thai) they are letters.
All scripts that have look-alikes of Latin letters are among them."""


Places = array
"""Unsigned integers, in a quarter of the room that a list takes."""
_SAME: Places[int] = array("I")
"""No places: every character stands where it stood."""


class Normal:
    """A text, its normalised form, and where each normalised character came from."""

    __slots__ = ("_ends", "_starts", "_word_count", "lower", "original", "text")

    def __init__(self, original: str, text: str, starts: Places[int], ends: Places[int]) -> None:
        self.original = original
        self.text = text
        self.lower = text.lower()
        self._starts = starts
        self._ends = ends
        self._word_count = -1

    @property
    def word_count(self) -> int:
        """How many stretches of text the blanks part."""
        if self._word_count < 0:
            self._word_count = len(self.text.split())
        return self._word_count

    @property
    def is_in_place(self) -> bool:
        """Whether every character stands where it stood in the original text."""
        return not self._starts

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the original text behind a stretch of the normalised one."""
        if not self._starts:
            return start, end
        if start == end:
            place = self._starts[start] if start < len(self._starts) else len(self.original)
            return place, place
        return self._starts[start], self._ends[end - 1]

    def place(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the normalised text that comes from a stretch of the original one."""
        if not self._starts:
            return start, end
        return bisect_left(self._starts, start), bisect_left(self._starts, end)


def plain_normal(text: str) -> Normal:
    """The normalised form of a text that is known to be normalised already."""
    return Normal(text, text, _SAME, _SAME)


def normalise(text: str) -> Normal:
    """The text made comparable."""
    if text.isascii() and not text.encode().translate(None, _PLAIN):
        return plain_normal(text)
    unusual = {char: _FOLDED[char] for char in set(text) - _USUAL}
    if all(f and len(f) == 1 and not _is_mark(f) for f in unusual.values()):
        changed = {char: folded for char, folded in unusual.items() if folded and folded != char}
        return Normal(text, _unmask(exchange(text, changed)), _SAME, _SAME)
    pieces: list[str] = []
    starts, ends = array("I"), array("I")
    done = 0
    for run in _UNUSUAL.finditer(text):
        begin, end = run.span()
        pieces.extend(text[done:begin])
        starts.extend(range(done, begin))
        ends.extend(range(done + 1, begin + 1))
        for place in range(begin, end):
            _append(text[place], place, pieces, starts, ends)
        done = end
    pieces.extend(text[done:])
    starts.extend(range(done, len(text)))
    ends.extend(range(done + 1, len(text) + 1))
    return Normal(text, _unmask("".join(pieces)), starts, ends)


def exchange(text: str, stand_ins: Mapping[str, str]) -> str:
    """The text with other characters for some of its own.

    A pass for each of a few characters is quicker than one that looks at every character, but no
    character may be exchanged twice.
    """
    if len(stand_ins) > MAX_PASSES or not stand_ins.keys().isdisjoint(stand_ins.values()):
        return text.translate({ord(char): stand_in for char, stand_in in stand_ins.items()})
    for char, stand_in in stand_ins.items():
        text = text.replace(char, stand_in)
    return text


def _append(
    char: str, place: int, pieces: list[str], starts: Places[int], ends: Places[int]
) -> None:
    """Add one character's normal form to what came before."""
    folded = _FOLDED[char]
    if folded == char:
        pieces.append(char)
        starts.append(place)
        ends.append(place + 1)
        return
    for part in char if folded is None else folded:
        if pieces and _is_mark(part):
            joined = _join(pieces[-1], part)
            if joined:
                pieces[-1], ends[-1] = joined, place + 1
                continue
        pieces.append(part)
        starts.append(place)
        ends.append(place + 1)


@lru_cache(maxsize=4096)
def _join(base: str, mark: str) -> str:
    """The letter with its mark, or without it where it is decoration; empty where it stays."""
    composed = unicodedata.normalize("NFC", base + mark)
    if len(composed) == 1:
        return _REPLACED.get(composed, composed)
    return base if unicodedata.name(base, "").startswith(_MARKED_SCRIPTS) else ""


class _Folding(dict[str, str | None]):
    """Character → its normal form, or None for a mark; filled as characters are met."""

    def __missing__(self, char: str) -> str | None:
        if len(self) > 20_000:
            self.clear()
        folded = self[char] = _fold(char)
        return folded


_FOLDED = _Folding()


def _fold(char: str) -> str | None:
    if char in _REPLACED:
        return _REPLACED[char]
    category = unicodedata.category(char)
    if category in ("Cf", "Cc", "Me") or _is_ignorable(char) or _ARABIC_VOWELS.match(char):
        return ""
    if category == "Zs":
        return " "
    if _is_mark(char):
        return None
    if category == "Nd":
        return str(unicodedata.decimal(char))
    plain = unicodedata.normalize("NFKC", char)
    if plain == char or len(plain) > MAX_EXPANSION:
        return char
    parts = ((part, None if part.isascii() else _fold(part)) for part in plain)
    return "".join(part if folded is None else folded for part, folded in parts)


def _is_mark(char: str) -> bool:
    return unicodedata.category(char)[0] == "M"


def _is_ignorable(char: str) -> bool:
    """Whether the character shows nothing although its category does not say so."""
    return (
        char in "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0"
        or "\ufe00" <= char <= "\ufe0f"
        or "\U000e0000" <= char <= "\U000e0fff"
    )


_WORD = re.compile(r"\w+")


def _unmask(text: str) -> str:
    """Give back their Latin letters to words that mix in look-alikes.

    A word made of look-alikes only is changed when the text around it is Latin.
    """
    if text.isascii():
        return text
    lookalikes = confusables()
    suspects = lookalikes.keys() & set(text)
    if not suspects:
        return text

    def unmask(word: re.Match[str], *, alone: bool) -> str:
        result = word.group()
        if suspects.isdisjoint(result):
            return result
        others = [char for char in result if char.isalpha() and char not in suspects]
        if not others if alone else any(map(str.isascii, others)):
            return "".join(lookalikes.get(char, char) for char in result)
        return result

    text = _WORD.sub(partial(unmask, alone=False), text)
    letters = [char for char in text if char.isalpha() and char not in suspects]
    is_latin = sum(map(str.isascii, letters)) > len(letters) / 2
    return _WORD.sub(partial(unmask, alone=True), text) if is_latin else text
