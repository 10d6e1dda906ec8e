from collections.abc import Sequence

from assay.core import Result, Span, metric
from assay.features.contexts import mean
from assay.features.similarity import percent
from assay.scoring.validity import validity

LAST = 5
"""So many earlier responses count, the latest."""


def stability(
    previous_similarities: Sequence[float] | None = None, response: str | None = None
) -> float | None:
    """The mean similarity to the last five earlier responses in percent, else the checks' share."""
    if previous_similarities:
        return percent(mean(previous_similarities[-LAST:]))
    return None if response is None else validity(response).percent


@metric(
    id="chat.output_stability",
    inputs=("response",),
    range=(0.0, 100.0),
    polarity="higher",
    unit="%",
    tags=("model",),
    formula=stability,
)
def output_stability(
    response: str, previous_responses: tuple[str, ...], previous_similarities: Sequence[float]
) -> Result:
    """How similar the response and earlier ones to the same query are.

        value = mean similarity(response, previous) · 100 over the last five previous responses

    Without previous responses the documents take the share of the checks of `chat.output_validity`
    that hold, which says nothing about stability: that value is marked as imputed, and no model is
    asked. The PyAI-Slayer guide's target is 90.

    Blind spots: a system that is always wrong in the same words is perfectly stable, and answers
    that differ in one figure are alike.
    """
    value = stability(previous_similarities, response)
    assert value is not None
    if not previous_similarities:
        return Result.imputed(value, f"There are no previous responses, but {validity(response)}.")
    first = len(previous_responses) - len(previous_similarities)
    least = min(range(len(previous_similarities)), key=previous_similarities.__getitem__)
    least_like = previous_responses[first + least]
    return Result(
        value,
        f"The mean similarity to {len(previous_similarities)} previous responses is {value:.1f} %.",
        (Span(f"previous_responses[{first + least}]", 0, len(least_like), "least alike"),)
        if least_like and least_like != response
        else (),
        {"similarities": list(previous_similarities)},
    )
