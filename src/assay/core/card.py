"""The governance scorecard of one answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from assay.core.result import Span, State

Verdict = Literal["PASS", "REVIEW", "FAIL"]
PASS_AT, REVIEW_AT = 70.0, 50.0
"""The documented bands: PASS from 70, REVIEW from 50, FAIL below."""
ALERT_BELOW = 40.0
"""The documented limit under which an overall score or a dimension raises an alert."""


class DimensionReason(NamedTuple):
    """Why a dimension is among the lowest."""

    dimension: str
    score: float
    reason: str


class CardMetric(NamedTuple):
    """One metric on a card, in the words of the documented result."""

    name: str
    dimension: str
    raw_value: float | None
    """What was measured, where the score was made from it: USD, FLOP, kWh, a rate."""
    normalized_score: float | None
    """From 0 to 1, higher is better; None when there is no score."""
    explanation: str
    state: State
    evidence: Sequence[Span] = ()

    def to_json(self) -> dict[str, Any]:
        """The fields as plain data."""
        return self._asdict() | {"evidence": [span._asdict() for span in self.evidence]}


def verdict(overall_score: float | None) -> Verdict | None:
    """The band of an overall score; None without one."""
    if overall_score is None:
        return None
    return (
        "PASS" if overall_score >= PASS_AT else "REVIEW" if overall_score >= REVIEW_AT else "FAIL"
    )


@dataclass(frozen=True, slots=True)
class GovernanceCard:
    """Overall score, nine dimensions, and the reasons for the lowest of them."""

    id: str
    overall_score: float | None
    """From 0 to 100; None when no dimension has a score."""
    verdict: Verdict | None
    """None when too little has a score to give one."""
    dimensions: Mapping[str, float | None]
    """Dimension → its score from 0 to 100; None where none of its metrics has a score."""
    verified_claims: int | None
    """None where claims could not be checked, as without documents."""
    total_claims: int | None
    hallucinated_claims: int | None
    reasoning: Sequence[DimensionReason]
    """The three lowest dimensions, the lowest first."""
    metrics: Mapping[str, Sequence[CardMetric]]
    """Dimension → its metrics."""
    alerts: Sequence[str]
    weights: Mapping[str, float]
    """The weights that were used, by dimension."""
    imputed: Sequence[str]
    """Metrics whose value is a documented substitute."""
    includes_imputed: bool
    """Whether these substitutes count in the scores."""
    policy: str
    """The policy pack in force, with its fingerprint."""
    signature: str
    """All that decided the overall score."""

    def to_json(self) -> dict[str, Any]:
        """The card as plain data: the documented answer, and what explains it."""
        return {
            "id": self.id,
            "overall_score": self.overall_score,
            "verdict": self.verdict,
            "dimensions": dict(self.dimensions),
            "verified_claims": self.verified_claims,
            "total_claims": self.total_claims,
            "hallucinated_claims": self.hallucinated_claims,
            "reasoning": [reason._asdict() for reason in self.reasoning],
            "metrics": {
                name: [metric.to_json() for metric in listed]
                for name, listed in self.metrics.items()
            },
            "alerts": list(self.alerts),
            "weights": dict(self.weights),
            "imputed": list(self.imputed),
            "includes_imputed": self.includes_imputed,
            "policy": self.policy,
            "signature": self.signature,
        }

    def __str__(self) -> str:
        scores = ", ".join(f"{reason.dimension} {reason.score:.1f}" for reason in self.reasoning)
        overall = "no score" if self.overall_score is None else f"{self.overall_score:.2f}"
        return f"{self.verdict or 'N/A'} {overall}; lowest: {scores or 'none'}"
