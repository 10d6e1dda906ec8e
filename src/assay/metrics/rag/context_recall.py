from assay.core import Result, Span, metric
from assay.core.wording import counted
from assay.features.answer_places import AnswerPlaces
from assay.features.chunks import Chunks
from assay.scoring.statements import quote


@metric(
    id="rag.context_recall",
    inputs=("expected", "contexts"),
    range=(0.0, 1.0),
    polarity="higher",
    version=6,
    threshold=0.5,
    aliases=("context_recall", "contextual_recall"),
)
def context_recall(answer_places: AnswerPlaces, context_chunks: Chunks) -> Result:
    """How much of the expected answer the contexts hold.

        value = statements of the expected answer that the contexts hold / its statements

    A statement of more than five content words is held when its probability by the model of
    `rag.faithfulness` is at least 0.5. A shorter answer is held when a sentence with its
    neighbours has at least 0.8 of its words, in any form, and all of its numbers.

    Blind spots: a short answer that stands in a context by chance counts as held, and one that a
    context says in other words does not. An answer in another language than the contexts is held
    by its numbers alone.
    """
    places = answer_places
    if not context_chunks.documents:
        return Result.missing("There are no contexts.")
    if not places.statements:
        return Result.missing("The expected answer says nothing.")
    held = sum(places.together)
    lacking = [
        one.claim
        for one, is_held in zip(places.statements, places.together, strict=True)
        if not is_held
    ]
    missed = f"; “{quote(lacking[0].text)}” is not among them" if lacking else ""
    return Result(
        held / len(places.together),
        f"The contexts hold {held} of {counted(len(places.together), 'statement')} of the expected "
        f"answer{missed}.",
        tuple(Span("expected", claim.start, claim.end, "not in the contexts") for claim in lacking),
        {"contexts": [sorted(own) for own in places.contexts]},
    )
