from assay.core import Result, metric
from assay.features.similarity import Vector, percent
from assay.textproc.cosine import cosine


def gold_match(similarity: float | None) -> float | None:
    """A similarity in percent."""
    return percent(similarity)


@metric(
    id="chat.gold_context_match",
    inputs=("response", "gold_context"),
    range=(0.0, 100.0),
    polarity="higher",
    unit="%",
    tags=("model",),
    formula=gold_match,
)
def gold_context_match(response_embedding: Vector, gold_context_embedding: Vector) -> Result:
    """How similar the response and the gold context are.

        value = similarity(gold context, response) · 100

    Without a gold context there is no score. The PyAI-Slayer guide's target is 85.

    Blind spots: a short right answer out of a long context scores low, and a response that says the
    opposite in the same words scores high.
    """
    value = gold_match(cosine(response_embedding, gold_context_embedding))
    return Result(value, f"The similarity of response and gold context is {value:.1f} %.")
