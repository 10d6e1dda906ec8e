"""Character and word n-grams of a text as hashed numbers, without a Python loop over characters.

A text is lower-cased normalised text. Runs of anything but letters, digits and the marks in
`_KEPT` become one blank, and one blank stands at either end, so character n-grams know where
words begin. A hash is a polynomial over code points modulo 2**64, mixed and cut to `BITS` bits:
the same on every machine.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.core.lazy import lazy

Array = Any
"""A numpy array."""
BITS = 18
BUCKETS = 1 << BITS
CHARACTERS = (2, 3, 4, 5)
"""Lengths of the character n-grams."""
MAX_LENGTH = 20_000
"""Characters that are read of one text; of a longer one the first and the last half of this."""
_BASE = np.uint64(0x100000001B3)
_MIX = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(64 - BITS)
_KEPT = "!?$@#*'"
_BREAK = re.compile(rf"[^\w{re.escape(_KEPT)}]+|_+")
_BLANK = ord(" ")
_ASCII = bytes(c if chr(c).isalnum() or chr(c) in _KEPT else _BLANK for c in range(256))
"""What stands for each ASCII byte: breaks become blanks."""
_POWERS = np.zeros(MAX_LENGTH + 2, np.uint64)
"""Powers for the letters of a word; letters past the 64th do not count."""
_POWERS[:64] = _BASE ** np.arange(64, dtype=np.uint64)


@dataclass(frozen=True)
class Ngrams:
    """The n-grams of one text."""

    buckets: Array
    """The bucket of each n-gram, repeated as often as it occurs."""
    starts: Array
    """Where each n-gram begins in the text that was read."""
    ends: Array

    @lazy
    def distinct(self) -> Array:
        """Each bucket once, in order."""
        ordered = np.sort(self.buckets)
        is_first = np.ones(len(ordered), bool)
        np.not_equal(ordered[1:], ordered[:-1], out=is_first[1:])
        return ordered[is_first]


def hashed_ngrams(text: str, characters: Sequence[int] = CHARACTERS) -> Ngrams:
    """Hash the n-grams of a lower-cased text: characters, words and pairs of words.

    `characters` are the lengths of the character n-grams; words alone take a third of the time.
    Places are those of `text`. Two texts that differ only in punctuation other than `!?$@#*'` have
    the same n-grams.
    """
    if len(text) > MAX_LENGTH:
        half = MAX_LENGTH // 2
        head, tail = (hashed_ngrams(part, characters) for part in (text[:half], text[-half:]))
        offset = len(text) - half
        return Ngrams(
            np.concatenate([head.buckets, tail.buckets]),
            np.concatenate([head.starts, tail.starts + offset]),
            np.concatenate([head.ends, tail.ends + offset]),
        )
    codes, places = _codes(text)
    pieces = [*_characters(codes, characters), *_words(codes)]
    hashes, first, last = (np.concatenate(part) for part in zip(*pieces, strict=True))
    buckets = ((hashes * _MIX) >> _SHIFT).astype(np.int32)
    return Ngrams(buckets, places[first], places[last] + 1)


def _codes(text: str) -> tuple[Array, Array]:
    """The code points with breaks as single blanks, and the place of each in the text.

    A blank behind a word has the place of the word's last letter.
    """
    if text.isascii():
        raw = np.frombuffer(text.encode().translate(_ASCII), np.uint8)
    else:
        spaced = _BREAK.sub(_blanks, text)
        raw = np.frombuffer(spaced.encode("utf-32-le", "surrogatepass"), np.uint32)
    is_letter = raw != _BLANK
    kept = is_letter.copy()
    kept[1:] |= is_letter[:-1]
    places = np.flatnonzero(kept)
    if not len(places):
        return np.full(1, _BLANK, np.uint64), np.zeros(1, np.int64)
    if is_letter[places[-1]]:
        places = np.append(places, len(raw))
        codes = np.append(raw, np.array([_BLANK], raw.dtype))[places]
    else:
        codes = raw[places]
    blanks = np.flatnonzero(codes == _BLANK)
    places[blanks] = places[blanks - 1]
    first = np.array([_BLANK], codes.dtype)
    return np.concatenate([first, codes]).astype(np.uint64), np.concatenate([[0], places])


def _salt(length: int) -> Any:
    """What tells n-grams of that length from others."""
    return np.uint64(length * int(_BASE) ** length % 2**64)


_SALTS = [_salt(length) for length in range(max(CHARACTERS) + 1)]


def _blanks(gap: re.Match[str]) -> str:
    return " " * (gap.end() - gap.start())


def _characters(codes: Array, lengths: Sequence[int]) -> Iterator[tuple[Array, Array, Array]]:
    """The n-grams of each length: length · base^length + Σ code · base^place, modulo 2**64.

    The lengths ascend: the sum of one is made from that of the length before.
    """
    places = np.arange(len(codes))
    hashes, done = codes, 1
    for length in lengths:
        count = len(codes) - length + 1
        if count <= 0:
            yield _empty()
            continue
        for size in range(done + 1, length + 1):
            hashes = hashes[: len(codes) - size + 1] * _BASE + codes[size - 1 :]
        done = length
        yield hashes + _SALTS[length], places[:count], places[length - 1 :]


def _words(codes: Array) -> tuple[tuple[Array, Array, Array], tuple[Array, Array, Array]]:
    """Words, and pairs of neighbouring words."""
    blanks = np.flatnonzero(codes == _BLANK)
    if len(blanks) < 2:
        return _empty(), _empty()
    first, last = blanks[:-1] + 1, blanks[1:] - 1
    lengths = last - first + 1
    offsets = np.arange(first[0], last[-1] + 2) - np.repeat(first, lengths + 1)
    letters = codes[first[0] : last[-1] + 2] * _POWERS[offsets]
    letters[blanks[1:] - first[0]] = 0
    hashes = np.add.reduceat(letters, first - first[0]) * _BASE + np.uint64(101)
    pairs = hashes[:-1] * _MIX + hashes[1:] + np.uint64(202)
    return (hashes, first, last), (pairs, first[:-1], last[1:])


def _empty() -> tuple[Array, Array, Array]:
    nothing = np.zeros(0, np.int64)
    return np.zeros(0, np.uint64), nothing, nothing
