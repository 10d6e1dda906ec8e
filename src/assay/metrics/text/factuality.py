from assay.core import Result, Span, metric
from assay.features import Sentences, Words


@metric(
    id="text.factuality",
    inputs=("response",),
    range=(0.0, 1.0),
    polarity="higher",
    version=2,
    threshold=0.80,
)
def factuality(response_sentences: Sentences, expected_words: Words | None) -> Result:
    """How many of the response's claims the expected answer supports.

    A claim is a sentence of three words or more. It is supported when at least half of its
    distinct words (three characters or more) occur in the expected answer:

        value = supported claims / claims

    Without an expected answer, or without claims, the documented substitute 1.0 is given, marked
    as imputed; an empty response scores 0.

    Blind spots: word overlap is not proof. A claim that contradicts the reference in one word ("is
    not") still counts as supported.
    """
    if not response_sentences:
        return Result(0.0, "The response is empty.")
    if expected_words is None or not expected_words.all:
        return Result.imputed(1.0, "There is no expected answer to check claims against.")
    claims = [s for s in response_sentences if not s.is_short]
    if not claims:
        return Result.imputed(1.0, "The response makes no claim of three words or more.")
    reference = expected_words.distinct
    unsupported = []
    for claim in claims:
        terms = {word for word in claim.words if len(word) > 2}
        if 2 * len(terms & reference) < len(terms):
            unsupported.append(claim)
    supported = len(claims) - len(unsupported)
    return Result(
        supported / len(claims),
        f"{supported} of {len(claims)} claims are supported by the expected answer.",
        tuple(Span("response", c.start, c.end, "unsupported") for c in unsupported),
    )
