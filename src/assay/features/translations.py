"""Texts of several languages as vectors: translated into English where a translator is there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

from assay.backends import Embedder, Translator, Vector
from assay.core import UsageError, feature, text_feature
from assay.features.normal import normal as normal_feature
from assay.textproc.normal import Normal


@text_feature(is_batch=True)
def english_embedding(
    normal: list[Normal], language: list[str], embedder: Embedder, translator: Translator
) -> Sequence[Vector]:
    """The vector of the text in English."""
    return embedder.embed(_in_english([text.text for text in normal], language, translator))


@feature(is_batch=True)
def translations_english_embeddings(
    translations: list[Mapping[str, str]], embedder: Embedder, translator: Translator
) -> list[dict[str, Vector]]:
    """The vector of each translation in English, by the language that it is in."""
    codes = [code for found in translations for code in found]
    texts = [normal_feature.feature(text).text for found in translations for text in found.values()]
    vectors = iter(embedder.embed(_in_english(texts, codes, translator)))
    return [dict(zip(found, islice(vectors, len(found)), strict=True)) for found in translations]


def _in_english(
    texts: Sequence[str], codes: Sequence[str], translator: Translator
) -> Sequence[str]:
    """The texts in English; as they are where no translator is configured."""
    try:
        translate = translator.translate
    except UsageError:
        return texts
    translated = list(texts)
    for code in sorted(set(codes) - {"en", "und"}):
        own = [index for index, found in enumerate(codes) if found == code]
        answers = translate([texts[index] for index in own], code, "en")
        for index, text in zip(own, answers, strict=True):
            translated[index] = text
    return translated
