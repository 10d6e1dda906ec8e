from collections.abc import Mapping

from assay.core import Result, metric
from assay.data.json_options import JsonOptions
from assay.scoring.json_results import RQS_PARTS, combined, weighed


@metric(
    id="json.rqs",
    inputs=(),
    range=(0.0, 1.0),
    polarity="higher",
    version=9,
    threshold=0.5,
    tags=("model",),
    formula=weighed,
)
def rqs(
    scores: Mapping[str, Result],
    json_options: JsonOptions,
    *,
    metrics: tuple[str, ...] = RQS_PARTS,
) -> Result:
    """The Response Quality Score of an output: accurate, complete, safe and nothing invented.

        value = 0.45·accuracy + 0.25·completeness + 0.15·safety − 0.15·hallucination,
                clamped to 0–1

    The weights are `w_accuracy`, `w_completeness`, `w_safety` and `w_hallucination` of the
    profile's table `[json]`. When one of the four scores is absent there is no value.

    Blind spots: with the default weights a perfect output scores 0.85; `json.rqs_normalized`
    reaches 1. An empty output scores 0.60 and passes, because nothing compared counts as fully
    accurate: `details.vacuous` marks it, and the option `vacuous_accuracy` changes it.
    """
    return combined(scores, metrics, json_options, weighed)
