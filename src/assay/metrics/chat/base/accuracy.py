from assay.core import Result, metric
from assay.features.similarity import Vector, similarity, wanted_similarity


@metric(
    id="chat.accuracy",
    inputs=(),
    range=(0.0, 1.0),
    polarity="higher",
    version=2,
    threshold=0.70,
    tags=("model", "proxy"),
)
def accuracy(
    query: str | None,
    response: str | None,
    similarity_score: float | None,
    expected_embedding: Vector | None,
    response_embedding: Vector | None,
    similarity_threshold: float | None,
    *,
    min_similarity: float | None = None,
    min_similarity_arabic: float | None = None,
) -> Result:
    """How similar the response and the expected answer are in meaning.

    A similarity proxy: the same number as `chat.factual_consistency` and `chat.truthfulness`.

        value = cosine(expected, response),   clamped to 0–1

    A similarity in the sample's metadata as `similarity_score` replaces the cosine. It is ignored
    when `similarity_pair` beside it names another pair than "expected/response", because tools also
    write the similarity of query and response there. Without either, and without a response or an
    expected answer, there is no value.

    The threshold is 0.7, and 0.5 where query or response holds Arabic; an embedder whose cosines
    lie on another scale brings its own. `min_similarity` and `min_similarity_arabic` win over both.

    Blind spots: similarity is not correctness. "The door is open" and "the door is not open" are
    very similar, and a right answer in other words may score low.
    """
    value = similarity(similarity_score, expected_embedding, response_embedding)
    if value is None:
        return Result.missing("The sample lacks the response or the expected answer.")
    own = similarity_threshold if similarity_score is None else None
    return Result(
        value,
        f"The similarity of response and expected answer is {value:.2f}.",
        threshold=wanted_similarity(
            query, response, chosen=min_similarity, chosen_arabic=min_similarity_arabic, own=own
        ),
    )
