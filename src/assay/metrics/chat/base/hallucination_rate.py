from assay.core import Result, Span, metric
from assay.core.bounds import clamp
from assay.features.bertscore import BertScore, rescaled
from assay.features.facts import Scores
from assay.features.similarity import percent


def hallucination_rate_rule(detection_confidence: float | None) -> float | None:
    """The confidence between 0 and 100."""
    return percent(detection_confidence)


@metric(
    id="chat.hallucination_rate",
    inputs=("response",),
    range=(0.0, 100.0),
    polarity="lower",
    version=2,
    threshold=50.0,
    unit="%",
    tags=("model", "proxy"),
    formula=hallucination_rate_rule,
)
def hallucination_rate(
    known_facts: tuple[str, ...], known_facts_bertscores: Scores, bertscore: BertScore | None
) -> Result:
    """How dissimilar the response is to what is known: the confidence that it is hallucinated.

        value = 100 · (1 − best F1),   F1 of `chat.bertscore` against each of `known_facts`,
                                       else against the expected answer

    It is a confidence about one response; the rate over many responses is an aggregate. A value
    over 50 counts as hallucinated. The PyAI-Slayer guide's target is 5. Without known facts and
    expected answer there is no value, and none where the token model cannot read the texts.

    Blind spots: a BERTScore is a similarity of words. A response that denies a fact is like it, one
    that is right in other words or adds to the facts is not.
    """
    references = known_facts_bertscores if known_facts else (bertscore,) if bertscore else ()
    scores = [rescaled(score) for score in references if not score.reason]
    if not scores:
        reasons = [score.reason for score in references]
        return Result.missing([*reasons, "There are no known facts and no expected answer."][0])
    best = max(scores, key=lambda score: score.f1)
    value = hallucination_rate_rule(1.0 - clamp(best.f1))
    against = f"{len(known_facts)} known facts" if known_facts else "the expected answer"
    return Result(
        value,
        f"The best F1 of the BERTScore against {against} is {best.f1:.2f}.",
        tuple(Span("response", *place, "unmatched") for place in best.unmatched),
        {"best_f1": best.f1, "model": best.model},
    ).limited()
