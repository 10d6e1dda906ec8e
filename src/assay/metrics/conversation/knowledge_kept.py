from assay.core import Result, Span, metric
from assay.core.wording import counted
from assay.features.turns import Turns, by
from assay.scoring.dialogue import needless_questions


@metric(
    id="conversation.knowledge_kept",
    inputs=("conversation",),
    range=(0.0, 1.0),
    polarity="higher",
    threshold=1.0,
    version=2,
    aliases=("knowledge_retention",),
)
def knowledge_kept(turns: Turns) -> Result:
    """Whether the assistant remembers what the user has told it.

    It does not where it asks the same question again after the user has answered, or asks for what
    the user has told. Two questions are the same when they share most of their words, but for
    grammar words (0.7 of all words of both). A thing was told where a turn of the user names it
    with a value: "My order number is 5512" and "order 5512" before "What is your order number?" or
    "Please give me your order number".

        value = 1 − questions that were answered before / questions of the assistant

    The evidence marks these questions.

    Blind spots: a question in other words is not found, things that are told are seen in English
    only, and asking again may be right where the answer was none.
    """
    questions, needless = needless_questions(turns)
    if not by("assistant", turns):
        return Result.missing("The conversation has no turn of the assistant.")
    if not questions:
        return Result.missing("The assistant asks nothing.")
    spans = [Span(*one.span[:3], f"answered since turn {turn + 1}") for one, turn in needless]
    return Result(
        1.0 - len(needless) / questions,
        f"{len(needless)} of {counted(questions, 'question')} had been answered before.",
        spans,
    ).limited()
