from collections.abc import Mapping

from assay.core import Result, metric, rule
from assay.scoring.dimensions import dimension, percent_mean

score = rule("governance.dim.explainability")(percent_mean)


@metric(
    id="governance.dim.explainability",
    inputs=(),
    range=(0.0, 100.0),
    polarity="higher",
)
def explainability(
    scores: Mapping[str, Result],
    *,
    metrics: tuple[str, ...] = (
        "governance.source_citation_score",
        "governance.response_clarity",
        "governance.reasoning_transparency",
        "governance.confidence_indicator",
    ),
    include_imputed: bool = False,
) -> Result:
    """How well a reader can follow where the response comes from and how it reasons.

        value = 100 · mean of the metrics that have a score

    A missing metric is left out, and so is an imputed one unless `include_imputed`; the details
    name them. A metric that failed makes the dimension fail, and without any score there is none.

    Blind spots: it counts the forms of citation and reasoning; whether a citation is right is for
    `governance.citation_integrity`, whether the reasoning is sound for nobody here.
    """
    return dimension("explainability", scores, include_imputed)
