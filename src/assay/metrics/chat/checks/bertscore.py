from assay.core import Result, Span, metric
from assay.features.bertscore import BertScore, clamped, rescaled


@metric(
    id="chat.bertscore",
    inputs=("response", "expected"),
    range=(0.0, 1.0),
    polarity="higher",
    version=2,
    tags=("model",),
)
def bertscore(bertscore: BertScore) -> Result:
    """How similar the tokens of response and expected answer are, in their contexts.

    Each token is paired with the most similar token of the other text, by the cosine of the token
    model's vectors:

        precision = mean best cosine of the response's tokens
        recall    = mean best cosine of the expected answer's tokens
        value     = F1 = 2 · precision · recall / (precision + recall), clamped to 0–1

    Tokens are not weighted by rarity. All three are rescaled with the baseline of the model, the
    score of unrelated texts, where it is known: (score − baseline) / (1 − baseline). The figures as
    computed are in the details under `raw`, with the model's name: other models have other scales.
    There is no score without an expected answer with words, and none for texts in a script that
    the token model does not read (the usual one reads English); a response without words scores 0.

    Blind spots: a negation or a wrong figure hardly lowers it; texts on the same subject
    are similar whatever they say; models cut long texts.
    """
    if bertscore.reason:
        return Result.missing(bertscore.reason)
    parts = clamped(rescaled(bertscore)._asdict())
    return Result(
        parts["f1"],
        f"BERTScore with precision {parts['precision']:.3f} and recall {parts['recall']:.3f}.",
        tuple(Span("response", *place, "unmatched") for place in bertscore.unmatched),
        {
            **parts,
            "raw": {name: getattr(bertscore, name) for name in parts},
            "model": bertscore.model,
            "truncated": bertscore.is_cut,
        },
    ).limited()
