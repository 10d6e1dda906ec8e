"""The files that a response cites as its sources, and whether they are among the documents."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from assay.core import Document, Span, feature
from assay.features.document_names import document_key, document_keys, without_place
from assay.features.hits import by_lexicon
from assay.features.normal import normal as normal_feature
from assay.textproc.normal import Normal
from assay.textproc.patterns import matcher

FORMS = "gov_cited_files.en"
"""The patterns of a citation."""
MAX_CITED = 200
"""At most this many citations are looked at."""
_FILE = re.compile(r"\.[a-z][a-z0-9]{1,4}\Z")


class CitedFile(NamedTuple):
    """A citation, and what it names."""

    span: Span
    name: str
    """As written, in lower case."""
    is_known: bool
    """Whether it is one of the documents."""


@feature(data=(f"patterns/{FORMS}.toml",))
def response_cited_files(
    response_normal: Normal, contexts: tuple[Document, ...]
) -> tuple[CitedFile, ...]:
    """The files that the response cites, in order."""
    spans = _citations(response_normal)
    return _files(response_normal, spans, document_keys(contexts)) if spans else ()


def cited_files(response: Normal, keys: Collection[str]) -> tuple[CitedFile, ...]:
    """The files that a text cites; `keys` are the documents' names as `document_key` gives them."""
    return _files(response, _citations(response), keys)


def _citations(response: Normal) -> tuple[Span, ...]:
    return by_lexicon(matcher(frozenset((FORMS,))), response, "response")[FORMS]


def _files(response: Normal, spans: Sequence[Span], keys: Collection[str]) -> tuple[CitedFile, ...]:
    cited = (
        CitedFile(span, name, is_known)
        for span in spans
        for name, is_known in _named(span, response.original, keys)
    )
    return tuple(islice(cited, MAX_CITED))


def _named(span: Span, text: str, keys: Collection[str]) -> Iterator[tuple[str, bool]]:
    """What one citation names, and whether that is a document."""
    wording = normal_feature.feature(text[span.start : span.end]).lower
    if span.label.startswith(("[", "(")):
        for name in _parts(wording[1:-1].partition(":")[2]):
            yield name, document_key(name) in keys
        return
    words = wording.split()[2:]  # behind "according to", "as per"
    tails = [" ".join(words[place:]) for place in range(len(words))]
    known = next((tail for tail in tails if document_key(tail) in keys), None)
    yield known or tails[-1], known is not None


def _parts(inner: str) -> Sequence[str]:
    """The names in "a.pdf, page 3; b.pdf": the first of each part, and whatever is a file's."""
    names: list[str] = []
    for part in inner.split(";"):
        pieces = [without_place(piece).strip(" \t\r\n\"'") for piece in part.split(",")]
        names += [p for place, p in enumerate(pieces) if p and (not place or _FILE.search(p))]
    return names
