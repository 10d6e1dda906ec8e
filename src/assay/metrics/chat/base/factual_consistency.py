from assay.core import Result, metric
from assay.features.similarity import Vector, percent, similarity


@metric(
    id="chat.factual_consistency",
    inputs=(),
    range=(0.0, 100.0),
    polarity="higher",
    version=2,
    unit="%",
    tags=("model", "proxy"),
)
def factual_consistency(
    similarity_score: float | None,
    expected_embedding: Vector | None,
    response_embedding: Vector | None,
) -> Result:
    """How similar the response and the expected answer are, as a proxy for factual agreement.

    A similarity proxy: the number of `chat.accuracy` and `chat.truthfulness`, times 100. Never
    average them together.

        value = 100 · similarity(expected, response)

    The similarity is that of `chat.accuracy`, including a similarity given in the sample's
    metadata. The PyAI-Slayer guide's target is 90.

    Blind spots: no fact is checked. A response that changes one figure stays almost as similar.
    """
    score = similarity(similarity_score, expected_embedding, response_embedding)
    value = percent(score)
    if value is None:
        return Result.missing("The sample lacks the response or the expected answer.")
    return Result(value, f"Response and expected answer are {value:.0f} % alike.")
