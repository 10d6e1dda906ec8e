from assay.core import Result, Span, metric
from assay.features.turns import Turns, by
from assay.scoring.dialogue import asked_again


@metric(
    id="conversation.knowledge_kept",
    inputs=("conversation",),
    range=(0.0, 1.0),
    polarity="higher",
    threshold=1.0,
    aliases=("knowledge_retention",),
)
def knowledge_kept(turns: Turns) -> Result:
    """Whether the assistant remembers what the user has told it.

    It does not where it asks the same question again after the user has answered. Two questions are
    the same when they share most of their words, but for grammar words (0.7 of all words of both):

        value = 1 − questions that were asked before / questions of the assistant

    The evidence marks the questions asked again.

    Blind spots: a question in other words is not found, and asking again may be right where the
    answer was none.
    """
    questions, again = asked_again(turns)
    if not by("assistant", turns):
        return Result.missing("The conversation has no turn of the assistant.")
    if not questions:
        return Result.missing("The assistant asks nothing.")
    spans = [Span(*one.span[:3], f"asked in turn {before.turn + 1}") for one, before in again]
    return Result(
        1.0 - len(again) / questions,
        f"{len(again)} of {questions} questions were asked before.",
        spans,
    ).limited()
