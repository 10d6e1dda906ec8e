from collections.abc import Sequence

from assay.core import NO_THRESHOLD, Result, metric
from assay.features.similarity import Vector, similarity, wanted_relevance


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
    version=2,
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

    The threshold is 0.7; an embedder whose cosines lie on another scale brings its own. Where query
    or response holds Arabic, a similarity of the metadata is compared with 0.5, and a cosine has no
    verdict unless the embedder brings a threshold: with the default embedder 3 % of right Arabic
    passages reach 0.5. `min_similarity` and `min_similarity_arabic` win over all of these.

    Blind spots: a response that repeats the query scores 1, and a short right answer may score low.
    """
    value = similarity(relevance_similarity, query_embedding, response_embedding)
    own = similarity_threshold if relevance_similarity is None else None
    wanted = wanted_relevance(
        query,
        response,
        chosen=min_similarity,
        chosen_arabic=min_similarity_arabic,
        own=own,
        is_given=relevance_similarity is not None,
    )
    note = "; in Arabic that has no verdict without a threshold of your own"
    return Result(
        value,
        f"The similarity of query and response is {value:.2f}"
        f"{note if wanted == NO_THRESHOLD else ''}.",
        threshold=wanted,
    )
