from collections.abc import Mapping

from assay.core import Result, metric, rule
from assay.scoring.dimensions import dimension, percent_mean

score = rule("governance.dim.human_control")(percent_mean)


@metric(
    id="governance.dim.human_control",
    inputs=(),
    range=(0.0, 100.0),
    polarity="higher",
)
def human_control(
    scores: Mapping[str, Result],
    *,
    metrics: tuple[str, ...] = (
        "governance.escalation_path",
        "governance.appeal_information",
        "governance.decision_transparency",
        "governance.override_capability",
    ),
    include_imputed: bool = False,
) -> Result:
    """How well the response leaves decisions to people.

        value = 100 · mean of the metrics that have a score

    A missing metric is left out, and so is an imputed one unless `include_imputed`; the details
    name them. A metric that failed makes the dimension fail, and without any score there is none.

    Blind spots: it reads what the response says about contacts, appeals and review, not whether
    anybody answers.
    """
    return dimension("human_control", scores, include_imputed)
