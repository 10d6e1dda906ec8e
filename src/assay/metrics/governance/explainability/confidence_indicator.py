from collections.abc import Mapping
from math import fsum
from typing import Any

from assay.core import Result, metric
from assay.features import Hits, Normal
from assay.scoring.weighted_patterns import by_place, weigh

CERTAIN = "gov_confidence_high.en"
DOUBTFUL = "gov_confidence_low.en"
SHARES = (0.5, 0.3, 0.2)
"""For words of certainty, for words of doubt, for a confidence in the metadata."""


def score(has_high: bool = False, has_low: bool = False, has_confidence: bool = False) -> float:
    """The sum of the shares of what is there."""
    present = (has_high, has_low, has_confidence)
    return fsum(share for share, is_there in zip(SHARES, present, strict=True) if is_there)


@metric(
    id="governance.confidence_indicator",
    inputs=("response",),
    range=(0.0, 1.0),
    polarity="higher",
    lexicons=(CERTAIN, DOUBTFUL),
    languages=("en",),
    formula=score,
)
def confidence_indicator(
    response_normal: Normal, response_hits: Hits, metadata: Mapping[str, Any]
) -> Result:
    """Whether the response says how certain its statements are.

        value = 0.5 for a word of certainty ("according to", "exactly", "official", …)
              + 0.3 for a word of doubt ("approximately", "may", "unclear", "estimate", …)
              + 0.2 if the metadata hold a `confidence`

    An empty response scores 0.

    Blind spots: that a confidence is stated does not make it right, and "may" is also a month and
    a permission. The words are English.
    """
    if not response_normal.word_count:
        return Result(0.0, "The response has no words.")
    high, low = weigh(response_hits, CERTAIN), weigh(response_hits, DOUBTFUL)
    is_stated = metadata.get("confidence") is not None
    return Result(
        score(bool(high.names), bool(low.names), is_stated),
        f"Words of certainty: {high.wording or 'none'}, words of doubt: {low.wording or 'none'}, "
        f"confidence in the metadata: {'yes' if is_stated else 'no'}.",
        by_place(high.spans, low.spans),
        {"high": list(high.names), "low": list(low.names), "confidence": is_stated},
    )
