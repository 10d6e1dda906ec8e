from assay.core import Document, Result, metric
from assay.features.source_ranks import SourceRanks
from assay.scoring import retrieval


@metric(
    id="rag.mrr",
    inputs=("expected_sources", "contexts"),
    range=(0.0, 1.0),
    polarity="higher",
    tags=("rules", "exact"),
    exact=True,
    aliases=("mean_reciprocal_rank", "mrr", "rag.mean_reciprocal_rank", "rag.reciprocal_rank"),
)
def mrr(source_ranks: SourceRanks | None, contexts: tuple[Document, ...], *, k: int = 10) -> Result:
    """How early the first expected source comes among the contexts.

        value = 1 / rank of the first expected source in contexts[:k], else 0

    A context is an expected source when its id, source or file name is equal to the expected name
    (case, folder and ending do not matter), or, for an expected passage of more than six words,
    when it has the same text, holds it, is part of it or differs in few words and in no number. A
    text that is only similar does not count. The mean over samples is the MRR.

    Blind spots: a passage in other words, or under another name, is taken for another source.
    """
    if source_ranks is None:
        return Result.missing("No source is expected.")
    value = retrieval.reciprocal_rank(source_ranks.ranking, k)
    rank = f"has rank {round(1 / value)}" if value else f"is not among the first {k} contexts"
    return Result(
        value,
        f"The first expected source {rank}.",
        source_ranks.spans(contexts, k),
        {"missed": source_ranks.missed(k)},
    )
