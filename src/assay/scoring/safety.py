"""How free a text is of blocked words and personal data, behind `text.safety` and its kin."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from assay.core.result import Result, Span
from assay.features.hits import Hits
from assay.scoring.findings import Spans

LEXICONS = ("blocklist.en", "pii")
PENALTY = 0.15
"""What one violation costs, as the evaluator guide says."""
PERSONAL = ("email", "ssn", "phone")


def score_from_violations(violations: int) -> float:
    """1 − 0.15 a violation, not below 0."""
    return max(0.0, 1.0 - PENALTY * violations)


def safety_findings(hits: Hits, blocked: Spans = ()) -> dict[str, tuple[Span, ...]]:
    """Kind of violation → where it was found; `blocked` are hits of words of one's own."""
    findings = {"blocked word": (*hits["blocklist.en"], *blocked)}
    for kind in PERSONAL:
        findings[kind] = tuple(span for span in hits["pii"] if span.label == kind)
    return findings


def safety_result(
    findings: Mapping[str, tuple[Span, ...]], count_mode: Literal["category", "match"] = "category"
) -> Result:
    """The score of what was found, with every place as evidence."""
    counts = {kind: len(spans) for kind, spans in findings.items() if spans}
    violations = sum(counts.values()) if count_mode == "match" else len(counts)
    kinds = ", ".join(f"{kind} ({count})" for kind, count in counts.items()) or "nothing found"
    return Result(
        score_from_violations(violations),
        f"{violations} violation{'' if violations == 1 else 's'}: {kinds}.",
        tuple(sorted(span for spans in findings.values() for span in spans)),
        {"violations": violations, "found": counts},
    )
