from collections.abc import Sequence

from assay.core import Document, Result, metric
from assay.features.contexts import context_spans, mean, similarities
from assay.features.embeddings import Vectors
from assay.features.similarity import Vector, percent


def relevance(doc_response_similarities: Sequence[float] | None) -> float | None:
    """The mean similarity of documents and response, in percent; None without documents."""
    return percent(mean(doc_response_similarities or ()))


@metric(
    id="chat.context_relevance",
    inputs=("response", "contexts"),
    range=(0.0, 100.0),
    polarity="higher",
    unit="%",
    tags=("model",),
    formula=relevance,
)
def context_relevance(
    response_embedding: Vector, contexts_embeddings: Vectors, contexts: tuple[Document, ...]
) -> Result:
    """How similar the contexts and the response are, on average.

        value = mean similarity(context, response) · 100

    Despite its name it compares the contexts with the response, not with the query; for the query
    see `chat.reranker_score`. Without contexts there is no score. The PyAI-Slayer guide's target is
    80.

    Blind spots: a response that copies the contexts scores highest, whatever was asked; many
    contexts of which one is used score low.
    """
    scores = similarities(response_embedding, contexts_embeddings)
    value = relevance(scores)
    return Result(
        value,
        f"The {len(scores)} contexts have a mean similarity of {value:.1f} % to the response.",
        context_spans(contexts, ((n, f"similarity {s:.2f}") for n, s in enumerate(scores))),
        {"similarities": scores},
    ).limited()
