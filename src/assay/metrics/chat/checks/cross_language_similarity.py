from collections.abc import Mapping

from assay.core import Result, metric
from assay.features.similarity import Vector
from assay.features.translations import compare_languages


@metric(
    id="chat.cross_language_similarity",
    inputs=("translations",),
    range=(0.0, 1.0),
    polarity="higher",
    tags=("model",),
)
def cross_language_similarity(
    translations_embeddings: Mapping[str, Vector] | None,
    response_embedding: Vector | None,
    response_language: str | None,
) -> Result:
    """How similar the answer is in several languages.

        value = least similarity(English, other) over the other languages

    The number behind `chat.cross_language_consistency`, which says only whether it reaches a
    threshold; texts and languages are those of that metric.

    Blind spots: most embedders place two languages apart, so that a faithful translation stays
    below 1; a denial is almost as similar as the statement.
    """
    result = compare_languages(translations_embeddings, response_embedding, response_language)
    if isinstance(result, str):
        return Result.missing(result)
    return Result(
        result.lowest_similarity,
        result.explanation,
        details={"base": result.base, "similarities": result.similarities},
    )
