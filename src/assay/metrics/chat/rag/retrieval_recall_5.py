from assay.core import Document, Result, Span, metric
from assay.features.contexts import FIRST
from assay.features.source_ranks import SourceRanks


def recall(found_sources: int | None, n_expected_sources: int | None) -> float | None:
    """The share of expected sources that were found, in percent; None when none is expected."""
    if found_sources is None or not n_expected_sources:
        return None
    return min(100.0, 100.0 * found_sources / n_expected_sources)


@metric(
    id="chat.retrieval_recall_5",
    inputs=("expected_sources", "contexts"),
    range=(0.0, 100.0),
    polarity="higher",
    version=2,
    unit="%",
    formula=recall,
)
def retrieval_recall_5(
    expected_sources: tuple[str, ...],
    contexts: tuple[Document, ...],
    source_ranks: SourceRanks | None,
) -> Result:
    """How many of the expected sources are among the first five contexts.

        value = expected sources found in contexts[:5] / expected sources · 100

    A source is found when a context's id, source or file name is equal to it (case, folder and
    ending do not matter). A source of several words may also be a passage: it is found when a
    context has the same text, holds it, is a part of it, or differs in few words and in no number.
    Each source counts once. Without expected sources or contexts there is no score. The PyAI-Slayer
    guide's target is 85.

    Blind spots: a document that says the same in other words is not the source, and a file of the
    same name in another folder is.
    """
    if source_ranks is None:
        return Result.missing("No expected source has a name.")
    missed = source_ranks.missed(FIRST)
    n_expected = len(source_ranks.sources)
    matched = n_expected - len(missed)
    return Result(
        recall(matched, n_expected),
        f"{matched} of {n_expected} expected sources are among the first "
        f"{min(FIRST, len(contexts))} contexts.",
        tuple(
            Span(f"expected_sources[{expected_sources.index(source)}]", 0, len(source), "not found")
            for source in missed
        ),
        {"not_found": missed},
    )
