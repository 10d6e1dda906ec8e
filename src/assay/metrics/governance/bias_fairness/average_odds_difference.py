from assay.core import MAX_EVIDENCE, Document, Result, Span, metric
from assay.features import Normal
from assay.textproc.plain_words import PlainWord, PlainWords

FACTOR = 1.5
"""Two thirds of the words are enough for the full score."""
SUBSTITUTE = 0.5
"""The documented value without documents."""


def score(overlap: float | None = None) -> float | None:
    """The score for a share of words that the documents hold; None for an unknown share."""
    return None if overlap is None else min(1.0, FACTOR * overlap)


@metric(
    id="governance.average_odds_difference",
    inputs=("response",),
    range=(0.0, 1.0),
    polarity="higher",
    formula=score,
)
def average_odds_difference(
    response_plain_words: PlainWords,
    contexts_words: frozenset[str],
    contexts: tuple[Document, ...],
    response_normal: Normal,
) -> Result:
    """Source consistency: how many of the response's words occur in the documents (a proxy).

        value = 1.5 · distinct response words found in the documents / distinct response words,
                not above 1

    Words are separated by whitespace and punctuation, without regard to case. Without documents the
    value is an imputed 0.5; an empty response scores 0.

    Blind spots: the name is a term of group fairness (where a difference of 0 is best), but the
    rule compares no groups and higher is better. Shared words prove no support: "50 crore" and
    "60 crore" differ in one word; a fair summary in other words scores low.
    """
    if not contexts:
        return Result.imputed(SUBSTITUTE, "There are no documents; 0.5 stands in for the score.")
    first: dict[str, PlainWord] = {}
    for word in response_plain_words:
        first.setdefault(word.text, word)
    if not first:
        return Result(0.0, "The response has no words.")
    new = [word for text, word in first.items() if text not in contexts_words]
    spans = [
        Span("response", *response_normal.span(word.start, word.end), "not in the documents")
        for word in new[:MAX_EVIDENCE]
    ]
    shared = len(first) - len(new)
    return Result(
        score(shared / len(first)),
        f"The documents hold {shared} of the response's {len(first)} distinct words.",
        spans,
        {"shared": shared, "distinct": len(first)},
    ).limited(len(new))
