"""Character and word n-grams of a text as hashed numbers, without a Python loop over characters.

A text is lower-cased normalised text. Runs of anything but letters, digits and the marks in
`_KEPT` become one blank, and one blank stands at either end, so character n-grams know where
words begin. A hash is a polynomial over code points modulo 2**64, mixed and cut to `BITS` bits:
the same on every machine.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

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
_POWERS = _BASE ** np.arange(64, dtype=np.uint64)
"""Powers for the letters of a word; letters past the 64th do not count."""


@dataclass(frozen=True, slots=True)
class Ngrams:
    """The n-grams of one text."""

    buckets: Array
    """The bucket of each n-gram, repeated as often as it occurs."""
    starts: Array
    """Where each n-gram begins in the text that was read."""
    ends: Array


def hashed_ngrams(text: str) -> Ngrams:
    """Hash the n-grams of a lower-cased text: characters, words and pairs of words.

    Places are those of `text`. Two texts that differ only in punctuation other than `!?$@#*'` have
    the same n-grams.
    """
    if len(text) > MAX_LENGTH:
        half = MAX_LENGTH // 2
        head, tail = hashed_ngrams(text[:half]), hashed_ngrams(text[-half:])
        offset = len(text) - half
        return Ngrams(
            np.concatenate([head.buckets, tail.buckets]),
            np.concatenate([head.starts, tail.starts + offset]),
            np.concatenate([head.ends, tail.ends + offset]),
        )
    codes, places = _codes(text)
    pieces = [_characters(codes, length) for length in CHARACTERS] + list(_words(codes))
    hashes, first, last = (np.concatenate(part) for part in zip(*pieces, strict=True))
    buckets = ((hashes * _MIX) >> _SHIFT).astype(np.int32)
    return Ngrams(buckets, places[first], places[last] + 1)


def _codes(text: str) -> tuple[Array, Array]:
    """The code points with breaks as single blanks, and the place of each in the text."""
    parts: list[str] = [" "]
    spans: list[tuple[int, int]] = []
    place = 0
    for gap in _BREAK.finditer(text):
        if gap.start() > place:
            parts += [text[place : gap.start()], " "]
            spans.append((place, gap.start()))
        place = gap.end()
    if place < len(text):
        parts += [text[place:], " "]
        spans.append((place, len(text)))
    codes = np.frombuffer("".join(parts).encode("utf-32-le", "surrogatepass"), np.uint32)
    pieces = [np.zeros(1, np.int64)]
    for start, end in spans:
        pieces += [np.arange(start, end), np.array([end - 1])]
    return codes.astype(np.uint64), np.concatenate(pieces)


def _characters(codes: Array, length: int) -> tuple[Array, Array, Array]:
    count = len(codes) - length + 1
    if count <= 0:
        return _empty()
    hashes = np.full(count, np.uint64(length))
    for offset in range(length):
        hashes = hashes * _BASE + codes[offset : offset + count]
    first = np.arange(count)
    return hashes, first, first + length - 1


def _words(codes: Array) -> tuple[tuple[Array, Array, Array], tuple[Array, Array, Array]]:
    """Words, and pairs of neighbouring words."""
    blanks = np.flatnonzero(codes == _BLANK)
    if len(blanks) < 2:
        return _empty(), _empty()
    first, last = blanks[:-1] + 1, blanks[1:] - 1
    lengths = last - first + 1
    offsets = np.arange(first[0], last[-1] + 2) - np.repeat(first, lengths + 1)
    letters = codes[first[0] : last[-1] + 2] * np.where(
        offsets < len(_POWERS), _POWERS[np.minimum(offsets, len(_POWERS) - 1)], np.uint64(0)
    )
    letters[offsets == np.repeat(lengths, lengths + 1)] = 0
    hashes = np.add.reduceat(letters, first - first[0]) * _BASE + np.uint64(101)
    pairs = hashes[:-1] * _MIX + hashes[1:] + np.uint64(202)
    return (hashes, first, last), (pairs, first[:-1], last[1:])


def _empty() -> tuple[Array, Array, Array]:
    nothing = np.zeros(0, np.int64)
    return np.zeros(0, np.uint64), nothing, nothing
