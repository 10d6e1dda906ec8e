from collections.abc import Sequence

from assay.core import Result, metric, rule
from assay.features.similarity import Vector, similarity, wanted_similarity
from assay.textproc.cosine import clamp, plain_cosine


@rule("chat.semantic_similarity")
def semantic_similarity_rule(
    embedding_a: Sequence[float] | None, embedding_b: Sequence[float] | None
) -> float | None:
    """The cosine of two vectors of any length, kept between 0 and 1; 0 where one is all zeros."""
    if embedding_a is None or embedding_b is None:
        return None
    return clamp(plain_cosine(embedding_a, embedding_b))


@metric(
    id="chat.semantic_similarity",
    inputs=("query", "response"),
    range=(0.0, 1.0),
    polarity="higher",
    threshold=0.70,
    tags=("model", "proxy"),
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
    """How alike query and response are in meaning.

        value = cosine(query, response),   kept between 0 and 1

    A text without content is like no other. A similarity in the sample's metadata stands in for the
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
