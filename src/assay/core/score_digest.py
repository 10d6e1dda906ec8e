"""The scores of a sample without their reasons: all that is summed up, and little to send."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from assay.core.result import CALIBRATED, PASSED, Result, Scores, State, Verdict

Row = tuple[float | None, str, State, Verdict | None, float | None, float | None, bool]
"""Value, explanation where there is no value, state, verdict, quality, threshold, and whether the
quality is a calibrated probability."""


class MetricGate(NamedTuple):
    """A metric of a run, and whether it gates."""

    id: str
    gates: bool


class ScoreDigest(NamedTuple):
    """What is summed up of a sample's scores."""

    score: float | None
    passed: bool | None
    is_unsure: bool
    language: str
    rows: Sequence[Row]
    """One for each metric, in the order of the run."""

    @classmethod
    def of(cls, scores: Scores) -> ScoreDigest:
        """The digest of a sample's scores."""
        rows: list[Row] = [
            (
                result.value,
                "" if result.value is not None and result.state == "ok" else result.explanation,
                result.state,
                result.verdict,
                result.quality,
                result.threshold,
                result.details.get(CALIBRATED) is True,
            )
            for result in scores.results.values()
        ]
        return cls(scores.score, scores.passed, scores.is_unsure, scores.language, rows)

    def scores(self, id: str, metrics: Iterable[MetricGate]) -> Scores:
        """The scores of the sample with that id again, without their reasons."""
        results = {
            metric.id: Result(
                value,
                explanation,
                (),
                {CALIBRATED: True} if is_calibrated else {},
                state,
                PASSED.get(verdict),
                metric.id,
                quality,
                threshold,
                "",
                verdict,
                metric.gates,
            )
            for metric, (
                value,
                explanation,
                state,
                verdict,
                quality,
                threshold,
                is_calibrated,
            ) in zip(metrics, self.rows, strict=True)
        }
        return Scores(
            id, results, self.score, self.passed, None, self.language, is_unsure=self.is_unsure
        )
