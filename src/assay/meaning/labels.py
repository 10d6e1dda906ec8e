"""What stands under which label of a list: "Light: a small bag. Classic: also a cabin bag"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from assay.data.meaning import meaning_words
from assay.meaning.claim_difference import ClaimDifference
from assay.meaning.figures import Figure
from assay.meaning.reading import TextReading, read
from assay.meaning.word_coverage import alike, light_keys
from assay.meaning.words import Word

MOST_WORDS = 40
"""Longer statements are not compared."""
REMEMBERED = 512
"""So many sentences are kept with their entries."""
_LABEL = re.compile(
    r"(?:^|(?<=[:;]))[ ]?(?:[-*•][ ])?([^\W\d_][^\s:;,.!?]{0,30}(?:[ ][^\s:;,.!?]{1,30}){0,3})"
    r"(?::|[ ][–—-])(?=[ ])"
)
"""Up to four words at the beginning, or behind a mark that ends an entry."""


class Entry(NamedTuple):
    """A label and what stands behind it."""

    label: frozenset[str]
    """The keys of its words."""
    is_denied: bool
    """Whether the label says no: "Not included"."""
    said: TextReading
    source: TextReading
    """The sentence that it is part of."""


def labelled(
    claim: TextReading, sentences: Sequence[TextReading]
) -> ClaimDifference | Literal[True] | None:
    """Whether a statement that names one label of a list says what stands under it.

    A difference is a word or figure that stands under another label alone, where both labels are
    about things of one kind: the entries have words or units in common. None where the list does
    not tell.
    """
    if claim.denies or len(claim.words) > MOST_WORDS:
        return None
    entries = [entry for one in sentences for entry in entries_of(one)]
    named = [one for one in entries if not one.is_denied and _is_named(one, claim, entries)]
    if len({entry.label for entry in named}) != 1:
        return None
    own = [*(entry.said for entry in named), *(one for one in sentences if not entries_of(one))]
    rivals = [entry for entry in entries if any(_is_rival(entry, one, claim) for one in named)]
    other = _other_figure(claim, own, rivals) or _other_word(claim, named[0], own, rivals)
    return other or _is_said(claim, named) or None


def _is_named(entry: Entry, claim: TextReading, entries: Sequence[Entry]) -> bool:
    """Whether a statement has all words of a label, or a name that only this one has."""
    if entry.label <= claim.keys:
        return True
    own = entry.label.difference(*[other.label for other in entries if other.label != entry.label])
    return any(key in claim.names for key in own)


def _is_rival(entry: Entry, named: Entry, claim: TextReading) -> bool:
    """Whether another label is about things of the same kind: with a word or a unit in common."""
    if entry.label == named.label:
        return entry.is_denied
    own = entry.label - named.label  # "Basic plan" and "Team plan" have a word in common
    if entry.is_denied or not own or not own.isdisjoint(claim.keys):
        return False
    is_alike = not entry.said.content.keys().isdisjoint(named.said.content)
    return is_alike or not _units(entry).isdisjoint(_units(named))


def _units(entry: Entry) -> frozenset[str]:
    return frozenset(f.unit.dimension for f in entry.said.figures if f.unit.dimension)


def _is_said(claim: TextReading, named: Sequence[Entry]) -> bool:
    """Whether an entry has all figures of the statement, and all words where it has none."""
    figures = [figure for figure in claim.stated_figures if not figure.is_word]
    for entry in named:
        if not all(any(_is_same(one, two) for two in entry.said.figures) for one in figures):
            continue
        wanted = claim.content.keys() - entry.label
        if figures or (wanted and all(_stands(entry.said.keys, key) for key in wanted)):
            return True
    return False


def _is_same(figure: Figure, other: Figure) -> bool:
    """Whether two figures say the same; "9 to 5" are neither 9 euros nor 5 GB."""
    return figure.equals(other) and bool(figure.unit.dimension or not other.unit.dimension)


def _stands(keys: frozenset[str], key: str) -> bool:
    """Whether a key or a like one is among others."""
    return key in keys or alike(key, keys) > 0


@lru_cache(maxsize=REMEMBERED)
def entries_of(sentence: TextReading) -> tuple[Entry, ...]:
    """The labels of a sentence with what stands behind each; one for a heading is left out."""
    if ":" not in sentence.text and " –" not in sentence.text and " -" not in sentence.text:
        return ()
    labels = list(_LABEL.finditer(sentence.text))
    if not labels:
        return ()
    ends = [label.start() for label in labels[1:]] + [len(sentence.text)]
    result = []
    for label, end in zip(labels, ends, strict=True):
        own, said = read(label[1]), sentence.text[label.end() : end].strip()
        if own.content and said:
            result.append(Entry(frozenset(own.content), own.denies, read(said), sentence))
    return tuple(result)


def _other_figure(
    claim: TextReading, own: Sequence[TextReading], rivals: Sequence[Entry]
) -> ClaimDifference | None:
    """A figure of the statement that stands under another label alone."""
    for figure in claim.stated_figures:
        if figure.is_word or (figure.kind == "number" and not figure.unit.dimension):
            continue
        if any(figure.equals(other) for one in own for other in one.figures):
            continue
        for entry in rivals:
            if any(map(figure.equals, entry.said.figures)):
                return _difference(claim, figure.start, figure.end, entry)
    return None


def _other_word(
    claim: TextReading,
    named: Entry,
    own: Sequence[TextReading],
    rivals: Sequence[Entry],
) -> ClaimDifference | None:
    """A word of the statement that stands under another label alone."""
    keys = frozenset().union(*[one.keys for one in own])
    prepositions = meaning_words().lists["prepositions"]
    for key, word in claim.content.items():
        is_free = key in named.label or key in light_keys() or word.text in prepositions
        if is_free or key in keys:
            continue
        for entry in rivals:
            # a like word tells nothing where it stands under both labels
            if key in entry.said.content and not alike(key, keys - entry.said.keys):
                return _difference(claim, word.start, _end(claim, word, entry), entry)
    return None


def _end(claim: TextReading, word: Word, entry: Entry) -> int:
    """Where the words end that the statement and an entry have in common from one on."""
    end = word.end
    for other in claim.words:
        if other.start > end and claim.text[end : other.start].isspace():
            if other.key not in entry.said.content:
                break
            end = other.end
    return end


def _difference(claim: TextReading, start: int, end: int, entry: Entry) -> ClaimDifference:
    spans = (start, end, 0, len(entry.source.text))
    return ClaimDifference("binding", claim.quote(start, end), entry.source.text, *spans)
