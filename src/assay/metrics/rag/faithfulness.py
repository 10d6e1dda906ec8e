from assay.core import Result, metric
from assay.features.chunks import Chunks
from assay.features.statements import Statements, plain, probability
from assay.features.tool_calls import Calls
from assay.scoring.statements import evidence, explain, threshold_of, with_doubt, with_encoder

THRESHOLD = 0.5
"""Scores are calibrated on BEGIN and the FaithDial audit, so that a statement passes when it is
more likely supported than not: of held-out groups 46 % and 21 % pass where people accept 42 % and
26 %. `training/faithfulness.py` prints it."""


@metric(
    id="rag.faithfulness",
    inputs=("response", "contexts"),
    range=(0.0, 1.0),
    polarity="higher",
    version=14,
    threshold=THRESHOLD,
    aliases=("faithfulness", "groundedness", "rag.groundedness"),
)
def faithfulness(
    response_verified: Statements,
    context_chunks: Chunks,
    made_calls: Calls | None,
    response_language: str,
) -> Result:
    """The probability that the contexts support every statement of the response.

    Each sentence of the response is compared with the sentence of the contexts that shares most of
    its words, and with the neighbours of that sentence. Measures of the two go through a linear
    model that was fitted on human labels (`training/faithfulness.py`):

        probability of a statement = logistic(bias + Σ weight · measure)
        value = the least probability of all statements

    Measures are shared words, stems, words of like meaning and word pairs, words in one sentence,
    numbers with units, dates, weekdays and times of day that stand elsewhere or nowhere, names,
    negations, opposites, quantifiers, modal verbs, exchanged causes and conditions, exchanged sides
    of a comparison, numbers that belong to another word or another document, first person, and how
    many words of the whole response the contexts have. An amount in other words or units, such as
    "an hour and a half" for 90 minutes, and a figure that one step of arithmetic gives from those
    of the contexts, count as stated. "The text does not mention …" and "I don't have information
    about …" are supported when the contexts say nothing of it. Words that say little by themselves
    ("possible", "take place") and words of the same matter ("pay", "euros") count as shared in
    part. A verb that is given to another one, in the active or the passive voice, what is said of
    another of two things, of everybody else or of none, a plan told as a fact, a permission for
    those who are excluded, a comparison that ranks or amounts refute, and cause and effect
    exchanged count against it; so do steps told in another order, the wrong side as the winner, a
    price for what is free, an amount that rose told as a fall or that applies from another date on,
    another share of a whole ("half" of 20 out of 50), a day on which something is closed, the hours
    of another day, the end of a period told as its beginning, another time between two others, what
    happened in another place, what a sentence says of another by a pronoun, a condition told as
    met, a duty of those who are free of it, and the way back. Where a passage proves a statement in
    one of these ways, the rules count for more than the encoder. Exceptions, dropped conditions,
    names and figures that belong to another verb, clause or thing count against a statement;
    opposites told from the other side ("shorter than", "longer than") count for it. The explanation
    names the statement with least support and what speaks against it; the evidence marks the place,
    and the sentence that says otherwise. A response without a sentence is one statement; one
    without words, of a system that calls no tools either, is worth 0.

    With the trained encoder both are weighed: the probability by the rules, what they name as said
    otherwise, and what the encoder says of the statement beside the places of the contexts. Where
    both together are in doubt the verdict is unsure. So it is outside of English between 0.2 and
    0.5, where nothing but words that no context has speaks against a statement.

    Blind spots: numbers worked out in several steps, inference over several steps, irony,
    and paraphrases that share no word with the contexts are taken for unsupported; a false
    statement in the words of one sentence may pass when no number, name, negation or listed
    opposite gives it away. Languages other than English and
    Arabic are judged by words, numbers and names alone, and a response in another language than
    the contexts by numbers and names.
    """
    if not context_chunks.documents:
        return Result.missing("There are no contexts.")
    if not response_verified and made_calls:
        return Result.missing("The response says nothing, and calls tools.")
    if not response_verified:
        return Result(0.0, "The response says nothing.", (), {"statements": []})
    value, statements = probability(response_verified), response_verified
    threshold = threshold_of(statements, THRESHOLD)
    result = Result(
        value,
        explain(statements, threshold),
        evidence(statements, context_chunks, threshold),
        {"statements": [plain(one) for one in statements]},
    )
    return with_doubt(with_encoder(result, statements), statements, response_language)
