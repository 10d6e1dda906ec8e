from assay.core import Result, metric
from assay.textproc.bleu import bleu_score
from assay.textproc.overlap import spans_of


@metric(
    id="chat.bleu",
    inputs=("response", "expected"),
    range=(0.0, 1.0),
    polarity="higher",
)
def bleu(response: str, expected: str) -> Result:
    """How many sequences of one to four words the response shares with the expected answer.

    Sentence BLEU-4 as NLTK computes it, over words separated by whitespace, with case and
    punctuation:

        p(n)    = shared stretches of n words / stretches of n words in the response
        brevity = e ^ (1 − words expected / words given), 1 for a response of more words
        value   = brevity · (p(1) · p(2) · p(3) · p(4)) ^ ¼

    A p(n) without any match counts 0.1 matches (NLTK's smoothing method 1). The value is 0 when no
    word is shared, and so for an empty response or expected answer.

    Blind spots: made for whole corpora of translations, it says little about one answer; other
    words for the same thing count as wrong; an answer of fewer than four words never reaches 1.
    """
    reference, candidate = expected.split(), response.split()
    score = bleu_score(reference, candidate)
    shares = [f"{m}/{t}" for m, t in zip(score.matches, score.totals, strict=True)]
    unexpected = set(candidate).difference(reference)
    return Result(
        min(1.0, score.score),
        f"Shared stretches of one to four words: {', '.join(shares)}.",
        spans_of(unexpected, response, candidate, "response", "not expected"),
        {
            "matches": list(score.matches),
            "totals": list(score.totals),
            "brevity": score.brevity,
        },
    ).limited(len(unexpected))
