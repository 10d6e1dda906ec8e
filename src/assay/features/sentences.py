"""The sentences of a text.

A full stop, question or exclamation mark ends a sentence when a blank or the end follows, so
"3.14" and "example.com" stay whole; an abbreviation's full stop does not, and that of "a.m." or
"etc." only where no small letter and no digit follows. Arabic marks count, and East Asian ones need
no blank. The number or bullet of a list is no sentence; what stands before it ends there.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from assay.core.metric import text_feature
from assay.data import lexicon
from assay.textproc.lines import line_matches
from assay.textproc.normal import Normal
from assay.textproc.words import Words

_END = re.compile(r"""[.!?؟۔。！？]+["')\]]*(\s+|\Z)?""")
_ASCII_END = re.compile(r"""[.!?]+["')\]]*(\s+|\Z)?""")
"""What `_END` finds in ASCII, at a fourth of the cost."""
_WIDE_MARKS = frozenset("。！？")
_MARKS = frozenset(".!?؟۔。！？")
_ITEM = re.compile(
    r"^[ \t]*+(?:"
    r"(?:[*_#>]++[ \t]*+)?(?:\(?\d{1,3}[.)]|\(?[a-z]\)|[-•–])[*_]*+[ \t]+"
    r"|[*_#>]++[ \t]++\*[*_]*+[ \t]+"
    r"|(?:[_#>]*+\*)++_*+[ \t]+)",
    re.MULTILINE | re.IGNORECASE,
)
"""What a list puts before an item: "1.", "(2)", "a)", "-", also in bold."""
_LAST_WORD = 12
"""No abbreviation is longer than this."""
ABBREVIATIONS = (
    "lexicons/abbreviations.ar.txt",
    "lexicons/abbreviations.en.txt",
    "lexicons/closing_abbreviations.en.txt",
)
"""What decides where sentences end."""


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
    is_item: bool
    """Whether it begins an item of a list."""


Sentences = tuple[Sentence, ...]


@text_feature(version=3, data=ABBREVIATIONS)
def sentences(normal: Normal, words: Words) -> Sentences:
    """The sentences of the text, in order."""
    may_abbreviate = not _abbreviation_ends().isdisjoint(words.distinct)
    limits: list[Sentence] = []
    begin, is_item = 0, False
    for mark in line_matches(_ITEM, normal.text):
        limits += _part(normal, words, begin, mark.start(), may_abbreviate, is_item)
        begin, is_item = mark.end(), True
    limits += _part(normal, words, begin, len(normal.text), may_abbreviate, is_item)
    return tuple(limits)


def bounds(
    normal: Normal, may_abbreviate: bool = True, start: int = 0, stop: int | None = None
) -> list[tuple[int, int]]:
    """From where to where each sentence goes in the normalised text, without its closing mark.

    Where the caller knows that no word of the text ends an abbreviation, none is looked for. Lists
    are not looked at; `start` and `stop` are the part of the text to read.
    """
    text = normal.text
    stop = len(text) if stop is None else stop
    begin = stop - len(text[start:stop].lstrip())
    limits = []
    pattern = _ASCII_END if text.isascii() else _END
    for mark in pattern.finditer(text, begin, stop):
        place, after = mark.span()
        if not mark.lastindex and _WIDE_MARKS.isdisjoint(mark.group()):
            continue
        if may_abbreviate and _is_abbreviation(normal, place, after):
            continue
        limits.append((begin, place))
        begin = after
    limits.append((begin, stop))
    return [bound for bound in limits if bound[0] < bound[1]]


def _part(
    normal: Normal, words: Words, start: int, stop: int, may_abbreviate: bool, is_item: bool
) -> list[Sentence]:
    """The sentences of an item, or of the text before the first one."""
    result = bounds(normal, may_abbreviate, start, stop)
    return [
        _sentence(normal, words, begin, end, is_item and place == 0)
        for place, (begin, end) in enumerate(result)
    ]


def _sentence(normal: Normal, words: Words, begin: int, end: int, is_item: bool) -> Sentence:
    """The sentence between two places, without the blanks at its end."""
    text = normal.text[begin:end].rstrip()
    start, stop = normal.span(begin, begin + len(text))
    is_short = len(text.split(None, 2)) < 3
    own = words.blanked[begin:end].split()
    return Sentence(text, start, stop, is_short, own, _mark(normal.text, end), is_item)


def _mark(text: str, end: int) -> str:
    """The closing mark that stands there; empty where the sentence ends without one."""
    mark = text[end : end + 1]
    return mark if mark in _MARKS else ""


def _is_abbreviation(text: Normal, end: int, after: int) -> bool:
    """Whether the word that ends there, before a full stop and a blank, is one.

    `after` is where the text goes on.
    """
    if text.text[end] != "." or not text.text[end + 1 : end + 2].isspace():
        return False
    before = text.lower[max(0, end - _LAST_WORD) : end].rsplit(None, 1)
    if not before:
        return False
    word = before[-1].lstrip("([\"'")
    if word in _abbreviations():
        return True
    following = text.text[after : after + 1]
    return word in _closing() and (following.islower() or following.isdigit())


@cache
def _abbreviations() -> frozenset[str]:
    return _listed("abbreviations.en") | _listed("abbreviations.ar")


@cache
def _closing() -> frozenset[str]:
    return _listed("closing_abbreviations.en")


def _listed(name: str) -> frozenset[str]:
    return frozenset(pattern.name for pattern in lexicon(name).patterns)


@cache
def _abbreviation_ends() -> frozenset[str]:
    """What the tokeniser makes of the abbreviations' last parts: "g" for "e.g"."""
    return frozenset(name.rpartition(".")[2] for name in _abbreviations() | _closing())
