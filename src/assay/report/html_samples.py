"""The samples that a report holds: the worst ones, within a number and a size.

Each is kept as the JSON text that goes into the page, so memory does not grow with the run.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from itertools import islice
from typing import Any

from assay.core import Result, Sample, Scores
from assay.core.jsontext import dumps
from assay.core.plain import sample_json, sendable

MOST = 500
"""Samples of one report."""
ROOM = 5_000_000
"""Characters of JSON that the samples of one report take, if there is more than one."""
MAX_TEXT = 20_000
"""Characters of one text."""
MAX_ENTRIES = 500
"""Entries of one list or object."""
UNKNOWN = "unknown"
"""The language of a sample whose scores were not made by the engine."""


class WorstSamples:
    """Keeps the samples with the lowest scores; those without a score count as the best."""

    def __init__(self, most: int = MOST, room: int = ROOM) -> None:
        self._most, self._room = most, room
        self._kept: list[tuple[float, int, str]] = []  # the best of them first
        self._bar: tuple[float, int] | None = None  # the worst that had to go
        self._size = 0

    def add(self, place: int, sample: Sample, scores: Scores) -> None:
        """Offer the sample at that place of the run."""
        rank = (float("-inf") if scores.score is None else -scores.score, -place)
        if self._bar is not None and rank < self._bar:
            return
        text = dumps(sample_data(place, sample, scores))
        heapq.heappush(self._kept, (*rank, text))
        self._size += len(text)
        while len(self._kept) > 1 and (len(self._kept) > self._most or self._size > self._room):
            quality, at, gone = heapq.heappop(self._kept)
            self._bar = (quality, at)
            self._size -= len(gone)

    def texts(self) -> list[str]:
        """The samples as JSON, the worst first."""
        return [text for *_, text in sorted(self._kept, reverse=True)]


def sample_data(place: int, sample: Sample, scores: Scores) -> dict[str, Any]:
    """One sample with its results, as the server's `get_test` answers it.

    Left out is what the page fills in: absent fields of the sample, and what is the same for all
    samples (threshold, signature, whether it gates).
    """
    fields = {
        "test_id": str(place + 1),
        "status": scores.status,
        "score": scores.score,
        "passed": scores.passed,
        "verdict": scores.verdict,
        "language": scores.language or UNKNOWN,
        "sample": _sample(sample),
        "results": {id: _result(result) for id, result in scores.results.items()},
        "failure": scores.failure and scores.failure.to_json(),
    }
    plain: dict[str, Any] = sendable(fields)
    return {**plain, "is_cut": True} if _shorten(plain) else plain


def _sample(sample: Sample) -> dict[str, Any]:
    fields = sample_json(sample)
    if "schema" in fields:
        fields["json_schema"] = fields.pop("schema")
    return {"id": sample.id, **fields}


def _result(result: Result) -> dict[str, Any]:
    fields = result.to_json()
    del fields["threshold"], fields["signature"], fields["gates"]
    return {
        name: value for name, value in fields.items() if name == "state" or not _is_nothing(value)
    }


def _is_nothing(value: Any) -> bool:
    return value is None or (isinstance(value, str | list | Mapping) and not value)


def _shorten(value: dict[str, Any]) -> bool:
    """Cut long texts and lists inside the value, in place; tells whether there were any.

    Values may be nested as deep as our reader lets them be, so nothing here calls itself.
    """
    is_cut = False
    waiting: list[Any] = [value]
    while waiting:
        holder = waiting.pop()
        for key, part in list(holder.items() if isinstance(holder, dict) else enumerate(holder)):
            if isinstance(part, str | list | dict):
                holder[key] = short = _short(part)
                is_cut = is_cut or len(short) < len(part)
                if not isinstance(part, str):
                    waiting.append(short)
    return is_cut


def _short(part: Any) -> Any:
    if isinstance(part, str):
        return part if len(part) <= MAX_TEXT else f"{part[: MAX_TEXT - 2]}…"
    if len(part) <= MAX_ENTRIES:
        return part
    return part[:MAX_ENTRIES] if isinstance(part, list) else dict(islice(part.items(), MAX_ENTRIES))
