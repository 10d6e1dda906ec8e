from assay.core import Document, Result, metric
from assay.core.wording import counted
from assay.features.contexts import context_spans

RELEVANT = 0.5
"""The probability from which on the explanation counts a context as relevant."""


@metric(
    id="rag.context_relevance",
    inputs=("query", "contexts"),
    range=(0.0, 1.0),
    polarity="higher",
    version=4,
    aliases=("context_relevance", "context_relevancy", "contextual_relevancy"),
)
def context_relevance(
    context_relevances: tuple[float, ...] | None, contexts: tuple[Document, ...]
) -> Result:
    """How much of what was retrieved has to do with the query.

        value = mean over contexts of the probability that the context is relevant

    The probability comes from a linear model over the share of the query's words that the context
    has (rare ones count more, words of like meaning and other forms in part), the share that one
    sentence has, word pairs and numbers. It was fitted on sentences and paragraphs that people
    marked as the place of an answer (`training/context_relevance.py`). A query in another language
    than all contexts has no value.

    Blind spots: a context that answers in quite other words is taken for irrelevant, and one that
    repeats the question for relevant.
    """
    if not contexts:
        return Result.missing("There are no contexts.")
    if context_relevances is None:
        return Result.missing(
            "The query has no words to compare, or is in another language than the contexts."
        )
    relevant = [own >= RELEVANT for own in context_relevances]
    labels = enumerate("relevant" if own else "not relevant" for own in relevant)
    return Result(
        sum(context_relevances) / len(context_relevances),
        f"Relevant to the query: {sum(relevant)} of {counted(len(relevant), 'context')}.",
        context_spans(contexts, labels),
        {"probabilities": [round(own, 4) for own in context_relevances]},
    )
