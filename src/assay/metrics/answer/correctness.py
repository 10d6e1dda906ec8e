from collections.abc import Iterator

from assay.core import Result, Span, metric
from assay.features.encoded import EncoderReading
from assay.meaning.agreement import Agreement, is_decided, is_excluded
from assay.scoring.combination import joint
from assay.textproc.normal import Normal

THRESHOLD = 0.25
GUESSED = 0.1
"""The rules' probability at least, beside the encoder, where they guess between yes and no."""
EXCLUDED = 0.2
"""The probability at most of a response with another figure, "some" for "all", or sure of what the
accepted answer leaves open: of 21 answers of `evouna_qa` that passed although something in them was
named as different, the one with another figure was wrong, and so were 13 of the 16 answers of
`truthfulqa_judged` that passed with another quantity or certainty."""
MENTIONED = 3
"""At most so many missing words are named."""


@metric(
    id="answer.correctness",
    inputs=("response", "expected"),
    range=(0.0, 1.0),
    polarity="higher",
    threshold=THRESHOLD,
    version=14,
    tags=("linear",),
    aliases=("answer_correctness", "correctness", "factual_correctness"),
)
def correctness(
    response_normal: Normal,
    answer_agreement: Agreement | None,
    correctness_probability: float | None,
    correctness_reading: EncoderReading | None,
) -> Result:
    """The probability that the response is right, given the expected answer.

        value = logistic(bias + Σ weight · measure)

    Accepted are `expected`, alternatives in it ("Holland/Netherlands"), and the lists `references`,
    `accepted_answers`, `answers` and `accepted` of the metadata, or of a record `meta`; the one
    that fits best counts. The measures: how much of it the response says (words by stem or base
    form, synonyms and derived words in part, figures by value, short forms such as UK), how much
    else the response says, and what it says otherwise: another number, unit, date, weekday, time or
    rate, another name, a negation more or less, an opposite, changed roles, yes for no, a
    comparison the other way round, two sentences that contradict or correct each other, a list of
    which an item is missing or denied ("cash only" for "by card or in cash"). What the response
    denies ("not Canberra", "Ottawa is not the capital"), gives as an error of others ("many think
    it is Sydney, but …") or says of another ("the legal department" for "the finance department")
    is not said by it. English and Arabic; English synonyms and opposites are those of WordNet and
    of our own lists.

    The weights (`data/models/correctness.json`) are fitted by `training/correctness.py` to answers
    that people judged right or wrong. On groups that were held out the AUROC is 0.959 on
    `evouna_qa`, 0.869 on `openqa_nq301` and 0.729 on `truthfulqa_judged`; at the threshold of 0.25
    people accept 83 % and 89 % of the answers to the first two that pass, and the share that passes
    lies within 8 points of theirs. The cosine of an embedder added nothing to that, so none is
    used.

    Blind spots: it knows nothing of the world, so a right answer in quite other words fails and a
    wrong addition beside the right answer passes; a paraphrase of a long answer is hard to tell
    from another statement on the subject.

    A response has at most 0.2 with another figure than the accepted answer, with another quantity
    ("some" for "all"), with comparison or order turned round, or where only one of the two is
    certain.

    With the trained encoder both are weighed, but for what the rules know for sure: a contradiction
    that they name (another figure, unit, date, yes for no), figures that are the same in another
    form, just what is expected in another order, a list without one of its items. There the rules
    decide; of other names, and of yes or no in other words, the encoder knows more. Where yes or no
    is all that is expected, it says how much better that fits than the other of the two.
    """
    if answer_agreement is None or correctness_probability is None:
        return Result.missing("The expected answer has no words.")
    spans = (
        Span("response", *response_normal.span(one.start, one.end), one.kind)
        for one in answer_agreement.differences
    )
    reading = None if is_decided(answer_agreement) else correctness_reading
    probability = correctness_probability
    if is_excluded(answer_agreement):
        probability = min(probability, EXCLUDED)
    is_guess = answer_agreement.accepted.is_plain_answer and answer_agreement.is_guessed
    if is_guess and reading:
        probability = max(probability, GUESSED)
    value = joint(probability, THRESHOLD, reading, is_guess=is_guess)
    return value.result(_explanation(answer_agreement), tuple(spans))


def _explanation(agreement: Agreement) -> str:
    """What is wrong, in one sentence."""
    reasons = [*_reasons(agreement)]
    if not reasons:
        seems = "seems to say" if agreement.is_guessed else "says"
        return f"The response {seems} what is expected."
    return f"The response {'; it '.join(reasons[:MENTIONED])}."


def _reasons(agreement: Agreement) -> Iterator[str]:
    yield from dict.fromkeys(one.message for one in agreement.differences)
    yield from agreement.conflicts
    if agreement.measures["opposite"] and not agreement.differences:
        yield "has the opposite of an expected word"
    if agreement.measures["unknown"]:
        yield "says that it does not know"
    if agreement.missing:
        shown = ", ".join(f"{word!r}" for word in agreement.missing[:MENTIONED])
        more = " and more" if len(agreement.missing) > MENTIONED else ""
        yield f"lacks {shown}{more}"
