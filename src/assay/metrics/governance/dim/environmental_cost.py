from collections.abc import Mapping

from assay.core import Result, metric, rule
from assay.scoring.dimensions import dimension, percent_mean

score = rule("governance.dim.environmental_cost")(percent_mean)


@metric(
    id="governance.dim.environmental_cost",
    inputs=(),
    range=(0.0, 100.0),
    polarity="higher",
)
def environmental_cost(
    scores: Mapping[str, Result],
    *,
    metrics: tuple[str, ...] = (
        "governance.inference_cost",
        "governance.compute_intensity",
        "governance.energy_consumption",
        "governance.cost_efficiency",
    ),
    include_imputed: bool = False,
) -> Result:
    """How little the call took in money, compute and energy.

        value = 100 · mean of the metrics that have a score

    A missing metric is left out, and so is an imputed one unless `include_imputed`; the details
    name them. A metric that failed makes the dimension fail, and without any score there is none.

    Blind spots: three of its metrics follow from the same tokens, so that long answers pay three
    times; the figures of most models are estimates.
    """
    return dimension("environmental_cost", scores, include_imputed)
