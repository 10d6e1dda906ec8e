from assay.core import Result, Span, metric
from assay.features.turns import Turns, by
from assay.scoring.dialogue import opposed


@metric(
    id="conversation.self_contradiction",
    inputs=("conversation",),
    range=(0.0, 1.0),
    polarity="lower",
    threshold=0.0,
    version=2,
    aliases=("turn_consistency",),
)
def self_contradiction(turns: Turns) -> Result:
    """How often the assistant says the opposite of what it said in an earlier turn.

    Each statement is compared with those of earlier turns as `rag.contradiction` compares with
    contexts: another number of the same unit, another date, a negation that only one of them has,
    a word of opposite meaning:

        value = statements against an earlier one / statements of the assistant

    Questions, requests, offers, lists and what holds in one case only ("If you have insurance, …")
    are no statements. A statement about an occasion or a group of its own ("on Sundays", "for
    children"), by its own words or those of the question, is not held against one that does not
    speak of it, nor is one that names others ("We ship to Japan", "We do not ship to Norway"). The
    first 80 sentences of the assistant are read. The evidence marks the later statement.

    Blind spots: what changed in between, such as a booking that is now cancelled, looks like a
    contradiction, and so do figures of two things that are named alike. Contradictions without such
    a sign are not found.
    """
    if not by("assistant", turns):
        return Result.missing("The conversation has no turn of the assistant.")
    statements, against = opposed(turns)
    if not statements:
        return Result.missing("The assistant states nothing.")
    spans = [Span(*one.span[:3], f"against turn {turn + 1}") for one, turn in against]
    return Result(
        len(against) / statements,
        f"{len(against)} of {statements} statements go against an earlier one.",
        spans,
    ).limited()
