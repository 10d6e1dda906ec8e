from collections.abc import Mapping

from assay.core import Result, metric
from assay.features.similarity import Vector
from assay.features.translations import compare_languages


def cross_language_consistency_rule(
    similarity: float | None, threshold: float = 0.7
) -> bool | None:
    """Whether a similarity reaches its threshold."""
    return None if similarity is None else similarity >= threshold


@metric(
    id="chat.cross_language_consistency",
    inputs=("translations",),
    range=(0.0, 1.0),
    polarity="higher",
    threshold=1.0,
    unit="bool",
    tags=("model",),
    formula=cross_language_consistency_rule,
)
def cross_language_consistency(
    translations_embeddings: Mapping[str, Vector] | None,
    response_embedding: Vector | None,
    response_language: str | None,
    *,
    min_similarity: float = 0.7,
) -> Result:
    """Whether the answer says the same in several languages.

        value = 1 when similarity(English, other) ≥ min_similarity for every other language, else 0

    The texts are `translations` and, in a language that is not among them, the response; they are
    compared as they are, so the embedder must read their languages. Without an English text, the
    first language in order of its code stands in for it. An empty text is like no other; fewer than
    two languages have no value. `chat.cross_language_similarity` gives the similarity itself.

    Blind spots: most embedders place two languages apart, so a faithful translation may fail; a
    denial is almost as similar as the statement.
    """
    result = compare_languages(translations_embeddings, response_embedding, response_language)
    if isinstance(result, str):
        return Result.missing(result)
    verdict = cross_language_consistency_rule(result.lowest_similarity, min_similarity)
    return Result(
        float(bool(verdict)),
        result.explanation,
        details={
            "is_consistent": verdict,
            "similarity": result.lowest_similarity,
            "similarities": result.similarities,
            "threshold": min_similarity,
        },
    )
