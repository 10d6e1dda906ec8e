"""Proper names in a text: runs of words with capital letters, and abbreviations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from assay.textproc.normal import Normal
from assay.textproc.plain_words import plain_text
from assay.textproc.word_keys import function_words

_RUN = re.compile(r"(?<![^\W_])[a-z]{0,3}([^\W\d_a-z])[\w'-]*(?:[ \t][^\W\d_a-z][\w'-]*)*")
"""The first group is its first capital letter: iOS is a name as a whole."""
_BEGINS = frozenset(".!?:;\"'`([-*•\n")
"""What stands before the first word of a sentence, where a capital letter says nothing."""


class Name(NamedTuple):
    """A proper name: its words in lower case, and its place in the normalised text."""

    words: tuple[str, ...]
    start: int
    end: int


def names(text: Normal) -> Iterator[Name]:
    """The names in order; a single word that begins a sentence counts only in capitals."""
    for match in _RUN.finditer(text.text):
        run = match.group()
        if not match[1].isupper():
            continue
        is_alone = " " not in run and not (len(run) > 1 and run.isupper())
        if is_alone and _is_first(text.text, match.start()):
            continue
        if words := _words(text.lower[match.start() : match.end()]):
            yield Name(words, *match.span())


def _words(lower: str) -> tuple[str, ...]:
    empty = function_words("en")
    return tuple([word for word in plain_text(lower).split() if word not in empty])


def _is_first(text: str, place: int) -> bool:
    while place and text[place - 1] in " \t":
        place -= 1
    return not place or text[place - 1] in _BEGINS
