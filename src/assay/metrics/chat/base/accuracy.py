from assay.core import Result, metric, rule
from assay.features.similarity import Vector, similarity, wanted_similarity
from assay.textproc.cosine import clamp


@rule("chat.accuracy")
def accuracy_rule(similarity_score: float | None) -> float | None:
    """The similarity itself."""
    return None if similarity_score is None else clamp(similarity_score)


@metric(
    id="chat.accuracy",
    inputs=(),
    range=(0.0, 1.0),
    polarity="higher",
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
    """How alike the response and the expected answer are in meaning.

    A proxy of similarity: the same number as `chat.factual_consistency` and `chat.truthfulness`.

        value = cosine(expected, response),   kept between 0 and 1

    A similarity that the sample brings along in its metadata as `similarity_score` stands in for
    the cosine when `similarity_pair` beside it is "expected/response"; otherwise it is ignored,
    because tools also write the similarity of query and response there. Without either, and
    without a response or an expected answer, there is no value.

    The threshold is 0.7, and 0.5 where query or response holds Arabic; an embedder whose cosines
    lie on another scale brings its own. `min_similarity` and `min_similarity_arabic` win over both.

    Blind spots: similarity is no correctness. "The door is open" and "the door is not open" are
    much alike, and a right answer in other words may score low.
    """
    found = similarity(similarity_score, expected_embedding, response_embedding)
    value = accuracy_rule(found)
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
