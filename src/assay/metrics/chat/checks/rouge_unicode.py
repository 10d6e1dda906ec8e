from assay.core import MAX_EVIDENCE, Result, metric
from assay.features import Words
from assay.textproc.rouge import rouge_scores, unicode_tokens


@metric(
    id="chat.rouge_unicode",
    inputs=("response", "expected"),
    range=(0.0, 1.0),
    polarity="higher",
)
def rouge_unicode(response_words: Words, expected_words: Words) -> Result:
    """How much of the expected answer's wording the response keeps, in order, in any script.

    ROUGE-L F1 over the words of normalised text, so that Arabic counts with or without its vowel
    marks. Words of plain Latin letters longer than three are Porter stems:

        precision = longest common sequence of words / words of the response
        recall    = longest common sequence of words / words of the expected answer
        value     = 2 · precision · recall / (precision + recall), 0 without common words

    The details hold the same figures as those of `chat.rouge`, whose tokens have no letters but
    a–z. ROUGE-L reads 30,000 words of each text after the first difference; `truncated` says that
    there are more.

    Blind spots: other words for the same thing count as wrong, as do other forms of an Arabic
    word; Chinese and Japanese have no blanks, so whole clauses are compared.
    """
    reference, candidate = unicode_tokens(expected_words), unicode_tokens(response_words)
    scores = rouge_scores(reference, candidate)
    held = frozenset(candidate)
    pairs = zip(expected_words.all, reference, strict=True)
    lacking = {word for word, token in pairs if token not in held}
    return Result(
        scores.rougeL_f1,
        scores.explanation,
        expected_words.spans(lacking, MAX_EVIDENCE, "expected", "lacking"),
        scores._asdict(),
    ).limited(len(lacking))
