from assay.core import Document, Result, metric
from assay.features import Hits
from assay.features.claim_report import StatedClaims, evidence, explain
from assay.features.verification import Verification
from assay.scoring.weighted_patterns import weigh

SIGNS = "gov_accuracy_signs.en"
SUBSTITUTE = 0.5
"""The documented value without documents."""


def accuracy_rule(verified_claims: int | None, total_claims: int | None) -> float | None:
    """The share of claims that are verified; None without claims."""
    if verified_claims is None or not total_claims:
        return None
    return verified_claims / total_claims


@metric(
    id="governance.accuracy",
    inputs=("response",),
    range=(0.0, 1.0),
    polarity="higher",
    version=4,
    lexicons=(SIGNS,),
    tags=("model",),
    formula=accuracy_rule,
)
def accuracy(
    claim_verification: Verification,
    stated_claims: StatedClaims | None,
    contexts: tuple[Document, ...],
    response_hits: Hits,
) -> Result:
    """How many of the response's claims the contexts verify.

        value = verified claims / claims

    Claims are verified as in `governance.groundedness`. Counts in the metadata (`total_claims` with
    `verified_claims` or `hallucinated_claims`) win over our own. A response without claims gets

        value = 0.35 if a number stands in it + 0.25 for a range of years
              + 0.4 for "according to", "based on", "source" or "reference"

    and without contexts and counts the value is an imputed 0.5.

    Blind spots: what the contexts say is taken for true. The value for a response without claims
    looks at form alone, and its words are English.
    """
    if stated_claims and stated_claims.total:
        return Result(
            accuracy_rule(stated_claims.verified, stated_claims.total),
            f"The metadata counts {stated_claims.verified} of {stated_claims.total} claims "
            "as verified.",
        )
    if not contexts:
        return Result.imputed(SUBSTITUTE, "There are no documents; 0.5 stands in for the score.")
    verification = claim_verification
    value = accuracy_rule(verification.count("verified"), verification.total)
    if value is not None:
        return Result(value, explain(verification), evidence(verification), verification.details)
    signs = weigh(response_hits, SIGNS)
    specifics = f"has {signs.wording}" if signs.names else "has neither number nor source phrase"
    return Result(
        signs.score,
        f"The response claims nothing that can be checked and {specifics}.",
        signs.spans,
        {"total_claims": 0, "found": list(signs.names)},
    )
