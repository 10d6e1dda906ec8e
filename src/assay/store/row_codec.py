"""Samples and scores as rows, and back, without loss.

Texts stand in columns of their own as far as a database can hold them; a text with a character
that it cannot (NUL, half of a surrogate pair) is shown there with a stand-in and kept whole in the
sample's JSON.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from assay.core import Document, FailureAnalysis, Result, Sample, Scores, Span
from assay.core.bounds import MAX_VALUE
from assay.core.jsontext import dumps, loads
from assay.core.plain import sample_json

TEXTS = {"query": "query", "expected": "expected_response", "response": "actual_response"}
"""Sample field → its column in `validation_details`."""
_TUPLES = {field.name for field in fields(Sample) if field.default == ()} | {
    "tools",
    "tools_used",
    "tools_succeeded",
    "tool_calls",
    "expected_tool_calls",
    "steps",
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a test went that was more than its scores, as those of a test suite are."""

    status: str
    """passed, failed, unsure, skipped or unjudged"""
    duration: float | None = None
    error_message: str | None = None
    stack_trace: str | None = None


def safe(text: str | None) -> str | None:
    """The text with stand-ins for what a database cannot hold."""
    if text is None or is_safe(text):
        return text
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()


def is_safe(text: str) -> bool:
    """Whether both databases can hold the text as it is."""
    if text.isascii():
        return "\0" not in text
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in text


def sample_from_json(stored_fields: Mapping[str, Any]) -> Sample:
    """The sample again, from what `sample_json` gave."""
    fields: dict[str, Any] = {
        name: tuple(value) if name in _TUPLES and value is not None else value
        for name, value in stored_fields.items()
    }
    if "contexts" in fields:
        fields["contexts"] = tuple(Document(**entry) for entry in fields["contexts"])
    return Sample(**fields)


def rest_of(sample: Sample) -> str:
    """The sample as JSON text, without the texts that have a column."""
    result = sample_json(sample)
    for name in TEXTS:
        if name in result and is_safe(result[name]):
            del result[name]
    return dumps(result)


def sample_of(rest: str, texts: Mapping[str, str | None]) -> Sample:
    """The sample again; `texts` are its columns of `validation_details`.

    Where an earlier version stored what no reader takes, the texts and the reason are left of it.
    """
    try:
        others = loads(rest)
    except ValueError as error:
        others = {"metadata": {"unreadable": str(error)}}
    return sample_from_json({**{n: texts[column] for n, column in TEXTS.items()}, **others})


def score_row(test_id: int, metric: str, result: Result) -> tuple[Any, ...]:
    """A row of `scoring_details`."""
    return (
        test_id,
        metric,
        result.value,
        result.threshold,
        result.passed,
        result.quality,
        result.state,
        safe(result.explanation),
        _details(result),
        result.verdict,
        result.gates,
    )


_EXPLANATION = "\0explanation"
"""Where details keep an explanation that a column cannot hold; no metric has such a detail."""


def _details(result: Result) -> str:
    if is_safe(result.explanation):
        return dumps(dict(result.details)) if result.details else "{}"
    return dumps({**result.details, _EXPLANATION: result.explanation})


def spans_text(evidence: Sequence[Span]) -> str:
    """Evidence as JSON."""
    return dumps([list(span) for span in evidence])


def result_of(row: Any, spans: str | None, signature: str) -> Result:
    """A result again, from its rows of `scoring_details` and `evidence`."""
    try:
        details = loads(row.details) if row.details != "{}" else {}
        if row.metric_value is not None and not abs(row.metric_value) <= MAX_VALUE:
            raise ValueError(f"the value {row.metric_value} is too large")
    except ValueError as error:  # an earlier version stored what no reader takes
        unusable = Result.error(f"The stored result cannot be used: {error}.")
        return unusable._replace(metric=row.metric_name, signature=signature, gates=row.gates)
    return Result(
        value=row.metric_value,
        explanation=details.pop(_EXPLANATION, row.explanation),
        evidence=tuple(Span(*span) for span in loads(spans)) if spans else (),
        details=details,
        state=row.state,
        passed=row.passed,
        metric=row.metric_name,
        quality=row.quality,
        threshold=row.threshold,
        signature=signature,
        verdict=row.verdict,
        gates=row.gates,
    )


def scores_of(sample: Sample, results: Mapping[str, Result], row: Any) -> Scores:
    """All results of one test again; its row has those of `test_results` and `failure_analysis`."""
    return Scores(
        sample.id,
        results,
        row.score,
        {"passed": True, "failed": False}.get(row.status),
        failure_of(row),
        row.language,
        is_skipped=row.status == "skipped",
        is_unsure=row.status == "unsure",
    )


def failure_of(row: Any) -> FailureAnalysis | None:
    """Why a test failed, from its columns of `failure_analysis`; None where they are empty."""
    if row.category is None:
        return None
    return FailureAnalysis(
        row.root_cause,
        row.category,
        tuple(loads(row.detected_patterns)),
        tuple(loads(row.recommendations)),
    )
