from assay.core import rule
from assay.stats import aggregates
from assay.stats.aggregates import from_percent, percent


@rule("chat.agg.health")
def health(
    pass_rate: float | None,
    output_stability: float | None = None,
    output_validity: float | None = None,
    schema_compliance: float | None = None,
) -> float | None:
    """How well the system does: pass rate and reliability in equal parts, from 0 to 100.

        reliability = mean(output_stability, output_validity, schema_compliance)   from 0 to 1
        health      = (pass_rate + 100·reliability) / 2

    The pass rate alone when there is no reliability; None without a pass rate.
    """
    reliability = (output_stability, output_validity, schema_compliance)
    return percent(aggregates.health(from_percent(pass_rate), reliability))
