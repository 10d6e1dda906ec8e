from assay.core import Result, metric
from assay.core.bounds import clamp
from assay.features.bertscore import BertScore


@metric(
    id="chat.hallucination_rate_multilingual",
    inputs=("response",),
    range=(0.0, 100.0),
    polarity="lower",
    unit="%",
    tags=("model", "proxy"),
)
def hallucination_rate_multilingual(
    known_facts_word_bertscores: tuple[BertScore, ...],
    expected_word_bertscore: BertScore | None,
) -> Result:
    """How dissimilar the response is to what is known, in any language of the embedder.

        value = 100 · (1 − best F1),   F1 of `chat.bertscore_multilingual` against each of
                                       `known_facts`, else against the expected answer

    `chat.hallucination_rate` is the same by a token model that reads English. It has no threshold:
    on which scale the cosines of single words lie depends on the embedder. Without known facts and
    expected answer there is no value.

    Blind spots: it is a similarity of words. A response that denies a fact is like it, one that is
    right in other words or adds to the facts is not.
    """
    facts = known_facts_word_bertscores
    references = facts or ((expected_word_bertscore,) if expected_word_bertscore else ())
    scores = [score for score in references if not score.reason]
    if not scores:
        reasons = [score.reason for score in references]
        return Result.missing([*reasons, "There are no known facts and no expected answer."][0])
    best = max(scores, key=lambda score: score.f1)
    against = f"{len(facts)} known facts" if facts else "the expected answer"
    return Result(
        100.0 * (1.0 - clamp(best.f1)),
        f"The best F1 of the words against {against} is {best.f1:.2f}.",
        details={"best_f1": best.f1, "model": best.model},
    )
