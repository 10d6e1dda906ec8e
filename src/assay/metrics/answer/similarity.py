from assay.core import Result, metric
from assay.meaning.agreement import Agreement


@metric(
    id="answer.similarity",
    inputs=("response", "expected"),
    range=(0.0, 1.0),
    polarity="higher",
    version=5,
    tags=("linear",),
    aliases=("answer_similarity", "semantic_similarity", "similarity"),
)
def similarity(answer_similarity: float | None, answer_agreement: Agreement | None) -> Result:
    """How alike the response and the expected answer are in meaning, as people grade it.

        value = logistic(bias + Σ weight · measure)

    0 is another subject, 1 the same meaning; fitted to grades from 0 to 5. The measures: shared
    words and letters both ways, length, and what the two say differently (numbers, negation,
    opposites, roles); where there is an embedder also the cosine of the two texts. Without one the
    value rests on words alone. There is no threshold: how alike is alike enough is up to the use.

    Blind spots: similarity is no correctness; without an embedder a paraphrase in other words is
    unlike, and so is a text in another language.
    """
    if answer_similarity is None or answer_agreement is None:
        return Result.missing("One of the texts has no words.")
    value = answer_similarity
    reasons = list(dict.fromkeys(one.message for one in answer_agreement.differences))
    rest = f"; the response {reasons[0]}" if reasons else ""
    return Result(value, f"The similarity of response and expected answer is {value:.2f}{rest}.")
