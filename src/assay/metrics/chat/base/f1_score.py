from collections.abc import Mapping
from typing import Any

from assay.core import Result, Span, metric
from assay.features.bertscore import BertScore, clamped, rescaled


def f1_of(bertscore: Mapping[str, Any] | None) -> float | None:
    """The F1 of a BERTScore, clamped to 0–1."""
    return None if bertscore is None else clamped(bertscore)["f1"]


@metric(
    id="chat.f1_score",
    inputs=("response", "expected"),
    range=(0.0, 1.0),
    polarity="higher",
    version=2,
    tags=("model",),
    aliases=("bert_score", "bertscore_f1", "chat.bert_score", "chat.bertscore_f1"),
    formula=f1_of,
)
def f1_score(bertscore: BertScore) -> Result:
    """The BERTScore F1 of the response against the expected answer.

        value = F1 of `chat.bertscore`, clamped to 0–1

    There is no score without an expected answer with words, and none for texts in a script that
    the token model does not read; a response without words scores 0.

    Blind spots: it is a similarity of words in context, no F1 of right and wrong; a negation or a
    wrong figure hardly lowers it.
    """
    if bertscore.reason:
        return Result.missing(bertscore.reason)
    value = f1_of(rescaled(bertscore)._asdict())
    return Result(
        value,
        f"The F1 of the BERTScore is {value:.3f}.",
        tuple(Span("response", *place, "unmatched") for place in bertscore.unmatched),
        {"model": bertscore.model, "truncated": bertscore.is_cut},
    ).limited()
