from assay.core import Result, metric
from assay.textproc.overlap import spans_of
from assay.textproc.rouge import blanked, is_foreign, rouge_scores, rouge_tokens, text_tokens
from assay.textproc.stem import stems


def rouge_of(reference: str | None, candidate: str | None) -> dict[str, float] | None:
    """The ROUGE scores of two texts; a candidate in another script is read by words of any."""
    if reference is None or candidate is None:
        return None
    read = text_tokens if is_foreign(candidate) else rouge_tokens
    return rouge_scores(read(reference), read(candidate))._asdict()


@metric(
    id="chat.rouge",
    inputs=("response", "expected"),
    range=(0.0, 1.0),
    polarity="higher",
    languages=("en",),
    formula=rouge_of,
)
def rouge(response: str, expected: str) -> Result:
    """How much of the expected answer's wording the response keeps, in order.

    ROUGE-L F1 as the package rouge-score computes it with its stemmer. Tokens are runs of a–z and
    0–9 in lower case, those longer than three letters as Porter stems:

        precision = longest common sequence of tokens / tokens of the response
        recall    = longest common sequence of tokens / tokens of the expected answer
        value     = 2 · precision · recall / (precision + recall), 0 without common tokens

    The details hold `rouge1_f1`, `rouge2_f1`, `rougeL_f1`, `rouge1_precision`, `rouge1_recall`,
    where ROUGE-1 counts shared tokens and ROUGE-2 shared pairs of neighbours. A response in
    another script than Latin has no tokens and so no score: `chat.rouge_unicode` reads it. ROUGE-L
    reads 30,000 tokens of each text after the first difference; `truncated` says that there are
    more.

    Blind spots: other words for the same thing count as wrong, letters with accents part words,
    and "not" weighs as little as any other word.
    """
    reference, candidate = rouge_tokens(expected), rouge_tokens(response)
    scores = rouge_scores(reference, candidate)
    text = blanked(expected)
    words, held = text.split(), frozenset(candidate)
    tokens = reference if expected.isascii() else stems(text.lower().split())
    lacking = {word for word, token in zip(words, tokens, strict=True) if token not in held}
    return Result(
        scores.rougeL_f1,
        scores.explanation,
        spans_of(lacking, text, words, "expected", "lacking"),
        scores._asdict(),
    ).limited(len(lacking))
