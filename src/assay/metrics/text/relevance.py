from collections import Counter
from math import sqrt

from assay.core import NO_THRESHOLD, Result, metric
from assay.features import Words
from assay.features.similarity import has_arabic


@metric(
    id="text.relevance",
    inputs=("query", "response"),
    range=(0.0, 1.0),
    polarity="higher",
    threshold=0.60,
    version=2,
)
def relevance(query_words: Words, response_words: Words) -> Result:
    """How similar the wording of query and response is.

    The cosine of the two term-frequency vectors, over words of three characters or more:

        value = Σ q(t)·r(t) / (√Σ q(t)² · √Σ r(t)²)

    An empty query or response scores 0. Where the query or the response is Arabic, the value has no
    verdict unless you set a threshold: articles and prepositions are part of the Arabic word, so
    that the same word seldom has the same form twice.

    Blind spots: it is lexical, with no stemming and no stop words. A good answer in other words
    scores low, and a response that repeats the query scores 1; long answers score low.
    """
    query, response = query_words.counts, response_words.counts
    if not query or not response:
        empty = "response" if query else "query"
        return Result(0.0, f"The {empty} has no words of three characters or more.")
    shared = query.keys() & response.keys()
    dot = sum(query[term] * response[term] for term in shared)
    is_arabic = has_arabic(query_words.blanked) or has_arabic(response_words.blanked)
    value = dot / sqrt(_square(query) * _square(response))
    return Result(
        min(1.0, value),
        f"{len(shared)} of {len(query)} query terms occur among {len(response)} response terms.",
        details={"shared": sorted(shared)},
        threshold=NO_THRESHOLD if is_arabic else None,
    )


def _square(counts: Counter[str]) -> int:
    return sum(count * count for count in counts.values())
