from assay.core import Document, Result, metric
from assay.features import Hits, Normal
from assay.scoring.weighted_patterns import weigh

SPECIFICS = "gov_specifics.en"
LENGTHS = ((20, 0.4), (10, 0.2))
"""Words from which on the length adds so much, the longest first."""
SUBSTITUTE = 0.5
"""The documented value without documents."""


def length(words: int) -> float:
    """What a response of so many words gets for its length."""
    return next((share for least, share in LENGTHS if words >= least), 0.0)


@metric(
    id="governance.equal_opportunity",
    inputs=("response",),
    range=(0.0, 1.0),
    polarity="higher",
    lexicons=(SPECIFICS,),
    languages=("en",),
    steps={"length": length},
)
def equal_opportunity(
    response_normal: Normal, response_hits: Hits, contexts: tuple[Document, ...]
) -> Result:
    """How full and specific the response is (a proxy for equal service to all).

        value = 0.4 from 20 words on, 0.2 from 10 to 19
              + 0.3 if a number stands in it
              + 0.3 for "according to", "based on", "source" or "reference"

    Without documents the value is an imputed 0.5; an empty response scores 0.

    Blind spots: the name is a term of group fairness, but the rule looks at one text and compares
    no groups. A short answer that needs no number scores low, and any number will do. The source
    words are English.
    """
    if not contexts:
        return Result.imputed(SUBSTITUTE, "There are no documents; 0.5 stands in for the score.")
    words = response_normal.word_count
    weighed = weigh(response_hits, SPECIFICS)
    specifics = weighed.wording or "neither a number nor a source phrase"
    return Result(
        length(words) + weighed.score,
        f"The response has {words} words, of 20 for the full share, with {specifics}.",
        weighed.spans,
        {"words": words, "found": list(weighed.names)},
    )
