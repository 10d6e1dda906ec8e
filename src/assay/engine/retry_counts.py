"""Counts the samples that a target answered only after a retry, and compares them with the others.

Where failures hit hard questions more often than easy ones, a run over the questions that were
answered in the end looks better than the target is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from assay.engine.batch_counts import BatchCounts
from assay.stats.aggregates import Verdicts, share
from assay.stats.exact_sums import ExactSums
from assay.stats.unpaired import exact_rate_test

DIFFERS_BELOW = 0.01
"""The p-value below which a difference of pass rates is reported as one."""


class RetryCounts:
    """Verdicts and quality of the samples with a retry."""

    def __init__(self) -> None:
        self._statuses: Counter[str] = Counter()
        self._quality = ExactSums()
        self._scored = 0

    def add(self, counts: BatchCounts) -> None:
        """Count the samples of a batch that had a retry."""
        self._statuses.update(counts.statuses[place] for place in counts.retried)
        known = [score for place in counts.retried if (score := counts.scores[place]) is not None]
        self._quality.add([0] * len(known), known)
        self._scored += len(known)

    def merge(self, other: RetryCounts) -> None:
        """Add what another part of the run counted."""
        self._statuses += other._statuses
        self._quality = self._quality.merge(other._quality)
        self._scored += other._scored

    def to_json(self) -> dict[str, Any]:
        """The counts as plain data."""
        return {
            "statuses": self._statuses,
            "quality": self._quality.to_json(),
            "scored": self._scored,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> RetryCounts:
        """The counts again, from what `to_json` gave."""
        own = cls()
        own._statuses = Counter(data["statuses"])
        own._quality = ExactSums.from_json(data["quality"])
        own._scored = data["scored"]
        return own

    def comparison(
        self, all: Verdicts, mean_quality: float | None, scored: int, *, is_tested: bool
    ) -> dict[str, Any] | None:
        """The samples with a retry beside the others; None where no sample had one.

        `all`, `mean_quality` and `scored` describe the whole run. Without `is_tested` there is no
        p-value: several answers to one question are alike, and the test needs independent samples.
        """
        own = Verdicts(**self._statuses)
        if not own.total:
            return None
        others = Verdicts(*(whole - part for whole, part in zip(all, own, strict=True)))
        quality = sum(self._quality.rounded())
        rest = (mean_quality or 0.0) * scored - quality
        p = None
        if is_tested and own.judged and others.judged:
            p = exact_rate_test(own.passed, own.judged, others.passed, others.judged)
        return {
            "samples": own.total,
            "retried": _group(own, quality, self._scored),
            "others": _group(others, rest, scored - self._scored),
            "p_value": p,
            "differs": p is not None and p < DIFFERS_BELOW,
        }


def _group(verdicts: Verdicts, quality: float, scored: int) -> dict[str, Any]:
    return {
        "passed": verdicts.passed,
        "judged": verdicts.judged,
        "pass_rate": share(verdicts.passed, verdicts.judged),
        "mean_quality": quality / scored if scored else None,
    }
