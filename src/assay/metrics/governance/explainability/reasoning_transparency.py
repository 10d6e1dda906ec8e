from assay.core import Result, metric
from assay.core.bounds import clamp
from assay.features import Hits
from assay.scoring.weighted_patterns import weigh

REASONS = "gov_reasoning.en"


@metric(
    id="governance.reasoning_transparency",
    inputs=("response",),
    range=(0.0, 1.0),
    polarity="higher",
    lexicons=(REASONS,),
    languages=("en",),
)
def reasoning_transparency(response_hits: Hits) -> Result:
    """How much the response shows of its reasoning.

        value = 0.15 for each of "because", "therefore", "this is because", "the reason",
                "this shows", "which means", "as a result", "consequently", "based on this"
              + 0.2 for a step word ("first", "second", "third", "finally", "step"),   not above 1

    Each phrase counts once, but "this is because" holds "because" and counts as both. An empty
    response scores 0.

    Blind spots: the words of reasoning are not its soundness; "first" may be a rank, "second" a
    unit of time. The phrases are English.
    """
    weighed = weigh(response_hits, REASONS)
    explanation = (
        f"{len(weighed.names)} kinds of reasoning words occur: {weighed.wording}."
        if weighed.names
        else "No reasoning word was found."
    )
    return Result(clamp(weighed.score), explanation, weighed.spans, {"found": list(weighed.names)})
