from collections.abc import Mapping
from typing import Any

from assay.core import Result, metric
from assay.features.embeddings import Vectors
from assay.features.similarity import Vector
from assay.textproc.cosine import cosine


def hallucination_detected_rule(
    fact_similarities: Mapping[str, float] | None, threshold: float = 0.3
) -> dict[str, Any]:
    """The facts whose similarity lies below the threshold, and whether there is one."""
    unlike = [
        fact for fact, similarity in (fact_similarities or {}).items() if similarity < threshold
    ]
    return {"has_hallucination": bool(unlike), "conflicting_facts": unlike}


@metric(
    id="chat.hallucination_detected",
    inputs=("response",),
    range=(0.0, 1.0),
    polarity="lower",
    threshold=0.0,
    unit="bool",
    tags=("model", "proxy"),
    formula=hallucination_detected_rule,
)
def hallucination_detected(
    known_facts: tuple[str, ...],
    known_facts_embeddings: Vectors,
    response_embedding: Vector,
    *,
    min_similarity: float = 0.3,
) -> Result:
    """Whether the response is dissimilar to one of the known facts.

        value = 1 when similarity(response, fact) < min_similarity for any known fact, else 0

    The details name those facts: `conflicting_facts` in the words of the document, and
    `unsupported_facts`, which is what they are. Without known facts the documented substitute 0 is
    given, marked as imputed.

    Blind spots: a fact that the response does not mention is unlike it, so any omission counts as a
    hallucination; `chat.hallucination_rate` looks at the best fact. A fact with one wrong word in
    it is still alike.
    """
    similarities = {
        fact: cosine(response_embedding, vector)
        for fact, vector in zip(known_facts, known_facts_embeddings, strict=True)
    }
    is_detected = hallucination_detected_rule(similarities, min_similarity)
    unlike = is_detected["conflicting_facts"]
    explanation = f"{len(unlike)} of {len(similarities)} known facts are unlike the response."
    return Result(
        float(is_detected["has_hallucination"]),
        explanation if similarities else "There are no known facts to compare with.",
        details={**is_detected, "unsupported_facts": unlike, "fact_similarities": similarities},
        state="ok" if similarities else "imputed",
    )
