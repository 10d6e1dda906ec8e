from assay.core import Document, Result, metric
from assay.features.source_ranks import SourceRanks
from assay.scoring import retrieval


@metric(
    id="rag.ndcg",
    inputs=("expected_sources", "contexts"),
    range=(0.0, 1.0),
    polarity="higher",
    tags=("rules", "exact"),
    exact=True,
    aliases=("ndcg", "ndcg_at_k", "rag.ndcg_at_k"),
)
def ndcg(
    source_ranks: SourceRanks | None, contexts: tuple[Document, ...], *, k: int = 10
) -> Result:
    """How near the order of the contexts comes to the best one, with expected sources on top.

        value = DCG / best possible DCG
        DCG = Σ 1 / log2(rank + 1) over the expected sources in contexts[:k]

    A context is an expected source when its id, source or file name is equal to the expected name
    (case, folder and ending do not matter), or, for an expected passage of more than six words,
    when it has the same text, holds it, is part of it or differs in few words and in no number. A
    text that is only similar does not count. A second context of the same source
    adds nothing.

    Blind spots: a passage in other words, or under another name, is taken for another source.
    """
    if source_ranks is None:
        return Result.missing("No source is expected.")
    value = retrieval.ndcg_at(source_ranks.ranking, k, len(source_ranks.sources))
    result = len(source_ranks.sources) - len(source_ranks.missed(k))
    return Result(
        value,
        f"{result} of {len(source_ranks.sources)} expected sources are among the first "
        f"{min(k, len(contexts))} contexts; their order has {value:.2f} of the best possible gain.",
        source_ranks.spans(contexts, k),
        {"missed": source_ranks.missed(k)},
    )
