"""The sum of what counts against a text, behind compliance and ethical violation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from assay.core.result import Result
from assay.scoring.findings import FULL


def violations(values: Iterable[float | None]) -> float | None:
    """The sum, at most 100; an absent value counts 0, and without any there is no sum."""
    present = [value for value in values if value is not None]
    return min(sum(present), FULL) if present else None


def combine(scores: Mapping[str, Result], rule: Callable[..., float | None], name: str) -> Result:
    """The result of a rule over the values of other metrics; a part that failed fails it too."""
    for id, part in scores.items():
        if part.state == "error":
            return Result.error(f"{id!r} failed, so that there is no {name}.")
    values = {id: part.value for id, part in scores.items()}
    value = rule(*values.values())
    if value is None:
        return Result.missing(f"None of {', '.join(map(repr, scores))} has a value.")
    listed_parts = ", ".join(
        f"{id} {'absent' if v is None else format(v, '.1f')}" for id, v in values.items()
    )
    spans = {span for part in scores.values() for span in part.evidence}
    return Result(
        value,
        f"{name.capitalize()} {value:.1f} from {listed_parts}.",
        tuple(sorted(spans)),
        {"parts": values},
    )
