from collections.abc import Sequence

from assay.core import Result, metric, rule
from assay.features.embeddings import Vectors
from assay.textproc.cosine import clamp, mean_cosine


@rule("chat.consistency")
def consistency_rule(embeddings: Sequence[Sequence[float]] | None) -> float | None:
    """The mean cosine over all pairs, kept between 0 and 1; None with fewer than two vectors."""
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
)
def consistency(responses_embeddings: Vectors) -> Result:
    """How alike several responses to the same query are.

        value = mean cosine over all pairs of `responses`,   kept between 0 and 1

    Fewer than two responses have no value. The documented settings also name a threshold of 0.6.

    Blind spots: responses that are wrong in the same way are consistent, and two that differ in one
    figure are almost alike.
    """
    value = consistency_rule(responses_embeddings)
    if value is None:
        return Result.missing("There is one response; two or more can be compared.")
    count = len(responses_embeddings)
    return Result(value, f"The mean similarity of {count} responses is {value:.2f}.")
