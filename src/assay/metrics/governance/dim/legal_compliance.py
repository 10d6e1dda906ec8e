from collections.abc import Iterable, Mapping

from assay.core import Result, metric, rule
from assay.scoring.dimensions import dimension, is_forced, percent_mean


@rule("governance.dim.legal_compliance")
def score(
    metric_scores: Iterable[float | None] | None,
    section_8_violated: bool | None = False,
    properly_refused: bool | None = False,
) -> float | None:
    """The mean of the metrics times 100; 0 when an exempt matter was answered."""
    return percent_mean(metric_scores, is_forced(section_8_violated, properly_refused))


@metric(
    id="governance.dim.legal_compliance",
    inputs=(),
    range=(0.0, 100.0),
    polarity="higher",
)
def legal_compliance(
    scores: Mapping[str, Result],
    *,
    metrics: tuple[str, ...] = (
        "governance.section_8_compliance",
        "governance.citation_format",
        "governance.administrative_tone",
        "governance.pii_protection",
        "governance.source_attribution",
        "governance.citation_integrity",
    ),
    include_imputed: bool = False,
) -> Result:
    """How far the response keeps to the law and the forms of the policy in force.

        value = 100 · mean of the metrics that have a score
        value = 0 where the policy's exemption was violated and the response does not refuse

    The policy pack says which metric forces the dimension to 0 (in the RTI pack,
    `governance.section_8_compliance`); the explanation then names the clause. A missing metric is
    left out, and so is an imputed one unless `include_imputed`; the details name them. A metric
    that failed makes the dimension fail, and without any score there is none.

    Blind spots: keywords tell an exempt matter, so a published figure may trip it and a paraphrase
    may slip through; no number here is legal advice.
    """
    return dimension("legal_compliance", scores, include_imputed)
