from assay.core import Result, metric
from assay.core.bounds import clamp
from assay.features import similarity as compare


def top_k_accuracy_rule(similarity: float | None, k_threshold: float = 0.8) -> float | None:
    """1 from the threshold on, and in proportion below it."""
    if similarity is None:
        return None
    return 1.0 if similarity >= k_threshold else clamp(similarity / k_threshold)


@metric(
    id="chat.top_k_accuracy",
    inputs=(),
    range=(0.0, 1.0),
    polarity="higher",
    version=2,
    tags=("model", "proxy"),
    aliases=(
        "chat.normalized_similarity",
        "chat.normalized_similarity_score",
        "normalized_similarity_score",
    ),
    formula=top_k_accuracy_rule,
)
def top_k_accuracy(
    similarity_score: float | None,
    expected_embedding: compare.Vector | None,
    response_embedding: compare.Vector | None,
    *,
    k_threshold: float = 0.8,
) -> Result:
    """How close the similarity of response and expected answer comes to a threshold.

    There is no top k in it, as its own document notes: it is a normalised similarity, and goes by
    that name too. `chat.top_k_candidates` looks at candidates.

        value = 1 when similarity ≥ k_threshold, else similarity / k_threshold

    The similarity is that of `chat.accuracy`, including a similarity given in the sample's
    metadata.

    Blind spots: those of a similarity; and everything above the threshold is the same.
    """
    score = compare.similarity(similarity_score, expected_embedding, response_embedding)
    value = top_k_accuracy_rule(score, k_threshold)
    if value is None:
        return Result.missing("The sample lacks the response or the expected answer.")
    return Result(
        value,
        f"The similarity of response and expected answer is {score:.2f}, of {k_threshold} wanted.",
        details={"similarity": score},
    )
