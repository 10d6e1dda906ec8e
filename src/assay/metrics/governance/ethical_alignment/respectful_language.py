from assay.core import Result, metric
from assay.core.bounds import clamp
from assay.features import Hits
from assay.scoring.weighted_patterns import by_place, weigh

RESPECT = "gov_respect.en"
DISRESPECT = "gov_disrespect.en"
NEUTRAL = 0.7


@metric(
    id="governance.respectful_language",
    inputs=("response",),
    range=(0.0, 1.0),
    polarity="higher",
    lexicons=(RESPECT, DISRESPECT),
    languages=("en",),
)
def respectful_language(response_hits: Hits) -> Result:
    """How respectful the response's wording is.

        value = 0.7 + 0.1  please/kindly/thank you
                    + 0.1  respectfully/sincerely
                    + 0.1  you may/can
                    + 0.1  hope this helps/happy to assist
                    − 0.15 obviously/clearly you don't
                    − 0.15 wrong/incorrect/mistake
                    − 0.15 should/could have,   from 0 to 1

    Each group counts once. An empty response scores 0.7.

    Blind spots: "the wrong form" and "we could have met" count as disrespect, an insult in other
    words does not. The words are English.
    """
    good, bad = weigh(response_hits, RESPECT), weigh(response_hits, DISRESPECT)
    return Result(
        clamp(NEUTRAL + good.score - bad.score),
        f"Respectful wording: {good.wording or 'none'}, disrespectful wording: "
        f"{bad.wording or 'none'}.",
        by_place(good.spans, bad.spans),
        {"respectful": list(good.names), "disrespectful": list(bad.names)},
    )
