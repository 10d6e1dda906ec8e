"""The names of documents: which contexts the response names in its own text.

A document goes by its source and by its id. Names are compared without folder, ending and case,
with underscores as blanks: `docs/Budget_2023.pdf` is "budget 2023".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from assay.core import Document, Span, feature
from assay.features.normal import normal as normal_feature
from assay.textproc.normal import Normal
from assay.textproc.plain_words import in_word

MIN_NAME = 3
"""Shorter names are not looked for in the text, nor are plain numbers."""
MAX_NAME = 200
"""Nor are longer ones: they are texts, not names."""
MAX_SAID = 40
"""An explanation says this much of a name."""
MAX_MENTIONS = 100
"""At most this many places of one name are listed."""
_ENDING = re.compile(r"\.(?:[a-z][a-z0-9]{1,4}|[0-9][a-z][a-z0-9]{0,3})\Z")
"""The ending of a file's name: ".pdf", ".mp3", ".7z"; the "2" of "v1.2" is none."""
_FOLDER = re.compile(r"[/\\]")
_SITE = re.compile(r"[a-z][a-z0-9+.-]*://")


class DocumentName(NamedTuple):
    """A document that the response names."""

    key: str
    """Its name, as `document_key` gives it."""
    contexts: tuple[int, ...]
    """The places of the contexts that are parts of it."""
    spans: tuple[Span, ...]
    """Where the response names it, by source or by id; at least one."""

    @property
    def wording(self) -> str:
        """Its name for an explanation: short, and without what cannot be printed."""
        return "".join(char for char in self.key[:MAX_SAID] if char.isprintable())


DocumentNames = tuple[DocumentName, ...]


class _Name(NamedTuple):
    """One name of a document, in the form in which names are compared."""

    key: str
    ending: str
    """What was taken off it: ".pdf"."""


def without_place(name: str) -> str:
    """A cited name without the page, section or paragraph behind it."""
    return _PLACE.sub("", name)


_PLACE = re.compile(
    r"(?<![\s,(])[\s,(]*+\b(?:pages?|pp?\.?|sections?|para(?:graph)?s?)\s*\d.*", re.DOTALL
)
"""A place inside a document, and all behind it."""


def document_key(name: str) -> str:
    """A document's name in the form in which names are compared.

    Lower case, without folder and ending, underscores as blanks; empty for a name of neither.
    """
    return _parts(name).key


def document_keys(contexts: Sequence[Document]) -> dict[str, tuple[int, ...]]:
    """Every name of every context → the places of the contexts so called."""
    by_key: dict[str, list[int]] = {}
    for place, context in enumerate(contexts):
        for key in dict.fromkeys(map(document_key, _names(context))):
            by_key.setdefault(key, []).append(place)
    return {key: tuple(places) for key, places in by_key.items() if key}


@feature()
def response_document_names(
    response_normal: Normal, contexts: tuple[Document, ...]
) -> DocumentNames:
    """The documents that the response names as whole words, in the order of the contexts.

    Contexts of one source are one document, and a document that is named by source and by id
    counts once.
    """
    places: dict[str, list[int]] = {}
    names: dict[str, set[_Name]] = {}
    for place, context in enumerate(contexts):
        own = [name for name in map(_parts, _names(context)) if name.key]
        if own:
            places.setdefault(own[0].key, []).append(place)
            names.setdefault(own[0].key, set()).update(own)
    spaced = _spaced(response_normal.lower)
    mentions = (
        (key, _mentions(response_normal, [name for name in own if name.key in spaced]))
        for key, own in names.items()
    )
    return tuple(DocumentName(key, tuple(places[key]), spans) for key, spans in mentions if spans)


def _names(context: Document) -> tuple[str, ...]:
    """What a context is called, the source first."""
    return tuple(name for name in (context.source, context.id) if name)


def _parts(name: str) -> _Name:
    """The key of a name, and the ending that was taken off it."""
    text = normal_feature.feature(name).lower.strip()
    if site := _SITE.match(text):
        text = re.split(r"[?#]", text[site.end() :], maxsplit=1)[0]
    file_name = _FOLDER.split(text.rstrip("/\\"))[-1]
    is_host = bool(site) and file_name == text.rstrip("/\\")
    ending = None if is_host else _ENDING.search(file_name)
    stem = file_name[: ending.start()] if ending and ending.start() else file_name
    return _Name(_spaced(stem), file_name[len(stem) :])


def _spaced(lower: str) -> str:
    """The text with one blank for each run of blanks and underscores."""
    return " ".join(lower.replace("_", " ").split())


def _mentions(text: Normal, names: Iterable[_Name]) -> tuple[Span, ...]:
    """Where any of the names stands, in order; where names overlap, the first and longest."""
    places = {place for name in names for place in _places(text.lower, name)}
    apart: list[tuple[int, int]] = []
    for start, end in sorted(places, key=lambda place: (place[0], -place[1])):
        if not apart or start >= apart[-1][1]:
            apart.append((start, end))
    return tuple(Span("response", *text.span(*place), "document name") for place in apart)


def _places(lower: str, name: _Name) -> Iterator[tuple[int, int]]:
    """Where a name stands as whole words, blanks or underscores between them, with its ending."""
    if not MIN_NAME <= len(name.key) <= MAX_NAME or name.key.isdecimal():
        return
    stem = r"[\s_]+".join(map(re.escape, name.key.split()))
    pattern = re.compile(f"{stem}(?:{re.escape(name.ending)})?")
    for match in islice(pattern.finditer(lower), MAX_MENTIONS):
        start, end = match.span()
        around = lower[max(0, start - 1) : start] + lower[end : end + 1]
        if not any(map(in_word, around)):
            yield start, end
