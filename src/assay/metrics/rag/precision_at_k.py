from assay.core import Document, Result, metric
from assay.features.source_ranks import SourceRanks
from assay.scoring import retrieval


@metric(
    id="rag.precision_at_k",
    inputs=("expected_sources", "contexts"),
    range=(0.0, 1.0),
    polarity="higher",
    tags=("rules", "exact"),
    exact=True,
    aliases=("precision_at_k", "rag.precision"),
)
def precision_at_k(
    source_ranks: SourceRanks | None, contexts: tuple[Document, ...], *, k: int = 5
) -> Result:
    """How many of the first k contexts are expected sources.

        value = expected contexts in contexts[:k] / min(k, contexts)

    A context is an expected source when its id, source or file name is equal to the expected name
    (case, folder and ending do not matter), or, for an expected passage of more than six words,
    when it has the same text, holds it, is part of it or differs in few words and in no number. A
    text that is only similar does not count. Several contexts of one source all count.

    Blind spots: a passage in other words, or under another name, is taken for another source.
    """
    if source_ranks is None:
        return Result.missing("No source is expected.")
    value = retrieval.precision_at(source_ranks.ranking, k)
    first = source_ranks.ranking[:k]
    return Result(
        value,
        f"{sum(map(bool, first))} of the first {len(first)} contexts are expected sources.",
        source_ranks.spans(contexts, k),
        {"missed": source_ranks.missed(k)},
    )
