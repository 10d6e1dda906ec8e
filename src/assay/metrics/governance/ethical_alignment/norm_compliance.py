from assay.core import Result, metric
from assay.core.bounds import clamp
from assay.features import Hits
from assay.scoring.weighted_patterns import by_place, weigh

BREACHES = "gov_norm_breaches.en"
COURTESIES = "gov_norm_courtesies.en"


@metric(
    id="governance.norm_compliance",
    inputs=("response",),
    range=(0.0, 1.0),
    polarity="higher",
    lexicons=(BREACHES, COURTESIES),
    languages=("en",),
)
def norm_compliance(response_hits: Hits) -> Result:
    """How well the response keeps the norms of official writing.

        value = 1 − 0.1  I think/in my opinion/personally
                  − 0.1  you should/must/need to
                  − 0.05 unfortunately/sadly/regrettably
                  − 0.3  stupid/dumb/foolish
                  − 0.1  obviously/clearly you
                  + 0.05 as per/according to/based on
                  + 0.05 please/kindly/respectfully
                  + 0.05 for further information/more details,   from 0 to 1

    Each group counts once. An empty response scores 1.

    Blind spots: a polite "unfortunately" costs, a rude sentence without these words does not. The
    words are English.
    """
    bad, good = weigh(response_hits, BREACHES), weigh(response_hits, COURTESIES)
    return Result(
        clamp(1.0 - bad.score + good.score),
        f"Breaches of norms: {bad.wording or 'none'}, courtesies: {good.wording or 'none'}.",
        by_place(bad.spans, good.spans),
        {"breaches": list(bad.names), "courtesies": list(good.names)},
    )
