from assay.core import Result, metric
from assay.features import Hits


@metric(
    id="chat.fallback_detected",
    inputs=("response",),
    range=(0.0, 1.0),
    polarity="lower",
    threshold=0.0,
    unit="bool",
    lexicons=("fallback",),
)
def fallback_detected(response_hits: Hits) -> Result:
    """Whether the response is a message of the kind "sorry, please try again".

        value = 1 when the text contains a phrase of the guide, English or Arabic, else 0

    The phrases are found inside words too, by the letter of the rule. An empty response scores 0.

    Blind spots: "terror" holds "error"; `chat.fallback_detected_strict` asks for whole words. A
    response about errors is taken for one, and a fallback in other words is not seen.
    """
    phrases = response_hits["fallback"]
    return Result(
        float(bool(phrases)), f"{len(phrases)} fallback phrases are in the response.", phrases
    )
