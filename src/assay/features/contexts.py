"""Retrieved contexts against the other texts of a sample: words, named sources, similarities."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from statistics import fmean
from typing import NamedTuple

from assay.backends import Embedder, Vector
from assay.core import Document, Span, feature, text_feature
from assay.features.embeddings import Vectors
from assay.features.normal import normal as normal_feature
from assay.textproc.cosine import cosine
from assay.textproc.normal import Normal
from assay.textproc.plain_words import PlainWords, plain_text, split_plain

FIRST = 5
"""So many contexts, from the best ranked on, count for recall and precision at 5."""
SHOWN = 10
"""At most this many contexts are marked as evidence; the explanation counts all."""


@text_feature()
def plain_words(normal: Normal) -> PlainWords:
    """The words of the text in lower case, parted by blanks and by punctuation of any kind."""
    return split_plain(normal)


@feature()
def contexts_words(contexts: tuple[Document, ...]) -> frozenset[str]:
    """The words of all contexts together, as `plain_words` reads them."""
    texts = (normal_feature.feature(document.content).lower for document in contexts)
    return frozenset().union(*[plain_text(text).split() for text in texts])


class SourceMatch(NamedTuple):
    """Where an expected source was found among the first contexts."""

    context: int | None
    """The place of the best context; None when there is no context."""
    similarity: float
    """1 for a source that is named, else the cosine of source and context."""
    is_named: bool
    """Whether the context's id or source is equal to it, or its content holds it."""


@feature(is_batch=True)
def source_matches(
    expected_sources: list[tuple[str, ...]],
    contexts: list[tuple[Document, ...]],
    embedder: Embedder,
) -> list[tuple[SourceMatch, ...]]:
    """The best match of each expected source among the first five contexts.

    The embedder is asked about sources only that no context names.
    """
    rows = [_Row(own, docs) for own, docs in zip(expected_sources, contexts, strict=True)]
    texts = list(dict.fromkeys(text for row in rows for text in row.open_texts()))
    vectors = dict(zip(texts, embedder.embed(texts) if texts else (), strict=True))
    return [row.matches(vectors) for row in rows]


@feature(is_batch=True)
def previous_similarities(
    response: list[str], previous_responses: list[tuple[str, ...]], embedder: Embedder
) -> list[tuple[float, ...]]:
    """How alike the response and each of the last five earlier ones are.

    The embedder is asked only where there are earlier ones.
    """
    asked = [
        [_plain(text) for text in (own, *earlier[-FIRST:])] if earlier else []
        for own, earlier in zip(response, previous_responses, strict=True)
    ]
    texts = [text for found in asked for text in found]
    vectors = iter(embedder.embed(texts) if texts else ())
    return [_against_first(tuple(islice(vectors, len(found)))) for found in asked]


def similarities(text: Vector, contexts: Vectors) -> list[float]:
    """How alike a text and each context are."""
    return [cosine(text, context) for context in contexts]


def mean(values: Sequence[float]) -> float | None:
    """The mean; None without values."""
    return fmean(values) if values else None


def context_spans(
    contexts: Sequence[Document], labels: Iterable[tuple[int, str]]
) -> tuple[Span, ...]:
    """Whole contexts as evidence, by place and label; those without text have nothing to show."""
    spans = (
        Span(f"contexts[{place}]", 0, len(contexts[place].content), label)
        for place, label in labels
        if contexts[place].content
    )
    return tuple(islice(spans, SHOWN))


class _Row:
    """The expected sources of one sample, its first contexts, and who names whom."""

    def __init__(self, expected: Sequence[str], documents: Sequence[Document]) -> None:
        documents = documents[:FIRST]
        contents = [normal_feature.feature(document.content) for document in documents]
        self.sources = [normal_feature.feature(source) for source in expected]
        self.contents = [content.text for content in contents]
        names = [_names(document) for document in documents]
        spaced = [_spaced(content) for content in contents]
        self.named = [_first_named(source, names, spaced) for source in self.sources]

    def open_texts(self) -> list[str]:
        """What the embedder must see: sources that no context names, and the contexts."""
        sources = [
            s.text for s, place in zip(self.sources, self.named, strict=True) if place is None
        ]
        return [*sources, *self.contents] if sources and self.contents else []

    def matches(self, vectors: Mapping[str, Vector]) -> tuple[SourceMatch, ...]:
        """The match of each source."""
        return tuple(
            _closest(source.text, self.contents, vectors)
            if place is None
            else SourceMatch(place, 1.0, True)
            for source, place in zip(self.sources, self.named, strict=True)
        )


def _closest(source: str, contents: Sequence[str], vectors: Mapping[str, Vector]) -> SourceMatch:
    """The context that is most like a source."""
    found = [cosine(vectors[source], vectors[content]) for content in contents]
    best = max(found, default=0.0)
    return SourceMatch(found.index(best) if found else None, best, False)


def _first_named(
    source: Normal, names: Sequence[frozenset[str]], contents: Sequence[str]
) -> int | None:
    """The first context that is called like the source or holds it as whole words."""
    wanted, spaced = _key(source), _spaced(source)
    for place, (own, content) in enumerate(zip(names, contents, strict=True)):
        if wanted and (wanted in own or (spaced.strip() and spaced in content)):
            return place
    return None


def _names(document: Document) -> frozenset[str]:
    """What a context may be called: its id, its source, its file's name with and without ending."""
    source = _key(normal_feature.feature(document.source or ""))
    file_name = re.split(r"[/\\]", source)[-1]
    id = _key(normal_feature.feature(document.id or ""))
    return frozenset((id, source, file_name, file_name.rpartition(".")[0]))


def _key(name: Normal) -> str:
    return " ".join(name.lower.split())


def _plain(text: str) -> str:
    return str(normal_feature.feature(text).text)


def _spaced(text: Normal) -> str:
    """The words of a text with one blank around each, so that whole words can be looked for."""
    return f" {' '.join(plain_text(text.lower).split())} "


def _against_first(vectors: Vectors) -> tuple[float, ...]:
    return tuple(cosine(vectors[0], other) for other in vectors[1:])
