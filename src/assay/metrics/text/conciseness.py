from assay.core import Result, metric
from assay.features import Hits, Normal

PADDING_PENALTY = 0.1


@metric(
    id="text.conciseness",
    inputs=("response",),
    range=(0.0, 1.0),
    polarity="higher",
    threshold=0.50,
    lexicons=("padding.en",),
)
def conciseness(
    response_normal: Normal, response_hits: Hits, *, min_words: int = 20, max_words: int = 200
) -> Result:
    """How well the response keeps to a sensible length, without padding.

        base  = words / min_words              below min_words
                1                              from min_words to max_words
                1 − (words − max_words) / max_words   above, not below 0
        value = base − 0.1·(distinct padding phrases of the lexicon `padding.en`), not below 0

    Blind spots: a short, perfect answer ("Paris.") scores low; the padding phrases are English.
    """
    words = response_normal.word_count
    if words < min_words:
        base = words / min_words
    else:
        base = min(1.0, max(0.0, 1.0 - (words - max_words) / max_words))
    padding = response_hits["padding.en"]
    phrases = len({span.label for span in padding})
    return Result(
        max(0.0, base - PADDING_PENALTY * phrases),
        f"{words} words (best {min_words} to {max_words}) with {phrases} padding phrases.",
        padding,
    )
