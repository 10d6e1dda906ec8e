from assay.core import Document, Result, metric
from assay.features.source_ranks import SourceRanks
from assay.scoring import retrieval


@metric(
    id="rag.hit_rate",
    inputs=("expected_sources", "contexts"),
    range=(0.0, 1.0),
    polarity="higher",
    threshold=1.0,
    tags=("rules", "exact"),
    exact=True,
    aliases=("hit_at_k", "hit_rate", "rag.hit_at_k"),
)
def hit_rate(
    source_ranks: SourceRanks | None, contexts: tuple[Document, ...], *, k: int = 5
) -> Result:
    """Whether an expected source is among the first k contexts.

        value = 1 if one of contexts[:k] is an expected source, else 0

    A context is an expected source when its id, source or file name is equal to the expected name
    (case, folder and ending do not matter), or, for an expected passage of more than six words,
    when it has the same text, holds it, is part of it or differs in few words and in no number. A
    text that is only similar does not count.

    Blind spots: a passage in other words, or under another name, is taken for another source.
    """
    if source_ranks is None:
        return Result.missing("No source is expected.")
    value = retrieval.hit_rate(source_ranks.ranking, k)
    return Result(
        value,
        f"{'An' if value else 'No'} expected source is among the first "
        f"{min(k, len(contexts))} contexts.",
        source_ranks.spans(contexts, k),
        {"missed": source_ranks.missed(k)},
    )
