from collections.abc import Sequence

from assay.core import Document, Result, metric
from assay.features.contexts import context_spans, similarities
from assay.features.embeddings import Vectors
from assay.features.similarity import Vector


def coverage(
    doc_response_similarities: Sequence[float] | None, usage_threshold: float = 0.4
) -> float | None:
    """The share of documents that the response uses, in percent; None without documents."""
    if not doc_response_similarities:
        return None
    used = sum(similarity >= usage_threshold for similarity in doc_response_similarities)
    return 100.0 * used / len(doc_response_similarities)


@metric(
    id="chat.context_coverage",
    inputs=("response", "contexts"),
    range=(0.0, 100.0),
    polarity="higher",
    unit="%",
    tags=("model",),
    formula=coverage,
)
def context_coverage(
    response_embedding: Vector,
    contexts_embeddings: Vectors,
    contexts: tuple[Document, ...],
    *,
    usage_threshold: float = 0.4,
) -> Result:
    """How many of the contexts the response uses.

        value = contexts with similarity(context, response) ≥ usage_threshold / contexts · 100

    Without contexts there is no score. The PyAI-Slayer guide's target is 80.

    Blind spots: leaving out a useless context lowers the score, and a context on the same subject
    counts as used although nothing was taken from it. The default `usage_threshold` of 0.4 suits
    models whose similarities lie between 0 and 1.
    """
    scores = similarities(response_embedding, contexts_embeddings)
    unused = [place for place, similarity in enumerate(scores) if similarity < usage_threshold]
    return Result(
        coverage(scores, usage_threshold),
        f"The response uses {len(scores) - len(unused)} of {len(scores)} contexts.",
        context_spans(contexts, ((place, "not used") for place in unused)),
        {"similarities": scores},
    ).limited()
