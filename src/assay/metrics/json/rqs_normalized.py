from collections.abc import Mapping

from assay.core import Result, metric
from assay.data.json_options import JsonOptions
from assay.scoring.json_results import RQS_PARTS, combined, weighed_normalized


@metric(
    id="json.rqs_normalized",
    inputs=(),
    range=(0.0, 1.0),
    polarity="higher",
    version=9,
    threshold=0.5,
    tags=("model",),
    formula=weighed_normalized,
)
def rqs_normalized(
    scores: Mapping[str, Result],
    json_options: JsonOptions,
    *,
    metrics: tuple[str, ...] = RQS_PARTS,
) -> Result:
    """The Response Quality Score rescaled: a perfect output gets 1, the worst 0.

        value = (w_a·accuracy + w_c·completeness + w_s·safety + w_h·(1 − hallucination))
                / (w_a + w_c + w_s + w_h)

    The weights are those of `json.rqs`. When one of the four scores is absent there is no value.

    Blind spots: an output that says nothing has invented nothing, which counts in its favour.
    """
    return combined(scores, metrics, json_options, weighed_normalized)
