from assay.core import Document, Result, metric
from assay.core.wording import counted
from assay.features.answer_places import AnswerPlaces
from assay.features.contexts import context_spans
from assay.scoring.retrieval import average_precision_at


@metric(
    id="rag.context_precision",
    inputs=("expected", "contexts"),
    range=(0.0, 1.0),
    polarity="higher",
    version=6,
    aliases=("context_precision", "contextual_precision"),
)
def context_precision(
    answer_places: AnswerPlaces, contexts: tuple[Document, ...], *, k: int = 10
) -> Result:
    """How far the contexts that hold the expected answer stand above those that do not.

        value = mean over useful contexts in contexts[:k] of: useful ones up to its rank / its rank

    A context is useful when it holds a statement of the expected answer by itself, as in
    `rag.context_recall`; only statements that all contexts together hold are looked for, and only
    in contexts with at least 0.8 of the words that all of them have. Without a useful context the
    value is 0.

    Blind spots: those of `rag.context_recall`; a context that leads to the answer without holding
    it counts as useless.
    """
    if not contexts:
        return Result.missing("There are no contexts.")
    if not answer_places.statements:
        return Result.missing("The expected answer says nothing.")
    held = frozenset().union(*answer_places.contexts)
    useful = [rank in held for rank in range(len(contexts))]
    first = next((f", the first at rank {n}" for n, own in enumerate(useful[:k], 1) if own), "")
    labels = enumerate("holds the answer" if own else "does not hold it" for own in useful[:k])
    return Result(
        average_precision_at(useful, k),
        f"The expected answer is in {sum(useful[:k])} of the first "
        f"{counted(min(k, len(contexts)), 'context')}{first}.",
        context_spans(contexts, labels),
        {"useful": useful},
    )
