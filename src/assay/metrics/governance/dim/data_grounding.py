from collections.abc import Mapping

from assay.core import Result, metric, rule
from assay.scoring.dimensions import dimension, percent_mean

score = rule("governance.dim.data_grounding")(percent_mean)


@metric(
    id="governance.dim.data_grounding",
    inputs=(),
    range=(0.0, 100.0),
    polarity="higher",
    tags=("model",),
)
def data_grounding(
    scores: Mapping[str, Result],
    *,
    metrics: tuple[str, ...] = (
        "governance.groundedness",
        "governance.source_coverage",
        "governance.hallucination_rate",
        "governance.psi_drift",
    ),
    include_imputed: bool = False,
) -> Result:
    """How far the response rests on the documents that it was given.

        value = 100 · mean of the metrics that have a score

    A missing metric is left out, and so is an imputed one unless `include_imputed`; the details
    name them. A metric that failed makes the dimension fail, and without any score there is none.

    Blind spots: a document can be wrong; what is supported is not thereby true, and what is true
    may stand in no document.
    """
    return dimension("data_grounding", scores, include_imputed)
