"""What a text cites, and which of its sentences rests on the citation.

A citation is a mark in square brackets, `[1]`, `[2, 3]` or `[WHO report]`, or the name of a context
(its source or id) in the text itself. It belongs to the sentence that it stands in or right behind;
at the very beginning, to the first one.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import NamedTuple

from assay.core import Document, Span, feature
from assay.core.recurrence import recurrence_cache
from assay.features.normal import normal as normal_feature
from assay.features.sentences import ABBREVIATIONS, bounds
from assay.textproc.normal import Normal
from assay.textproc.words import blank

MAX_CITATIONS = 500
"""At most this many citations of one text are looked at."""
MIN_NAME = 3
"""Shorter names of contexts are not looked for in the text itself."""
MARK = re.compile(r"[\[【]([^\[\]【】\n]{1,80})[\]】](\([^()\s]*\))?")
"""A mark in brackets and, where it is a Markdown link, the link's target."""
_PART = re.compile(r"[^,;]+")


class Citation(NamedTuple):
    """One citation, the context that it names, and the words that rest on it."""

    span: Span
    context: int | None
    """The index of the context; None where there is no such context."""
    words: list[str]


Citations = tuple[Citation, ...]


class _Mark(NamedTuple):
    """A citation as it stands in the normalised text."""

    start: int
    end: int
    context: int | None


@feature(data=ABBREVIATIONS)
def response_citations(response_normal: Normal, contexts: tuple[Document, ...]) -> Citations:
    """The citations of the response, in order."""
    names = context_names(contexts)
    bracketed = list(_bracketed(response_normal.text, names, len(contexts)))
    plain = _blanked(response_normal, bracketed)
    marks = sorted([*bracketed, *_named(plain.lower, names)])[:MAX_CITATIONS]
    if not marks:
        return ()
    sentence_bounds = bounds(plain)
    return tuple(
        Citation(
            Span("response", *response_normal.span(mark.start, mark.end), "citation"),
            mark.context,
            _cited(plain, sentence_bounds, mark.start),
        )
        for mark in marks
    )


def context_names(contexts: Sequence[Document]) -> dict[str, int]:
    """Ids and sources of the contexts → the index of the first that has them."""
    places: dict[str, int] = {}
    for index, context in enumerate(contexts):
        for name in (context.id, context.source):
            if name and (key := name_key(name)):
                places.setdefault(key, index)
    return places


@recurrence_cache(recent=256, recurring=1024)
def name_key(name: str) -> str:
    """A name as names are compared: normalised, in lower case, with one blank between words."""
    return " ".join(normal_feature.feature(name).lower.split())


def _bracketed(text: str, names: dict[str, int], count: int) -> Iterator[_Mark]:
    """The citations in square brackets; a Markdown link counts only where it names a context."""
    for mark in MARK.finditer(text):
        for part in _PART.finditer(mark[1]):
            key = name_key(part.group())
            context = names.get(key)
            if context is None and key.isdecimal() and len(key) < 9 and 0 < int(key) <= count:
                context = int(key) - 1
            if any(map(str.isalnum, key)) and (context is not None or not mark[2]):
                begin = mark.start(1)
                yield _Mark(begin + part.start(), begin + part.end(), context)


def _blanked(normal: Normal, marks: list[_Mark]) -> Normal:
    """The normalised text with blanks for brackets, so that "wet.[1] Then" parts in two."""
    if not marks:
        return normal
    pieces, done = [], 0
    for mark in MARK.finditer(normal.text):
        pieces += [normal.text[done : mark.start()], " " * (mark.end() - mark.start())]
        done = mark.end()
    blanked = "".join([*pieces, normal.text[done:]])
    return Normal(blanked, blanked, array("I"), array("I"))


def _named(lower: str, names: dict[str, int]) -> Iterator[_Mark]:
    """The names of contexts in the text itself, as whole words."""
    for name, context in names.items():
        if len(name) < MIN_NAME or name.isdecimal():
            continue
        start = lower.find(name)
        for _ in range(MAX_CITATIONS):
            if start < 0:
                break
            end = start + len(name)
            if not _joins(lower[start - 1 : start], name[0]) and not _joins(
                name[-1], lower[end : end + 1]
            ):
                yield _Mark(start, end, context)
            start = lower.find(name, end)


def _joins(before: str, after: str) -> bool:
    """Whether two neighbouring characters belong to one word."""
    return before.isalnum() and after.isalnum()


def _cited(text: Normal, sentences: list[tuple[int, int]], place: int) -> list[str]:
    """The words of the sentence that a citation at that place belongs to."""
    if not sentences:
        return []
    index = bisect_right(sentences, place, key=itemgetter(0)) - 1
    begin, end = sentences[max(0, index)]
    return blank(text.lower[begin:end]).split()
