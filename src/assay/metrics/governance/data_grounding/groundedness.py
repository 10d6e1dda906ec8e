from assay.core import Result, metric
from assay.features.claim_report import evidence, explain
from assay.features.verification import Verification


@metric(
    id="governance.groundedness",
    inputs=("response", "contexts"),
    range=(0.0, 1.0),
    polarity="higher",
    version=4,
    tags=("model",),
    aliases=("governance.groundedness_score",),
)
def groundedness(claim_verification: Verification) -> Result:
    """How far the contexts support what the response claims.

    Every sentence of the response longer than 10 characters is a claim, and so is every source
    that it cites; questions and greetings are not. All of every context is searched, in sentences
    and lines with their neighbours. Each claim gets a support from 0 to 1:

        value = mean support of the claims

    The support is 1 for a claim that stands in a context word for word. Else it comes from fitted
    weights (`verifier.toml`) of the share of its words that the best place holds, numbers, names,
    negations, opposites and, with an embedder, the cosine with the most similar piece. A number or
    date that stands in no context, a number, unit, weekday or time of day in place of another, a
    denial of what the context says and a word of opposite meaning leave 0.4 of the support. From
    0.5 on a claim is verified; a citation is verified when the contexts hold such a source. A
    configured verifier model gives the support instead of the weights. A text in another language
    than the contexts is judged by the cosine tiers of the Endurance specification alone.

    At most 400 claims are looked at. The details count verified, unsupported and contradicted
    claims and list all of them. Without claims there is no value.

    Blind spots: words are not meaning. A false sentence made of the context's words may pass, a
    true one in quite other words may not, and what must be worked out (sums, durations) is taken
    for unsupported. Opposites are English.
    """
    verification = claim_verification
    if verification.support is None:
        return Result.missing("The response claims nothing.")
    details = {
        **verification.details,
        "verified_share": verification.count("verified") / verification.total,
    }
    return Result(verification.support, explain(verification), evidence(verification), details)
