"""Hashed n-grams: the same as a plain loop, and places inside the text."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.linear.ngrams import BITS, CHARACTERS, MAX_LENGTH, hashed_ngrams

WRAP = 1 << 64
BASE, MIX = 0x100000001B3, 0x9E3779B97F4A7C15


def plain(words: list[str]) -> list[int]:
    """The hashes by the definition, one n-gram at a time."""
    line = " " + "".join(word + " " for word in words)
    hashes = []
    for length in CHARACTERS:
        for start in range(len(line) - length + 1):
            total = length
            for character in line[start : start + length]:
                total = (total * BASE + ord(character)) % WRAP
            hashes.append(total)
    whole = [
        (sum(ord(c) * pow(BASE, i, WRAP) for i, c in enumerate(word[:64])) * BASE + 101) % WRAP
        for word in words
    ]
    hashes += whole
    hashes += [(a * MIX + b + 202) % WRAP for a, b in itertools.pairwise(whole)]
    return [(total * MIX % WRAP) >> (64 - BITS) for total in hashes]


WORDS = st.lists(st.text("abcé؟!شمس9", min_size=1, max_size=80).filter(lambda w: "؟" not in w))


@given(WORDS)
def test_hashes_are_those_of_the_definition(words: list[str]) -> None:
    assert hashed_ngrams(", ".join(words)).buckets.tolist() == plain(words)


@given(st.text(max_size=60))
def test_places_lie_inside_the_text(text: str) -> None:
    found = hashed_ngrams(text)
    assert len(found.buckets) == len(found.starts) == len(found.ends)
    assert np.all(found.starts >= 0)
    assert np.all(found.ends <= max(len(text), 1))
    assert np.all(found.starts < found.ends)


@pytest.mark.parametrize("text", ["", "   ", "...", "\n"])
def test_a_text_without_words_has_no_ngrams(text: str) -> None:
    assert len(hashed_ngrams(text).buckets) == 0


def test_punctuation_between_words_does_not_count() -> None:
    one, other = hashed_ngrams("stop. now"), hashed_ngrams("stop — now")
    assert one.buckets.tolist() == other.buckets.tolist()


def test_of_a_long_text_both_ends_are_read() -> None:
    text = "begin " + "x" * 3 * MAX_LENGTH + " finish"
    found = hashed_ngrams(text)
    assert {"begin", "finish"} <= {
        text[a:b] for a, b in zip(found.starts, found.ends, strict=True) if b - a < 10
    }


@given(st.text(max_size=60))
def test_distinct_buckets_are_in_order(text: str) -> None:
    found = hashed_ngrams(text)
    assert found.distinct.tolist() == sorted(set(found.buckets.tolist()))
