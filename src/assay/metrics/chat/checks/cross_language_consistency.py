from collections.abc import Mapping

from assay.core import Result, metric
from assay.features.similarity import Vector
from assay.textproc.cosine import cosine


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
    two languages have no value.

    Blind spots: most embedders place two languages apart, so a faithful translation may fail; a
    denial is almost as similar as the statement.
    """
    texts = dict(translations_embeddings or {})
    if not texts:
        return Result.missing("The sample has no 'translations'.")
    if response_embedding is not None:
        texts.setdefault(response_language or "und", response_embedding)
    if len(texts) < 2:
        return Result.missing("There is one language; two or more can be compared.")
    base = "en" if "en" in texts else min(texts)
    similarities = {
        code: cosine(texts[base], texts[code]) for code in sorted(texts) if code != base
    }
    lowest = min(similarities, key=similarities.__getitem__)
    verdict = cross_language_consistency_rule(similarities[lowest], min_similarity)
    return Result(
        float(bool(verdict)),
        f"The least similarity to {base!r} is {similarities[lowest]:.2f}, that of {lowest!r}.",
        details={
            "is_consistent": verdict,
            "similarity": similarities[lowest],
            "similarities": similarities,
            "threshold": min_similarity,
        },
    )
