from assay.core import Document, Result, metric
from assay.features.citations import Citation, Citations
from assay.features.normal import normal
from assay.features.words import words

MIN_WORD = 3


def citation_support_rule(overlaps: list[float | None], min_overlap: float = 0.5) -> float | None:
    """The share of citations whose context exists (not None) and overlaps by so much."""
    if not overlaps:
        return None
    return sum(overlap is not None and overlap >= min_overlap for overlap in overlaps) / len(
        overlaps
    )


@metric(
    id="chat.citation_support",
    inputs=("response", "contexts"),
    range=(0.0, 1.0),
    polarity="higher",
    formula=citation_support_rule,
)
def citation_support(
    contexts: tuple[Document, ...], response_citations: Citations, *, min_overlap: float = 0.5
) -> Result:
    """How many of the response's citations lead to a context that says what is cited.

    A citation is a mark in square brackets, or the name of a context in the text. `[2]` is the
    second context, any other mark the context with that id or source. It is supported when the
    context exists and holds at least half (min_overlap) of the distinct words, three characters or
    longer, of the sentence that cites it:

        value = supported citations / citations

    A response without citations has no value.

    Blind spots: word overlap is not proof, and a paraphrase may share too few words. A remark in
    square brackets, such as [sic], is treated as a citation without a context.
    """
    known: dict[int, frozenset[str]] = {}
    overlaps = [_overlap(citation, contexts, known) for citation in response_citations]
    value = citation_support_rule(overlaps, min_overlap)
    if value is None:
        return Result.missing("The response cites nothing.")
    labels = ["no such context" if o is None else _label(o, min_overlap) for o in overlaps]
    return Result(
        value,
        f"{labels.count('supported')} of {len(labels)} citations are supported; "
        f"{labels.count('no such context')} lead to no context.",
        tuple(
            citation.span._replace(label=label)
            for citation, label in zip(response_citations, labels, strict=True)
        ),
    )


def _label(overlap: float, min_overlap: float) -> str:
    return "supported" if overlap >= min_overlap else "unsupported"


def _overlap(
    citation: Citation, contexts: tuple[Document, ...], known: dict[int, frozenset[str]]
) -> float | None:
    """The share of the citing words that the context holds; None where there is no context."""
    place = citation.context
    if place is None:
        return None
    if place not in known:
        known[place] = words.feature(normal.feature(contexts[place].content)).distinct
    cited_words = {word for word in citation.words if len(word) >= MIN_WORD}
    return len(cited_words & known[place]) / len(cited_words) if cited_words else 0.0
