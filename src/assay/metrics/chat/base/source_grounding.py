from assay.core import Result, metric
from assay.features.similarity import Vector, percent, similarity


@metric(
    id="chat.source_grounding",
    inputs=(),
    range=(0.0, 100.0),
    polarity="higher",
    version=2,
    unit="%",
    tags=("model", "proxy"),
)
def source_grounding(
    relevance_similarity: float | None,
    query_embedding: Vector | None,
    similarity_score: float | None,
    expected_embedding: Vector | None,
    response_embedding: Vector | None,
) -> Result:
    """How similar the response and its query are, as a proxy for grounding in sources.

    A similarity proxy: no source is looked at. `chat.citation_support` and the retrieval metrics
    look at contexts.

        value = 100 · similarity(query, response), else 100 · similarity(expected, response)

    A similarity in the sample's metadata replaces the cosine of its pair: `similarity_pair` beside
    it, "expected/response" unless given. The PyAI-Slayer guide's target is 85.

    Blind spots: a response that repeats the query scores high, however little it rests on.
    """
    pair = "query"
    score = similarity(relevance_similarity, query_embedding, response_embedding)
    if score is None:
        pair = "expected answer"
        score = similarity(similarity_score, expected_embedding, response_embedding)
    value = percent(score)
    if value is None:
        return Result.missing("The sample lacks the response, or a query or expected answer.")
    return Result(value, f"Response and {pair} are {value:.0f} % alike.", details={"pair": pair})
