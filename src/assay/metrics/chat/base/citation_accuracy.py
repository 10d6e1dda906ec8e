from collections.abc import Iterable, Mapping, Sequence

from assay.core import Result, Span, metric
from assay.core.wording import counted
from assay.data.lexicons import pattern_weights
from assay.features import Hits

BONUS = 0.1
"""What each further citation adds to the strongest one."""


def citation_accuracy_rule(
    pattern_weights: Sequence[float] | None, n_citations: int | None = None
) -> float | None:
    """The strongest weight in percent, with a bonus for several citations."""
    if pattern_weights is None:
        return None
    count = len(pattern_weights) if n_citations is None else n_citations
    score = 100.0 * max(pattern_weights, default=0.0)
    return min(100.0, score * (1.0 + BONUS * (count - 1))) if count > 1 else score


@metric(
    id="chat.citation_accuracy",
    inputs=("response",),
    range=(0.0, 100.0),
    polarity="higher",
    unit="%",
    lexicons=("citations",),
    formula=citation_accuracy_rule,
)
def citation_accuracy(response_hits: Hits) -> Result:
    """How strongly the response is marked with citations.

    Each kind of mark has a weight: `[1]` 1.0, `[name]` 0.8, "source:" 0.7, `(name)` 0.6,
    "reference:" 0.6, "according to" 0.5. Names are letters, digits and blanks.

        value = 100 · highest weight,  times 1 + 0.1·(n − 1) for n citations, at most 100

    Marks that share text count once, as the strongest. No citation, and an empty response, score 0.

    Blind spots: nothing is resolved. An invented `[7]` scores 100, and any remark in round brackets
    is treated as a source; `chat.citation_support` looks the marks up in the contexts.
    """
    weights = pattern_weights("citations")
    marks = _apart(response_hits["citations"], weights)
    value = citation_accuracy_rule([weights[span.label] for span in marks])
    strongest = max((span.label for span in marks), key=weights.__getitem__, default="")
    detail = f"; the strongest mark is of the kind {strongest!r}" if marks else ""
    return Result(value, f"The response holds {counted(len(marks), 'citation')}{detail}.", marks)


def _apart(hits: Iterable[Span], weights: Mapping[str, float]) -> tuple[Span, ...]:
    """The hits that share no text with a stronger one, in order of place."""
    kept: list[Span] = []
    for hit in hits:
        if not kept or hit.start >= kept[-1].end:
            kept.append(hit)
        elif weights[hit.label] > weights[kept[-1].label]:
            kept[-1] = hit
    return tuple(kept)
