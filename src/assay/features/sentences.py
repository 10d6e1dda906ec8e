"""The sentences of a text.

A full stop, question or exclamation mark ends a sentence when a blank or the end follows, so
"3.14" and "example.com" stay whole; an abbreviation's full stop does not. Arabic marks count, and
East Asian ones need no blank.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from assay.core.metric import text_feature
from assay.data import lexicon
from assay.textproc.normal import Normal
from assay.textproc.words import Words

_END = re.compile(r"""[.!?؟۔。！？]+["')\]]*(\s+|\Z)?""")
_WIDE_MARKS = frozenset("。！？")
_LAST_WORD = 12
"""No abbreviation is longer than this."""


class Sentence(NamedTuple):
    """A sentence without its closing mark, and its place in the original text."""

    text: str
    start: int
    end: int
    is_short: bool
    """Whether it has fewer than three words."""
    words: list[str]
    mark: str
    """The mark that closes it, the first where there are several; empty where none does."""


Sentences = tuple[Sentence, ...]


@text_feature(data=("lexicons/abbreviations.ar.txt", "lexicons/abbreviations.en.txt"))
def sentences(normal: Normal, words: Words) -> Sentences:
    """The sentences of the text, in order."""
    may_abbreviate = not _abbreviation_ends().isdisjoint(words.distinct)
    found = bounds(normal, may_abbreviate)
    return tuple([_sentence(normal, words, begin, end) for begin, end in found])


def bounds(normal: Normal, may_abbreviate: bool = True) -> list[tuple[int, int]]:
    """From where to where each sentence goes in the normalised text, without its closing mark.

    Where the caller knows that no word of the text ends an abbreviation, none is looked for.
    """
    text = normal.text
    begin = len(text) - len(text.lstrip())
    found = []
    for mark in _END.finditer(text):
        place, after = mark.span()
        if not mark.lastindex and _WIDE_MARKS.isdisjoint(mark.group()):
            continue
        if may_abbreviate and _is_abbreviation(normal.lower, place):
            continue
        found.append((begin, place))
        begin = after
    found.append((begin, len(text)))
    return [bound for bound in found if bound[0] < bound[1]]


def _sentence(normal: Normal, words: Words, begin: int, end: int) -> Sentence:
    """The sentence between two places, without the blanks at its end."""
    text = normal.text[begin:end].rstrip()
    start, stop = normal.span(begin, begin + len(text))
    is_short = len(text.split(None, 2)) < 3
    own = words.blanked[begin:end].split()
    return Sentence(text, start, stop, is_short, own, normal.text[end : end + 1])


def _is_abbreviation(lower: str, end: int) -> bool:
    """Whether the word that ends there, before a full stop and a blank, is one."""
    if lower[end] != "." or not lower[end + 1 : end + 2].isspace():
        return False
    before = lower[max(0, end - _LAST_WORD) : end].split()
    return bool(before) and before[-1].lstrip("([\"'") in _abbreviations()


@cache
def _abbreviations() -> frozenset[str]:
    lists = (lexicon("abbreviations.en"), lexicon("abbreviations.ar"))
    return frozenset(pattern.name for found in lists for pattern in found.patterns)


@cache
def _abbreviation_ends() -> frozenset[str]:
    """What the tokeniser makes of the abbreviations' last parts: "g" for "e.g"."""
    return frozenset(name.rpartition(".")[2] for name in _abbreviations())
