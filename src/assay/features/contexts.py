"""Retrieved contexts against the other texts of a sample: words and similarities."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from statistics import fmean

from assay.backends import Embedder, Vector
from assay.core import Document, Span, feature, text_feature
from assay.core.recurrence import recurrence_cache
from assay.features.embeddings import Vectors
from assay.features.normal import normal as normal_feature
from assay.textproc.cosine import cosine
from assay.textproc.normal import Normal
from assay.textproc.plain_words import PlainWords, plain_text, split_plain

FIRST = 5
"""This many contexts, from the best ranked on, count for recall and precision at 5."""


@text_feature()
def plain_words(normal: Normal) -> PlainWords:
    """The words of the text in lower case, parted by blanks and by punctuation of any kind."""
    return split_plain(normal.lower)


@feature()
def contexts_words(contexts: tuple[Document, ...]) -> frozenset[str]:
    """The words of all contexts together, as `plain_words` reads them."""
    return frozenset().union(*[_context_words(document.content) for document in contexts])


@recurrence_cache(recent=32, recurring=256)
def _context_words(content: str) -> Sequence[str]:
    return plain_text(normal_feature.feature(content).lower).split()


@feature(is_batch=True)
def previous_similarities(
    response: list[str], previous_responses: list[tuple[str, ...]], embedder: Embedder
) -> list[tuple[float, ...]]:
    """How alike the response and each of the last five earlier ones are.

    The embedder is asked only where there are earlier ones.
    """
    texts_by_sample = [
        [_plain(text) for text in (own, *earlier[-FIRST:])] if earlier else []
        for own, earlier in zip(response, previous_responses, strict=True)
    ]
    texts = [text for own_texts in texts_by_sample for text in own_texts]
    vectors = iter(embedder.embed(texts) if texts else ())
    return [_against_first(tuple(islice(vectors, len(own_texts)))) for own_texts in texts_by_sample]


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
    return tuple(
        Span(f"contexts[{place}]", 0, len(contexts[place].content), label)
        for place, label in labels
        if contexts[place].content
    )


def _plain(text: str) -> str:
    return str(normal_feature.feature(text).text)


def _against_first(vectors: Vectors) -> tuple[float, ...]:
    return tuple(cosine(vectors[0], other) for other in vectors[1:])
