from collections.abc import Mapping

from assay.core import Result, metric, rule
from assay.data.json_options import DOCUMENTED, JsonOptions
from assay.features.json_results import combined, weighed


@rule("json.rqs")
def rqs_of(
    accuracy: float | None,
    completeness: float | None,
    safety_score: float | None,
    hallucination: float | None,
    w_accuracy: float = DOCUMENTED.w_accuracy,
    w_completeness: float = DOCUMENTED.w_completeness,
    w_hallucination: float = DOCUMENTED.w_hallucination,
    w_safety: float = DOCUMENTED.w_safety,
) -> float | None:
    """The weighted sum, hallucination against it, kept between 0 and 1."""
    return weighed(
        (accuracy, completeness, safety_score, hallucination),
        (w_accuracy, w_completeness, w_safety, w_hallucination),
    )


@metric(
    id="json.rqs",
    inputs=(),
    range=(0.0, 1.0),
    polarity="higher",
    threshold=0.5,
    tags=("model",),
)
def rqs(
    scores: Mapping[str, Result],
    json_options: JsonOptions,
    *,
    metrics: tuple[str, ...] = (
        "json.accuracy",
        "json.completeness",
        "json.safety_score",
        "json.hallucination",
    ),
) -> Result:
    """The Response Quality Score of an output: accurate, complete, safe and nothing invented.

        value = 0.45·accuracy + 0.25·completeness + 0.15·safety − 0.15·hallucination,
                kept between 0 and 1

    The weights are `w_accuracy`, `w_completeness`, `w_safety` and `w_hallucination` of the
    profile's table `[json]`. When one of the four scores is absent there is no value.

    Blind spots: with the documented weights a perfect output scores 0.85; `json.rqs_normalized`
    reaches 1. An empty output scores 0.60 and passes, because nothing compared counts as fully
    accurate: `details.vacuous` marks it, and the option `vacuous_accuracy` changes it.
    """
    return combined(scores, metrics, json_options, weighed)
