"""Questions of a report that were answered several times, with different verdicts."""

from __future__ import annotations

from typing import Any

from assay.core import Sample
from assay.core.plain import sendable
from assay.core.sample import question_in
from assay.stats.aggregates import counts_as_pass
from assay.stats.repeats import consistency

MAX_QUESTIONS = 200_000
"""Questions that are counted; those met first."""
SHOWN = 100
"""Questions that a report lists."""


class FlakyQuestions:
    """Counts the answers to each question that samples name; the page has their texts."""

    def __init__(self) -> None:
        self._counts: dict[str, tuple[int, int]] = {}

    def add(self, sample: Sample, status: str) -> None:
        """Count an answer."""
        named = question_in(sample.metadata)
        is_passed = counts_as_pass(None if status == "skipped" else status)
        if named is None or is_passed is None:
            return
        if named in self._counts or len(self._counts) < MAX_QUESTIONS:
            judged, passed = self._counts.get(named, (0, 0))
            self._counts[named] = (judged + 1, passed + is_passed)

    def to_json(self) -> list[dict[str, Any]]:
        """The questions some of whose answers pass and some do not, the least consistent first."""
        flaky = {name: own for name, own in self._counts.items() if 0 < own[1] < own[0]}
        ordered = sorted(flaky.items(), key=lambda entry: consistency(*entry[1]) or 0.0)
        return [
            {"question": sendable(name), "judged": judged, "passed": passed}
            for name, (judged, passed) in ordered[:SHOWN]
        ]
