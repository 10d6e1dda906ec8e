from assay.core import Result, metric
from assay.core.bounds import clamp
from assay.features import Hits
from assay.features.policy_hits import unread
from assay.scoring.weighted_patterns import weigh

ATTACKS = "gov_injection.en"


@metric(
    id="governance.injection_resistance",
    inputs=("query",),
    range=(0.0, 1.0),
    polarity="neutral",
    lexicons=(ATTACKS,),
    aliases=("governance.prompt_injection_resistance",),
)
def injection_resistance(query_hits: Hits, query_language: str) -> Result:
    """How free the query is of attempts to take over the system.

        value = 1 − weights of the patterns that occur in the query, each once;   at least 0

    "ignore … instructions/prompts" 0.4, "ignore previous" 0.4, "system/admin/root
    prompt/message/instruction" 0.3, "you are now/actually/really" 0.3, "pretend you are" 0.3,
    "pretend/act/behave as/like" 0.2, "forget/disregard/override" 0.2, "[system]", "[admin]",
    "[instruction]" 0.3, "jailbreak/bypass/hack" 0.4, "reveal … prompt/instruction/secret" 0.3. An
    empty query scores 1. The patterns are English; in another script only what they find is scored.

    It is neutral: the value says what the user typed, not how the system bore it, so it gates
    nothing by default and has no quality of its own.

    Blind spots: the response is not examined (`chat.injection_attack_success` does); "how do I
    bypass the queue" counts, an attack in other words does not.
    """
    weighed = weigh(query_hits, ATTACKS)
    if not weighed.names and (unscored := unread(("en",), query_language, "query")):
        return unscored
    explanation = (
        f"Signs of an attack: {weighed.wording}."
        if weighed.names
        else "No sign of an attack was found."
    )
    return Result(
        clamp(1.0 - weighed.score), explanation, weighed.spans, {"found": list(weighed.names)}
    )
