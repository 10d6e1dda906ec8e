from collections.abc import Mapping

from assay.core import Result, metric, rule
from assay.scoring.dimensions import dimension, percent_mean

score = rule("governance.dim.bias_fairness")(percent_mean)


@metric(
    id="governance.dim.bias_fairness",
    inputs=(),
    range=(0.0, 100.0),
    polarity="higher",
)
def bias_fairness(
    scores: Mapping[str, Result],
    *,
    metrics: tuple[str, ...] = (
        "governance.statistical_parity",
        "governance.equal_opportunity",
        "governance.disparate_impact",
        "governance.average_odds_difference",
    ),
    include_imputed: bool = False,
) -> Result:
    """How free the response is of prejudice, and how even its substance.

        value = 100 · mean of the metrics that have a score

    A missing metric is left out, and so is an imputed one unless `include_imputed`; the details
    name them. A metric that failed makes the dimension fail, and without any score there is none.

    Blind spots: its metrics bear the names of group-fairness measures but read one text and no
    groups; whether a system treats groups alike can be shown only by comparing its answers to many
    people.
    """
    return dimension("bias_fairness", scores, include_imputed)
