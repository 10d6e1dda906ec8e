from assay.core import Document, Result, metric
from assay.features.source_ranks import SourceRanks
from assay.scoring import retrieval


@metric(
    id="rag.recall_at_k",
    inputs=("expected_sources", "contexts"),
    range=(0.0, 1.0),
    polarity="higher",
    tags=("rules", "exact"),
    exact=True,
    aliases=("rag.recall", "recall_at_k"),
)
def recall_at_k(
    source_ranks: SourceRanks | None, contexts: tuple[Document, ...], *, k: int = 5
) -> Result:
    """How many of the expected sources are among the first k contexts.

        value = expected sources found in contexts[:k] / expected sources

    A context is an expected source when its id, source or file name is equal to the expected name
    (case, folder and ending do not matter), or, for an expected passage of more than six words,
    when it has the same text, holds it, is part of it or differs in few words and in no number. A
    text that is only similar does not count. A source that is expected twice
    counts once.

    Blind spots: a passage in other words, or under another name, is taken for another source.
    """
    if source_ranks is None:
        return Result.missing("No source is expected.")
    value = retrieval.recall_at(source_ranks.ranking, k, len(source_ranks.sources))
    result = len(source_ranks.sources) - len(source_ranks.missed(k))
    return Result(
        value,
        f"{result} of {len(source_ranks.sources)} expected sources are among the first "
        f"{min(k, len(contexts))} contexts.",
        source_ranks.spans(contexts, k),
        {"missed": source_ranks.missed(k)},
    )
