from functools import cache

from assay.core import MAX_EVIDENCE, Result, metric
from assay.data import lexicon
from assay.features import Normal, Words

NO_KEYWORDS = 0.7
"""The documented substitute for a query of stop words only."""
LONG_WORD = 5
"""Letters from which on a keyword may earn the bonus."""


@metric(
    id="governance.relevance",
    inputs=("query", "response"),
    range=(0.0, 1.0),
    polarity="higher",
    lexicons=("query_stop_words.en",),
)
def relevance(
    query_words: Words,
    response_words: Words,
    response_normal: Normal,
    *,
    long_word_bonus: float = 0.0,
) -> Result:
    """How much of the query's wording recurs in the response.

    Keywords are the query's different words without the stop words of `query_stop_words.en`:

        value = min(1, keywords in the response / keywords + bonus)

    The bonus is `long_word_bonus` for each keyword of five letters or more that occurs anywhere in
    the response, also inside a word; the document has none. A query without keywords gives the
    documented substitute 0.7, marked as imputed.

    Blind spots: a response that repeats the question scores 1, a good one in other words scores 0;
    only English stop words are left out.
    """
    keywords = [word for word in dict.fromkeys(query_words.all) if word not in _stop_words()]
    if not keywords:
        return Result.imputed(NO_KEYWORDS, "The query has no keywords.")
    absent = [word for word in keywords if word not in response_words.distinct]
    covered = len(keywords) - len(absent)
    value = covered / len(keywords)
    if long_word_bonus:
        long = [word for word in keywords if len(word) >= LONG_WORD]
        value += long_word_bonus * sum(word in response_normal.lower for word in long)
    return Result(
        min(1.0, value),
        f"{covered} of {len(keywords)} keywords of the query occur in the response.",
        (
            *query_words.spans(frozenset(absent), MAX_EVIDENCE, "query", "not in the response"),
            *response_words.spans(
                frozenset(keywords).difference(absent), MAX_EVIDENCE, "response", "keyword"
            ),
        ),
        {"absent": absent[:MAX_EVIDENCE]},
    ).limited(len(keywords))


@cache
def _stop_words() -> frozenset[str]:
    return frozenset(pattern.name for pattern in lexicon("query_stop_words.en").patterns)
