from collections.abc import Mapping

from assay.core import Result, metric


def f1(accuracy: float | None, completeness: float | None) -> float | None:
    """The harmonic mean of both; 0 when both are 0, None where one is absent."""
    if accuracy is None or completeness is None:
        return None
    total = accuracy + completeness
    return min(1.0, 2 * accuracy * completeness / total) if total else 0.0


@metric(
    id="governance.f1_score",
    inputs=(),
    range=(0.0, 1.0),
    polarity="higher",
    version=4,
    tags=("model",),
    formula=f1,
)
def f1_score(
    scores: Mapping[str, Result],
    *,
    metrics: tuple[str, ...] = ("governance.accuracy", "governance.completeness"),
) -> Result:
    """How accurate and complete the response is, combined.

        value = 2 · accuracy · completeness / (accuracy + completeness), 0 when both are 0

    It is missing where one of the two is, imputed where one of them is, and it fails when one of
    them failed.

    Blind spots: despite its name it is not an F1, for its parts are not the precision and recall of
    one question; it tells nothing that the two do not.
    """
    accuracy, completeness = scores.values()
    if failed := next((part for part in scores.values() if part.state == "error"), None):
        return Result.error(failed.explanation)
    value = f1(accuracy.value, completeness.value)
    if value is None:
        return next(part for part in scores.values() if part.value is None)
    is_imputed = any(part.state == "imputed" for part in scores.values())
    return Result(
        value,
        f"The harmonic mean of accuracy {accuracy.value:.2f} and completeness "
        f"{completeness.value:.2f}.",
        (*accuracy.evidence, *completeness.evidence),
        state="imputed" if is_imputed else "ok",
    )
