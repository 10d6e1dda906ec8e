"""Why a sample scored low, in the order in which a reader wants to know."""

from __future__ import annotations

from typing import NamedTuple

from assay.core import Result, Sample, Scores
from assay.report.evidence import snippets
from assay.report.figures import limit, number, verdict

_RANKS = {"fail": 0, "error": 1, "pass": 2, "": 2, "imputed": 3, "N/A": 4}
_FAILURES = ("fail", "error")


class Reason(NamedTuple):
    """One metric's part in a low score."""

    metric: str
    is_failure: bool
    """False when nothing failed and this is just the lowest score."""
    finding: str
    """Value and threshold, such as `0.700, needs ≥ 0.9`."""
    explanation: str
    snippets: list[str]


def ranked(scores: Scores) -> list[tuple[str, Result]]:
    """All results: failed first, then errors, then the rest from the lowest quality up."""
    return sorted(scores.results.items(), key=_rank)


def _rank(entry: tuple[str, Result]) -> tuple[int, float, str]:
    metric, result = entry
    quality = 1.0 if result.quality is None else result.quality
    return _RANKS[verdict(result)], quality, metric


def reasons(sample: Sample, scores: Scores, most: int = 3) -> list[Reason]:
    """What failed; where nothing did, the lowest score."""
    entries = ranked(scores)
    chosen = [entry for entry in entries if verdict(entry[1]) in _FAILURES] or entries[:1]
    return [
        Reason(
            metric,
            verdict(result) in _FAILURES,
            _finding(metric, result),
            result.explanation,
            snippets(sample, result.evidence),
        )
        for metric, result in chosen[:most]
    ]


def _finding(metric: str, result: Result) -> str:
    value = "error" if result.state == "error" else number(result.value, metric)
    if verdict(result) == "fail" and result.threshold is not None:
        return f"{value}, needs {limit(result.threshold, metric)}"
    return value
