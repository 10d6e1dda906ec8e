from collections.abc import Mapping

from assay.core import Result, metric, rule
from assay.data.json_options import DOCUMENTED, JsonOptions
from assay.features.json_results import combined, weighed_normalized


@rule("json.rqs_normalized")
def rqs_normalized_of(
    accuracy: float | None,
    completeness: float | None,
    safety_score: float | None,
    hallucination: float | None,
    w_accuracy: float = DOCUMENTED.w_accuracy,
    w_completeness: float = DOCUMENTED.w_completeness,
    w_hallucination: float = DOCUMENTED.w_hallucination,
    w_safety: float = DOCUMENTED.w_safety,
) -> float | None:
    """The weighted mean of three scores and of the share that was not invented."""
    return weighed_normalized(
        (accuracy, completeness, safety_score, hallucination),
        (w_accuracy, w_completeness, w_safety, w_hallucination),
    )


@metric(
    id="json.rqs_normalized",
    inputs=(),
    range=(0.0, 1.0),
    polarity="higher",
    threshold=0.5,
    tags=("model",),
)
def rqs_normalized(
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
    """The Response Quality Score on the whole scale: a perfect output has 1, the worst 0.

        value = (w_a·accuracy + w_c·completeness + w_s·safety + w_h·(1 − hallucination))
                / (w_a + w_c + w_s + w_h)

    The weights are those of `json.rqs`. When one of the four scores is absent there is no value.

    Blind spots: an output that says nothing has invented nothing, which counts in its favour.
    """
    return combined(scores, metrics, json_options, weighed_normalized)
