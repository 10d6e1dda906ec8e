"""The metrics `governance.dim.<name>`, made from the table of dimensions."""

from collections.abc import Mapping
from textwrap import wrap

from assay.core import Metric, Result, metric
from assay.data.dimensions import Dimension, dimensions
from assay.scoring.dimensions import PREFIX, dimension, dimension_score

_LEFT_OUT = (
    "A missing metric is left out, and so is an imputed one unless `include_imputed`; the details "
    "name them. A metric that failed makes the dimension fail, and without any score there is none."
)
_WIDTH = 96
"""Characters in a line of a page."""


def dimension_metrics() -> list[Metric]:
    """The metric of each dimension, in the order of the table."""
    return [dimension_metric(own) for own in dimensions()]


def dimension_metric(own: Dimension) -> Metric:
    """The metric of a dimension: the mean of its metrics."""

    def score(
        scores: Mapping[str, Result],
        *,
        metrics: tuple[str, ...] = own.metrics,
        include_imputed: bool = False,
    ) -> Result:
        return dimension(own.name, scores, include_imputed)

    score.__name__ = own.name
    score.__doc__ = _documentation(own)
    declare = metric(
        id=PREFIX + own.name,
        inputs=(),
        range=(0.0, 100.0),
        polarity="higher",
        tags=own.tags,
        formula=dimension_score,
    )
    return declare(score)


def _documentation(own: Dimension) -> str:
    """The metric's page."""
    formula = ["    value = 100 · mean of the metrics that have a score"]
    if own.zero:
        formula.append(f"    value = 0 {own.zero}")
    return "\n".join(
        [
            own.title,
            "",
            *formula,
            "",
            *wrap(f"{own.note} {_LEFT_OUT}".strip(), _WIDTH, break_on_hyphens=False),
            "",
            *wrap(f"Blind spots: {own.blind_spots}", _WIDTH, break_on_hyphens=False),
        ]
    )
