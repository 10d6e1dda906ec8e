"""Why a sample scored low, in the order in which a reader wants to know."""

from __future__ import annotations

from typing import NamedTuple

from assay.core import Result, Sample, Scores
from assay.report.evidence_text import snippets
from assay.report.figures import limit, number, verdict

_RANKS = {"fail": 0, "error": 1, "unsure": 2, "pass": 3, "": 3, "imputed": 4, "N/A": 5}
_FAILURES = ("fail", "error")


class LowScoreReason(NamedTuple):
    """One metric's part in a low score."""

    metric: str
    is_failure: bool
    """False when nothing failed and this is just the lowest score."""
    finding: str
    """Value and threshold, such as `0.700, needs ≥ 0.9`."""
    explanation: str
    snippets: list[str]


def ranked(scores: Scores) -> list[tuple[str, Result]]:
    """All results: failed first, then errors, then the rest from the lowest quality up.

    Those that gate stand before those for information.
    """
    return sorted(scores.results.items(), key=_rank)


def _rank(entry: tuple[str, Result]) -> tuple[bool, int, float, str]:
    metric, result = entry
    quality = 1.0 if result.quality is None else result.quality
    return not result.gates, _RANKS[verdict(result)], quality, metric


def reasons(sample: Sample, scores: Scores, most: int = 3) -> list[LowScoreReason]:
    """What failed of the metrics that gate; where nothing did, the lowest score."""
    entries = ranked(scores)
    chosen = [entry for entry in entries if _is_failure(entry[1])] or entries[:1]
    return [
        LowScoreReason(
            metric,
            _is_failure(result),
            _finding(metric, result),
            result.explanation,
            snippets(sample, result.evidence),
        )
        for metric, result in chosen[:most]
    ]


def _is_failure(result: Result) -> bool:
    return result.gates and verdict(result) in _FAILURES


def _finding(metric: str, result: Result) -> str:
    value = "error" if result.state == "error" else number(result.value, metric)
    if verdict(result) == "fail" and result.threshold is not None:
        return f"{value}, needs {limit(result.threshold, metric)}"
    return value
