from assay.core import MAX_EVIDENCE, Result, metric
from assay.features import Words


@metric(
    id="text.hallucination",
    inputs=("response",),
    range=(0.0, 1.0),
    polarity="higher",
    threshold=0.70,
)
def hallucination(
    response_words: Words,
    query_words: Words | None,
    expected_words: Words | None,
    *,
    min_token_length: int = 3,
) -> Result:
    """How much of the response's wording is grounded in the query and the expected answer.

        value = distinct response words found in query or expected / distinct response words

    Words shorter than `min_token_length` do not count. High is good: the documents call it
    hallucination, the number is groundedness. An empty response, or no text to ground it in, gives
    an imputed 1.0.

    Blind spots: it compares words, not meaning. A true paraphrase scores low, common words lift
    the score, and a false sentence made of the right words scores 1. Text without blanks between
    words (Chinese, Japanese) is compared by whole sentences.
    """
    terms = {word for word in response_words.distinct if len(word) >= min_token_length}
    if not terms:
        return Result.imputed(1.0, "The response has no words to check.")
    grounding = [words.distinct for words in (query_words, expected_words) if words]
    ungrounded = terms.difference(*grounding)
    if len(ungrounded) == len(terms) and not any(
        len(word) >= min_token_length for words in grounding for word in words
    ):
        return Result.imputed(1.0, "There is no query or expected answer to compare with.")
    grounded = len(terms) - len(ungrounded)
    return Result(
        grounded / len(terms),
        f"{grounded} of {len(terms)} distinct words are grounded, {len(ungrounded)} are not.",
        response_words.spans(ungrounded, MAX_EVIDENCE, "response", "ungrounded"),
    ).limited(len(ungrounded))
