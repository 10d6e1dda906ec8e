from assay.core import Document, Result, Span, metric
from assay.features.contexts import FIRST, SHOWN, SourceMatch


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
    unit="%",
    tags=("model",),
    formula=recall,
)
def retrieval_recall_5(
    expected_sources: tuple[str, ...],
    contexts: tuple[Document, ...],
    source_matches: tuple[SourceMatch, ...],
    *,
    similarity_threshold: float = 0.5,
) -> Result:
    """How many of the expected sources are among the first five contexts.

        value = expected sources found in contexts[:5] / expected sources · 100

    A source is found when a context's id, source or file name is equal to it (case does not
    matter), when a context's content holds it as whole words, or else when the similarity of source
    and content is at least `similarity_threshold`. The model is asked about sources only that no
    context names. Without expected sources or contexts there is no score. The PyAI-Slayer guide's
    target is 85.

    Blind spots: a short name such as "budget" is found in any content with that word, and a
    similarity is no proof that the content comes from that source.
    """
    missed = [
        place
        for place, found in enumerate(source_matches)
        if found.context is None or found.similarity < similarity_threshold
    ]
    found = len(expected_sources) - len(missed)
    value = recall(found, len(expected_sources))
    return Result(
        value,
        f"{found} of {len(expected_sources)} expected sources are among the first "
        f"{min(FIRST, len(contexts))} contexts.",
        tuple(
            Span(f"expected_sources[{place}]", 0, len(expected_sources[place]), "not found")
            for place in missed[:SHOWN]
            if expected_sources[place]
        ),
        {
            "contexts": [m.context for m in source_matches],
            "similarities": [m.similarity for m in source_matches],
        },
    )
