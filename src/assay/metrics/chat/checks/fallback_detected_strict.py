from assay.core import Result, metric
from assay.features import Hits


@metric(
    id="chat.fallback_detected_strict",
    inputs=("response",),
    range=(0.0, 1.0),
    polarity="lower",
    threshold=0.0,
    unit="bool",
    lexicons=("fallback.ar", "fallback.en"),
)
def fallback_detected_strict(response_hits: Hits) -> Result:
    """Whether the response is a message of the kind "sorry, please try again", in whole words.

        value = 1 when one of the phrases of `fallback.en` or `fallback.ar` is in the text, else 0

    An empty response scores 0.

    Blind spots: a response about an error is taken for a fallback, one in other words is not seen,
    and Arabic prefixes hide a phrase.
    """
    phrases = (*response_hits["fallback.ar"], *response_hits["fallback.en"])
    return Result(
        float(bool(phrases)), f"{len(phrases)} fallback phrases are in the response.", phrases
    )
