from assay.core import Result, metric
from assay.features.similarity import Vector, percent, similarity


@metric(
    id="chat.truthfulness",
    inputs=(),
    range=(0.0, 100.0),
    polarity="higher",
    version=2,
    unit="%",
    tags=("model", "proxy"),
)
def truthfulness(
    similarity_score: float | None,
    expected_embedding: Vector | None,
    response_embedding: Vector | None,
) -> Result:
    """How similar the response and the expected answer are, as a proxy for truth.

    A similarity proxy: the number of `chat.accuracy` and `chat.factual_consistency`, times 100.
    Never average them together.

        value = 100 · similarity(expected, response)

    The similarity is that of `chat.accuracy`, including a similarity given in the sample's
    metadata. The PyAI-Slayer guide's target is 90.

    Blind spots: nothing is compared with the world. A false expected answer makes a false response
    score high, and a denial is almost as similar as the statement.
    """
    score = similarity(similarity_score, expected_embedding, response_embedding)
    value = percent(score)
    if value is None:
        return Result.missing("The sample lacks the response or the expected answer.")
    return Result(value, f"Response and expected answer are {value:.0f} % alike.")
