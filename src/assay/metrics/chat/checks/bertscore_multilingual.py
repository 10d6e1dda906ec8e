from assay.core import Result, metric
from assay.features.bertscore import BertScore, clamped


@metric(
    id="chat.bertscore_multilingual",
    inputs=("response", "expected"),
    range=(0.0, 1.0),
    polarity="higher",
    tags=("model",),
    aliases=("chat.f1_score_multilingual",),
)
def bertscore_multilingual(expected_word_bertscore: BertScore) -> Result:
    """How similar the words of response and expected answer are, in any language of the embedder.

    Each word is paired with the most similar word of the other text, by the cosine of the sentence
    embedder's vectors of the single words; the usual embedder reads Arabic and fifteen more
    languages, also across languages:

        precision = mean best cosine of the response's words
        recall    = mean best cosine of the expected answer's words
        value     = F1 = 2 · precision · recall / (precision + recall), clamped to 0–1

    `chat.bertscore` compares tokens in their contexts, by a token model that reads English. There
    is no score without an expected answer with words; a response without words scores 0. Of a
    longer text the first 1,000 words are compared.

    Blind spots: order and context of the words do not matter, so "the dog bit the man" equals "the
    man bit the dog"; a negation or a wrong figure hardly lowers it.
    """
    result = expected_word_bertscore
    if result.reason:
        return Result.missing(result.reason)
    parts = clamped(result._asdict())
    return Result(
        parts["f1"],
        f"Words match with precision {parts['precision']:.3f} and recall {parts['recall']:.3f}.",
        details={**parts, "model": result.model},
    )
