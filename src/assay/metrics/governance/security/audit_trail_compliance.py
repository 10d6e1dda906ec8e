from collections.abc import Mapping
from typing import Any

from assay.core import Result, metric

FIELDS = ("session_id", "timestamp", "user_id")
"""What an audit trail needs to find a call again."""


def score(
    metadata: Mapping[str, Any] | None = None, fields: tuple[str, ...] = FIELDS
) -> float | None:
    """The share of the fields that the metadata hold; None when no field is asked for."""
    present = [name for name in fields if _is_present(metadata or {}, name)]
    return len(present) / len(fields) if fields else None


@metric(
    id="governance.audit_trail_compliance",
    inputs=(),
    range=(0.0, 1.0),
    polarity="higher",
    formula=score,
)
def audit_trail_compliance(
    metadata: Mapping[str, Any],
    response: str | None,
    *,
    fields: tuple[str, ...] = FIELDS,
) -> Result:
    """Whether the call can be traced in an audit trail.

        value = fields that are present and not blank / fields

    The `fields` are `session_id`, `timestamp` and `user_id` of the metadata, unless others are
    chosen. Metadata without any of them score 0. There is no score for a sample with neither
    metadata nor a response.

    Blind spots: what the fields say is not examined; a made-up user counts.
    """
    if not metadata and response is None:
        return Result.missing("The sample has neither metadata nor a response.")
    value = score(metadata, fields)
    if value is None:
        return Result.missing("No field is asked for.")
    absent = [name for name in fields if not _is_present(metadata, name)]
    explanation = f"Absent or blank: {', '.join(absent)}." if absent else "All fields are present."
    return Result(value, explanation, details={"absent": absent})


def _is_present(metadata: Mapping[str, Any], name: str) -> bool:
    """Whether a field says something; 0 and False do."""
    value = metadata.get(name)
    return value is not None and bool(str(value).strip()) and value not in ([], (), {})
