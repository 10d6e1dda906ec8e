from assay.core import Result, metric
from assay.core.bounds import clamp
from assay.features import Hits
from assay.scoring.weighted_patterns import weigh

WAYS = "gov_escalation.en"


@metric(
    id="governance.escalation_path",
    inputs=("response",),
    range=(0.0, 1.0),
    polarity="higher",
    lexicons=(WAYS,),
    languages=("en",),
)
def escalation_path(response_hits: Hits) -> Result:
    """Whether the response says how to reach a person.

        value = sum of the weights of the patterns that occur, each once; at most 1

    "contact/reach out/get in touch" 0.2, "helpdesk/support/assistance" 0.2, "email/phone/call"
    0.15, "officer/department/authority" 0.15, "for further/more/additional" 0.1,
    "clarification/question/query" 0.1, "visit/website/portal" 0.1. An empty response scores 0.

    Blind spots: words are counted, not a real address or number; "the department did not call"
    scores 0.3.
    """
    weighed = weigh(response_hits, WAYS)
    explanation = (
        f"Ways to a person: {weighed.wording}." if weighed.names else "No way to a person is named."
    )
    return Result(clamp(weighed.score), explanation, weighed.spans, {"found": list(weighed.names)})
