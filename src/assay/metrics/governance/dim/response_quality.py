from collections.abc import Mapping

from assay.core import Result, metric, rule
from assay.scoring.dimensions import dimension, percent_mean

score = rule("governance.dim.response_quality")(percent_mean)


@metric(
    id="governance.dim.response_quality",
    inputs=(),
    range=(0.0, 100.0),
    polarity="higher",
    tags=("model",),
)
def response_quality(
    scores: Mapping[str, Result],
    *,
    metrics: tuple[str, ...] = (
        "governance.accuracy",
        "governance.completeness",
        "governance.relevance",
        "governance.f1_score",
    ),
    include_imputed: bool = False,
) -> Result:
    """How right, complete and relevant the response is.

        value = 100 · mean of the metrics that have a score

    A missing metric is left out, and so is an imputed one unless `include_imputed`; the details
    name them. A metric that failed makes the dimension fail, and without any score there is none.

    Blind spots: `governance.f1_score` is made of two of the others, so that these count twice.
    """
    return dimension("response_quality", scores, include_imputed)
