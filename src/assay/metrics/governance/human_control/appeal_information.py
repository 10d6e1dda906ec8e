from assay.core import Result, metric
from assay.core.bounds import clamp
from assay.data import Policy
from assay.features import Hits
from assay.features.policy_hits import lacking, unread_by
from assay.scoring.weighted_patterns import weigh_section

SECTION = "appeal"


@metric(
    id="governance.appeal_information",
    inputs=("response",),
    range=(0.0, 1.0),
    polarity="higher",
)
def appeal_information(
    response_policy_hits: Hits, response_language: str, policy: Policy
) -> Result:
    """Whether the response says how to appeal, in the words of the policy pack.

        value = sum of the weights of the [[appeal]] patterns that occur, each once; at most 1

    The pack `rti`: "appeal/appellate" 0.3, "RTI Act/right to information" 0.2, "first/second
    appeal" 0.2, "information commission/CIC/SIC" 0.2, "30/60/90 days" 0.1. An empty response
    scores 0. There is no score where the pack has no such patterns, and none for a text in another
    script than the pack's.

    Blind spots: the words are not checked against the case; "no appeal is possible" scores 0.3.
    """
    hits = response_policy_hits[SECTION]
    unscored = lacking(policy, SECTION) or unread_by(policy, response_language, "response")
    if not hits and unscored:
        return unscored
    weighed = weigh_section(policy, hits, SECTION)
    explanation = (
        f"Said about an appeal: {weighed.wording}." if hits else "Nothing is said about an appeal."
    )
    details = {"policy": policy.name, "found": list(weighed.names)}
    return Result(clamp(weighed.score), explanation, weighed.spans, details)
