from collections.abc import Sequence

from assay.core import Document, Result, metric
from assay.core.bounds import clamp
from assay.features.contexts import context_spans, mean, similarities
from assay.features.embeddings import Vectors
from assay.features.similarity import Vector


def rerank(query_doc_similarities: Sequence[float] | None) -> float | None:
    """The mean similarity of query and documents; None without documents."""
    mean_similarity = mean(query_doc_similarities or ())
    return None if mean_similarity is None else clamp(mean_similarity)


@metric(
    id="chat.reranker_score",
    inputs=("query", "contexts"),
    range=(0.0, 1.0),
    polarity="higher",
    tags=("model",),
    formula=rerank,
)
def reranker_score(
    query_embedding: Vector, contexts_embeddings: Vectors, contexts: tuple[Document, ...]
) -> Result:
    """How similar the query and the contexts are, on average.

        value = mean similarity(query, context)

    Despite its name nothing is reranked: it is what `chat.context_relevance` seems to be, the
    contexts against the query. Without contexts there is no score. The PyAI-Slayer guide calls more
    than 0.8 good and 0.6 to 0.8 a warning.

    Blind spots: similar is not the same as useful, and many contexts of which one answers the query
    score low.
    """
    scores = similarities(query_embedding, contexts_embeddings)
    value = rerank(scores)
    return Result(
        value,
        f"The {len(scores)} contexts have a mean similarity of {value:.3f} to the query.",
        context_spans(contexts, ((n, f"similarity {s:.2f}") for n, s in enumerate(scores))),
        {"similarities": scores},
    ).limited()
