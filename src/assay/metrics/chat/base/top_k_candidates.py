from assay.core import Result, metric
from assay.features import Normal
from assay.features.embeddings import Vectors
from assay.features.normal import normal
from assay.features.similarity import Vector
from assay.textproc.cosine import cosine


def top_k_candidates_rule(
    similarities: list[float] | None, k: int = 5, min_similarity: float = 0.8
) -> float | None:
    """Whether one of the first k similarities reaches the least one."""
    if not similarities:
        return None
    return float(any(similarity >= min_similarity for similarity in similarities[:k]))


@metric(
    id="chat.top_k_candidates",
    inputs=("candidates", "expected"),
    range=(0.0, 1.0),
    polarity="higher",
    tags=("model",),
    formula=top_k_candidates_rule,
)
def top_k_candidates(
    candidates: tuple[str, ...],
    expected_normal: Normal,
    candidates_embeddings: Vectors,
    expected_embedding: Vector,
    *,
    k: int = 5,
    min_similarity: float = 0.8,
) -> Result:
    """Whether the expected answer is among the first candidates.

        value = 1 when one of the first k candidates equals the expected answer, ignoring case,
                or is alike it (cosine ≥ min_similarity), else 0

    Candidates are in the system's order, best first.

    Blind spots: the place among the first k does not matter (the details name it), and a candidate
    that denies the expected answer may be alike it.
    """
    wanted = expected_normal.lower.strip()
    similarities = [
        1.0 if normal.feature(text).lower.strip() == wanted else cosine(vector, expected_embedding)
        for text, vector in zip(candidates, candidates_embeddings, strict=True)
    ]
    value = top_k_candidates_rule(similarities, k, min_similarity)
    matched = [
        rank for rank, similarity in enumerate(similarities, 1) if similarity >= min_similarity
    ]
    first = matched[0] if matched else None
    position = f"is candidate {first}" if first else "is none of the candidates"
    return Result(
        value,
        f"The expected answer {position}; the first {k} of {len(candidates)} count.",
        details={"rank": first, "similarities": similarities},
    )
