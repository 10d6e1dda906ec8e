from collections.abc import Mapping

from assay.core import Result, metric


@metric(
    id="text.overall",
    inputs=(),
    range=(0.0, 1.0),
    polarity="higher",
    version=2,
)
def overall(
    scores: Mapping[str, Result],
    *,
    metrics: tuple[str, ...] = (
        "text.hallucination",
        "text.factuality",
        "text.relevance",
        "text.coherence",
        "text.safety",
    ),
    weights: Mapping[str, float] | None = None,
) -> Result:
    """The combined score of several metrics.

        value = Σ weight·quality / Σ weight,   weights are 1 unless given

    Only computed scores enter: missing, failed and imputed ones are left out and counted in the
    explanation. It has no threshold and so no verdict, unless you set one; the evaluators have
    theirs, and the details say whether all of those passed.

    Blind spots: a mean hides a bad part behind good ones; look at the parts before deciding.
    """
    weight_of = weights or {}
    parts = {id: r.quality for id, r in scores.items() if r.state == "ok" and r.quality is not None}
    total = sum(weight_of.get(id, 1.0) for id in parts)
    if not total:
        return Result.missing("None of its metrics has a score.")
    verdicts = [scores[id].passed for id in parts if scores[id].passed is not None]
    value = sum(weight_of.get(id, 1.0) * quality for id, quality in parts.items()) / total
    return Result(
        min(1.0, value),
        f"The mean of {len(parts)} scores; {len(scores) - len(parts)} of {len(scores)} left out.",
        details={"parts": parts, "all_passed": all(verdicts) if verdicts else None},
    )
