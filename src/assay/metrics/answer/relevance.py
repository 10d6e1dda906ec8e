from assay.core import Result, Span, metric
from assay.features.encoded import EncoderReading
from assay.meaning.relevance import Relevance, is_of_other_kind, kind_fit
from assay.scoring.combination import joint
from assay.textproc.normal import Normal

THRESHOLD = 0.50
TRANSLATED, NOT_TRANSLATED = 0.9, 0.1
"""The probability at least of a translation into the language asked for, and at most of a remark on
that language instead: our choice, there are no labelled records of it."""
COURTESY = 0.9
"""The probability at least of a greeting that is returned: our choice, for the same reason."""
RULES_ALONE = (0.3, 0.7)
"""Between which values the verdict on an Arabic response is unsure: our choice. No encoder reads
Arabic here, and no labelled Arabic records show that the verdicts of the rules are right."""
KINDS = {
    "procedure": "how to do it",
    "reason": "a reason",
    "rate": "how often",
    "money": "an amount of money",
    "duration": "a length of time",
    "number": "a number",
    "time": "a time or date",
    "person": "a person",
    "place": "a place",
    "yes_or_no": "yes or no",
    "items": "a list",
    "letter": "a text to somebody",
    "consequence": "what follows",
    "difference": "a difference",
    "composition": "what belongs to it",
}
"""Kind of answer → how the explanation calls it."""


@metric(
    id="answer.relevance",
    inputs=("query", "response"),
    range=(0.0, 1.0),
    polarity="higher",
    threshold=THRESHOLD,
    version=14,
    tags=("linear",),
    aliases=("answer_relevancy", "answer_relevance", "response_relevancy"),
)
def relevance(
    response_normal: Normal,
    answer_relevance: Relevance,
    relevance_probability: float,
    relevance_reading: EncoderReading | None,
    response_language: str,
) -> Result:
    """The probability that the response addresses the query, right or wrong.

        value = logistic(bias + Σ weight · measure)

    A question asks for a kind of answer: yes or no, a person, a place, a time, a number, money, a
    length of time, how often, a reason, how to do it, a list, what follows, a difference. The
    measures: whether the response has something of that kind, or begins with another one (yes to
    "who", an order to "when"), how many words of the query it takes up, how much new it says, and
    whether it repeats the question, says that it does not know, declines, or praises its author
    instead; with an embedder also the cosine of query and response. What is made to order ("Write a
    riddle …") need not take up its words, and a greeting is returned by another one. Where a
    translation is asked for, a text in that language is relevant and a remark on the language is
    not. A wrong answer is relevant. The
    weights (`data/models/relevance.json`, `relevance_semantic.json`) are fitted by
    `training/relevance.py`. English and Arabic.

    On groups that were held out the AUROC is 0.93 for answers beside those of other questions, 0.74
    for answers beside dodges (`truthfulqa_informative`), and 0.70 (Arabic 0.61) for bare answers
    beside those of another question on the same paragraph; without an embedder 0.88, 0.75, 0.65
    and 0.58.

    With the trained encoder both are weighed: what it says, and whether the response has the kind
    of answer that is asked for. How many words it shares with the query then counts little: answers
    to another question of the same subject share most. A date given to "where", or a mere yes to
    "how many", is judged by the rules alone.

    The verdict on an Arabic response is unsure from 0.3 to 0.7: rules alone speak there, and no
    labelled Arabic records show that their verdicts are right.

    Blind spots: an answer of the right kind to another question of the same subject passes, and an
    answer in other words to an open question ("which", "what") is hard to tell from another topic.
    """
    spans = tuple(
        Span("response", *response_normal.span(start, end), answer_relevance.kind)
        for start, end in answer_relevance.spans
    )
    kind = kind_fit(answer_relevance)
    probability, reading = relevance_probability, relevance_reading
    if answer_relevance.is_translated is not None:
        reading = None
        probability = (
            max(probability, TRANSLATED)
            if answer_relevance.is_translated
            else min(probability, NOT_TRANSLATED)
        )
    if is_of_other_kind(answer_relevance):
        reading = None
    if answer_relevance.is_courtesy:
        reading, probability = None, max(probability, COURTESY)
    value = joint(probability, THRESHOLD, reading, kind=kind)
    result = value.result(f"The response {_reason(answer_relevance)}.", spans).limited()
    if response_language != "ar":
        return result
    return result._replace(threshold=THRESHOLD, unsure=RULES_ALONE)


def _reason(result: Relevance) -> str:
    """What speaks most for or against it."""
    own = result.measures
    results = KINDS.get(result.kind, "")
    if result.is_courtesy:
        return "returns a greeting or thanks"
    if result.is_translated is not None:
        return "is in the language asked for" if result.is_translated else "translates nothing"
    reasons = {
        "empty": "is empty",
        "echo": "repeats the question",
        "declines": "declines to answer",
        "unknown": "says that it does not know",
        "yes_to_open": f"says yes or no where {results} is asked for",
        "order_to_other": f"gives an instruction where {results or 'something else'} is asked for",
        "other_figure": f"gives another kind of figure than {results}, which is asked for",
        "not_given": f"has nothing like {results or 'that'}, which is asked for",
        "evasive": "speaks of its author instead",
        "unshared": "shares no word with the question",
    }
    against = [text for name, text in reasons.items() if own[name]]
    if result.spans:
        against = [text for text in against if text != reasons["unshared"]]
    if against:
        return against[0]
    if result.spans:
        return f"gives {results}, as asked for"
    return "takes up the question" if own["shared"] else "may be what is asked for"
