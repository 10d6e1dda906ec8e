"""Texts as vectors: one for each text field, several for fields that hold several texts.

Texts are embedded in their normalised form: vowel marks and stretched letters, which lead models
for Arabic astray, are gone from it. The embedder sees each distinct text once a run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assay.backends import Embedder, Vector
from assay.core import Document, ModelError, feature, text_feature
from assay.features.normal import normal as normal_feature
from assay.textproc.normal import Normal

Vectors = tuple[Vector, ...]


@text_feature(is_batch=True)
def embedding(normal: list[Normal], embedder: Embedder) -> Sequence[Vector]:
    """The vector of the text."""
    return embedder.embed([text.text for text in normal])


@feature(is_batch=True)
def contexts_embeddings(contexts: list[tuple[Document, ...]], embedder: Embedder) -> list[Vectors]:
    """The vector of each context."""
    return _embed(
        [[document.content for document in documents] for documents in contexts], embedder
    )


@feature(is_batch=True)
def expected_sources_embeddings(
    expected_sources: list[tuple[str, ...]], embedder: Embedder
) -> list[Vectors]:
    """The vector of each expected source."""
    return _embed(expected_sources, embedder)


@feature(is_batch=True)
def known_facts_embeddings(known_facts: list[tuple[str, ...]], embedder: Embedder) -> list[Vectors]:
    """The vector of each known fact."""
    return _embed(known_facts, embedder)


@feature(is_batch=True)
def candidates_embeddings(candidates: list[tuple[str, ...]], embedder: Embedder) -> list[Vectors]:
    """The vector of each candidate answer."""
    return _embed(candidates, embedder)


@feature(is_batch=True)
def responses_embeddings(responses: list[tuple[str, ...]], embedder: Embedder) -> list[Vectors]:
    """The vector of each answer to the same query."""
    return _embed(responses, embedder)


@feature(is_batch=True)
def previous_responses_embeddings(
    previous_responses: list[tuple[str, ...]], embedder: Embedder
) -> list[Vectors]:
    """The vector of each earlier answer."""
    return _embed(previous_responses, embedder)


@feature(is_batch=True)
def translations_embeddings(
    translations: list[Mapping[str, str]], embedder: Embedder
) -> list[dict[str, Vector] | ModelError]:
    """The vector of each translation, by language."""
    vectors = _embed([list(texts.values()) for texts in translations], embedder)
    return [
        own if isinstance(own, ModelError) else dict(zip(texts, own, strict=True))
        for texts, own in zip(translations, vectors, strict=True)
    ]


def _embed(lists: Sequence[Sequence[str]], embedder: Embedder) -> list[Any]:
    """The vectors of lists of texts, all asked for at once.

    A list with a text that the model cannot read gives the model's error instead.
    """
    texts = [normal_feature.feature(text).text for own_texts in lists for text in own_texts]
    vectors: Any = iter(embedder.embed(texts))
    answers = [tuple(next(vectors) for _ in own_texts) for own_texts in lists]
    return [next((v for v in own if isinstance(v, ModelError)), own) for own in answers]
