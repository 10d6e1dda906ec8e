from collections.abc import Sequence

from assay.core import Document, Result, metric
from assay.features.contexts import FIRST, context_spans, similarities
from assay.features.embeddings import Vectors
from assay.features.similarity import Vector


def precision(
    doc_similarities: Sequence[float] | None, relevance_threshold: float = 0.5
) -> float | None:
    """The share of relevant documents among the first five, in percent; None without documents."""
    first = (doc_similarities or ())[:FIRST]
    if not first:
        return None
    return 100.0 * sum(similarity >= relevance_threshold for similarity in first) / len(first)


@metric(
    id="chat.retrieval_precision_5",
    inputs=("query", "contexts"),
    range=(0.0, 100.0),
    polarity="higher",
    unit="%",
    tags=("model",),
    formula=precision,
)
def retrieval_precision_5(
    query_embedding: Vector,
    contexts_embeddings: Vectors,
    contexts: tuple[Document, ...],
    *,
    relevance_threshold: float = 0.5,
) -> Result:
    """How many of the first five contexts are relevant to the query.

        value = relevant contexts among contexts[:5] / min(contexts, 5) · 100

    A context is relevant when its similarity to the query is at least `relevance_threshold`.
    Without contexts there is no score. The PyAI-Slayer guide's target is 85.

    Blind spots: a context that repeats the question is relevant, one that answers it in other words
    may not be. The threshold suits models whose similarities lie between 0 and 1; some never fall
    below 0.7, and then every context is relevant.
    """
    scores = similarities(query_embedding, contexts_embeddings[:FIRST])
    off = [place for place, similarity in enumerate(scores) if similarity < relevance_threshold]
    return Result(
        precision(scores, relevance_threshold),
        f"{len(scores) - len(off)} of the first {len(scores)} contexts are relevant to the query.",
        context_spans(contexts, ((place, "not relevant") for place in off)),
        {"similarities": scores},
    ).limited()
