"""The answer in other languages as vectors."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import NamedTuple

from assay.backends import Embedder, Vector
from assay.core import feature
from assay.features.normal import normal as normal_feature
from assay.textproc.cosine import cosine


class LanguageComparison(NamedTuple):
    """An answer in several languages, each compared with one of them."""

    base: str
    """The language that the others are compared with."""
    similarities: Mapping[str, float]
    """Other language → its similarity to the base."""

    @property
    def lowest(self) -> str:
        """The language that is least similar to the base."""
        return min(self.similarities, key=self.similarities.__getitem__)

    @property
    def lowest_similarity(self) -> float:
        """Its similarity."""
        return self.similarities[self.lowest]

    @property
    def explanation(self) -> str:
        """Both in one sentence."""
        least = f"{self.lowest_similarity:.2f}, that of {self.lowest!r}"
        return f"The least similarity to {self.base!r} is {least}."


def compare_languages(
    translations: Mapping[str, Vector] | None, response: Vector | None, language: str | None
) -> LanguageComparison | str:
    """Every language beside English, or the first one by its code; else why there is nothing."""
    texts = dict(translations or {})
    if not texts:
        return "The sample has no 'translations'."
    if response is not None:
        texts.setdefault(language or "und", response)
    if len(texts) < 2:
        return "There is one language; two or more can be compared."
    base = "en" if "en" in texts else min(texts)
    others = {code: cosine(texts[base], texts[code]) for code in sorted(texts) if code != base}
    return LanguageComparison(base, others)


@feature(is_batch=True)
def translations_embeddings(
    translations: list[Mapping[str, str]], embedder: Embedder
) -> list[dict[str, Vector]]:
    """The vector of each translation, by the language that it is in."""
    texts = [
        normal_feature.feature(text).text
        for translation in translations
        for text in translation.values()
    ]
    vectors = iter(embedder.embed(texts))
    return [
        dict(zip(translation, islice(vectors, len(translation)), strict=True))
        for translation in translations
    ]
