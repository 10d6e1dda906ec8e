"""Scores that somebody has already given, in a sample's metadata."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.core.result import Result


def stated_score(metadata: Mapping[str, Any] | None, key: str, default: float) -> float | None:
    """The score under a key, the default without one; None for what is no number from 0 to 1."""
    stated = (metadata or {}).get(key)
    if stated is None:
        return default
    is_number = isinstance(stated, int | float) and not isinstance(stated, bool)
    return float(stated) if is_number and 0 <= stated <= 1 else None


def stated_result(
    value: float | None, metadata: Mapping[str, Any], response: str | None, key: str
) -> Result:
    """The result of a metric whose `value` people state under a key; `imputed` where they do not.

    Without a score and without a response there is nothing to have an opinion on: `missing`.
    """
    if value is None:
        return Result.missing(f"The metadata's {key!r} is no number from 0 to 1.")
    if metadata.get(key) is not None:
        return Result(value, f"The metadata's {key!r} is {value:g}.")
    if response is None:
        return Result.missing(f"The sample has neither {key!r} in its metadata nor a response.")
    return Result.imputed(value, f"Nobody gave a {key!r}; {value:g} stands in for it.")
