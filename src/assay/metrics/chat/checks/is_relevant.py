from assay.core import NO_THRESHOLD, Result, metric
from assay.features import similarity as compare


def is_relevant_rule(
    query: str | None = None,
    response: str | None = None,
    similarity: float | None = None,
    threshold: float | None = None,
) -> bool | None:
    """Whether a similarity reaches its threshold, by default that of the texts' script."""
    if similarity is None:
        return None
    if threshold is None:
        threshold = compare.wanted_similarity(query, response)
    return similarity >= threshold


@metric(
    id="chat.is_relevant",
    inputs=("query", "response"),
    range=(0.0, 1.0),
    polarity="higher",
    threshold=1.0,
    version=2,
    unit="bool",
    tags=("model", "proxy"),
    formula=is_relevant_rule,
)
def is_relevant(
    query: str,
    response: str,
    relevance_similarity: float | None,
    query_embedding: compare.Vector,
    response_embedding: compare.Vector,
    similarity_threshold: float | None,
    *,
    min_similarity: float | None = None,
    min_similarity_arabic: float | None = None,
) -> Result:
    """Whether query and response are similar enough in meaning.

        value = 1 when similarity(query, response) ≥ min_similarity, else 0

    min_similarity is 0.7 unless given; an embedder whose cosines lie on another scale brings its
    own. Where query or response holds Arabic, min_similarity_arabic counts instead: 0.5 for a
    similarity of the metadata; for a cosine there is no value unless you or the embedder give a
    threshold. The similarity is that of `chat.semantic_similarity`.

    Blind spots: relevance is taken for similarity, so a response that repeats the query is
    relevant, and a short right answer may not be.
    """
    score = compare.similarity(relevance_similarity, query_embedding, response_embedding)
    wanted = compare.wanted_relevance(
        query,
        response,
        chosen=min_similarity,
        chosen_arabic=min_similarity_arabic,
        own=similarity_threshold if relevance_similarity is None else None,
        is_given=relevance_similarity is not None,
    )
    if wanted == NO_THRESHOLD:
        return Result.missing(
            f"The similarity of query and response is {score:.2f}; for Arabic no threshold is "
            "known for the embedder, and 'min_similarity_arabic' is not set."
        )
    verdict = is_relevant_rule(query, response, score, wanted)
    return Result(
        float(bool(verdict)),
        f"The similarity of query and response is {score:.2f}, of {wanted} wanted.",
        details={"is_relevant": verdict, "similarity": score, "threshold": wanted},
    )
