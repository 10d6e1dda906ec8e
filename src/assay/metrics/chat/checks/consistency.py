from collections.abc import Sequence

from assay.core import Result, metric
from assay.core.bounds import clamp
from assay.features.embeddings import Vectors
from assay.textproc.cosine import mean_cosine


def consistency_rule(embeddings: Sequence[Sequence[float]] | None) -> float | None:
    """The mean cosine over all pairs, clamped to 0–1; None with fewer than two vectors."""
    if embeddings is None or len(embeddings) < 2:
        return None
    return clamp(mean_cosine(embeddings))


@metric(
    id="chat.consistency",
    inputs=("responses",),
    range=(0.0, 1.0),
    polarity="higher",
    threshold=0.70,
    tags=("model",),
    formula=consistency_rule,
)
def consistency(responses_embeddings: Vectors) -> Result:
    """How similar several responses to the same query are.

        value = mean cosine over all pairs of `responses`,   clamped to 0–1

    Fewer than two responses have no value. The PyAI-Slayer guide also names a threshold of 0.6.

    Blind spots: responses that are wrong in the same way are consistent, and two that differ in one
    figure are almost identical.
    """
    value = consistency_rule(responses_embeddings)
    if value is None:
        return Result.missing("There is one response; two or more can be compared.")
    count = len(responses_embeddings)
    return Result(value, f"The mean similarity of {count} responses is {value:.2f}.")
