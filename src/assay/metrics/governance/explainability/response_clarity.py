from collections.abc import Iterator
from math import fsum

from assay.core import Result, Span, metric
from assay.features import Hits, Sentence, Sentences
from assay.scoring.weighted_patterns import PatternWeight, weigh

SIGNS = "gov_clarity"
SEVERAL = 0.2
"""For two sentences or more."""
LENGTHS = ((10.0, 25.0, 0.3), (5.0, 35.0, 0.15))
"""From, to, share: words of a sentence in the mean, the better range first."""
PLAIN = 0.15
"""For few long words."""
LONG = 12
"""A word of more letters is long."""
FEW = 10
"""Fewer than one in so many are few."""


def length(mean_words: float) -> float:
    """What the mean length of the sentences adds."""
    return next((share for low, high, share in LENGTHS if low <= mean_words <= high), 0.0)


@metric(
    id="governance.response_clarity",
    inputs=("response",),
    range=(0.0, 1.0),
    polarity="higher",
    version=2,
    lexicons=(SIGNS,),
    steps={"length": length},
)
def response_clarity(response_sentences: Sentences, response_hits: Hits) -> Result:
    """How easy the response is to read, judged by its form.

        value = 0.2  for two sentences or more
              + 0.3  for sentences of 10 to 25 words in the mean (0.15 for 5 to 35)
              + 0.2  for a digit, ₹, $ or €
              + 0.15 for a line that begins with a bullet or a number
              + 0.15 if fewer than 10 % of the words have more than 12 letters

    The number of a list item is no sentence of its own. An empty response scores 0.

    Blind spots: only the form is looked at; a clear answer of one sentence scores 0.8 at best.
    Scripts without blanks between words (Chinese, Japanese) have few and long words.
    """
    sentences = [words for sentence in response_sentences if (words := _words(sentence))]
    spoken = [words for words in sentences if any(map(_letters, words))] or sentences
    if not spoken:
        return Result(0.0, "The response has no words.")
    words = [word for sentence in spoken for word in sentence]
    mean = len(words) / len(spoken)
    long = sum([len(word) > LONG and _letters(word) > LONG for word in words])
    weighed = weigh(response_hits, SIGNS)
    parts = (
        SEVERAL * (len(spoken) > 1),
        length(mean),
        weighed.score,
        PLAIN * (FEW * long < len(words)),
    )
    return Result(
        min(1.0, fsum(parts)),
        f"{len(spoken)} sentences of {mean:.4g} words in the mean, {long} of "
        f"{len(words)} words are long, with {weighed.wording or 'neither a figure nor a bullet'}.",
        tuple(_first(weighed)),
        {"sentences": len(spoken), "mean_words": mean, "long_words": long},
    )


def _words(sentence: Sentence) -> list[str]:
    """What the blanks part; a lone dash is no word."""
    words = sentence.text.split()
    return [word for word in words if word.isalnum() or any(map(str.isalnum, word))]


def _letters(word: str) -> int:
    return len(word) if word.isalpha() else sum(map(str.isalpha, word))


def _first(pattern_weight: PatternWeight) -> Iterator[Span]:
    """The first place of each sign."""
    for name in pattern_weight.names:
        yield next(span for span in pattern_weight.spans if span.label == name)
