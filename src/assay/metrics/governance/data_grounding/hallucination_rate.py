from assay.core import Document, Result, metric
from assay.features.claim_report import StatedClaims, evidence, explain
from assay.features.verification import Verification


def hallucination_rate_rule(hallucinated: int | None, total_claims: int | None) -> float | None:
    """One minus the share of claims without support; None without claims."""
    if hallucinated is None or not total_claims:
        return None
    return 1.0 - hallucinated / total_claims


@metric(
    id="governance.hallucination_rate",
    inputs=("response",),
    range=(0.0, 1.0),
    polarity="higher",
    version=4,
    tags=("model",),
    formula=hallucination_rate_rule,
)
def hallucination_rate(
    claim_verification: Verification,
    stated_claims: StatedClaims | None,
    contexts: tuple[Document, ...],
) -> Result:
    """How free of hallucination the response is: 1 means that no claim is invented.

        value = 1 − hallucinated claims / claims

    A claim is hallucinated when the contexts do not verify it: it is unsupported or contradicted,
    as `governance.groundedness` finds. Counts in the metadata (`total_claims` with
    `hallucinated_claims` or `verified_claims`) win over our own. Without contexts and counts there
    is no value, and none without claims.

    Blind spots: the name says rate, but higher is better. A true claim that the contexts do not
    hold counts as hallucinated.
    """
    if stated_claims:
        stated = hallucination_rate_rule(stated_claims.hallucinated, stated_claims.total)
        if stated is None:
            return Result.missing("The metadata counts no claims.")
        return Result(
            stated,
            f"The metadata counts {stated_claims.hallucinated} of {stated_claims.total} claims "
            "as hallucinated.",
        )
    if not contexts:
        return Result.missing("The sample has no 'contexts'.")
    verification = claim_verification
    value = hallucination_rate_rule(verification.hallucinated, verification.total)
    if value is None:
        return Result.missing("The response claims nothing.")
    return Result(value, explain(verification), evidence(verification), verification.details)
