from collections.abc import Sequence

from assay.core import Result, metric
from assay.features.similarity import Vector, similarity, wanted_similarity


def semantic_similarity_rule(
    embedding_a: Sequence[float] | None, embedding_b: Sequence[float] | None
) -> float | None:
    """The cosine of two vectors of any length, clamped to 0–1; 0 where one is all zeros."""
    return similarity(None, embedding_a, embedding_b)


@metric(
    id="chat.semantic_similarity",
    inputs=("query", "response"),
    range=(0.0, 1.0),
    polarity="higher",
    threshold=0.70,
    tags=("model", "proxy"),
    formula=semantic_similarity_rule,
)
def semantic_similarity(
    query: str,
    response: str,
    relevance_similarity: float | None,
    query_embedding: Vector,
    response_embedding: Vector,
    similarity_threshold: float | None,
    *,
    min_similarity: float | None = None,
    min_similarity_arabic: float | None = None,
) -> Result:
    """How similar query and response are in meaning.

        value = cosine(query, response),   clamped to 0–1

    A text without content is like no other. A similarity in the sample's metadata replaces the
    cosine when `similarity_pair` beside it is "query/response".

    The threshold is 0.7, and 0.5 where query or response holds Arabic; an embedder whose cosines
    lie on another scale brings its own. `min_similarity` and `min_similarity_arabic` win over both.

    Blind spots: a response that repeats the query scores 1, and a short right answer may score low.
    """
    value = similarity(relevance_similarity, query_embedding, response_embedding)
    own = similarity_threshold if relevance_similarity is None else None
    return Result(
        value,
        f"The similarity of query and response is {value:.2f}.",
        threshold=wanted_similarity(
            query, response, chosen=min_similarity, chosen_arabic=min_similarity_arabic, own=own
        ),
    )
