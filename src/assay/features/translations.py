"""The answer in other languages as vectors."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

from assay.backends import Embedder, Vector
from assay.core import feature
from assay.features.normal import normal as normal_feature


@feature(is_batch=True)
def translations_embeddings(
    translations: list[Mapping[str, str]], embedder: Embedder
) -> list[dict[str, Vector]]:
    """The vector of each translation, by the language that it is in."""
    texts = [normal_feature.feature(text).text for found in translations for text in found.values()]
    vectors = iter(embedder.embed(texts))
    return [dict(zip(found, islice(vectors, len(found)), strict=True)) for found in translations]
