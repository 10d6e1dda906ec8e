"""Samples and scores as rows, and back, without loss.

Texts stand in columns of their own as far as a database can hold them; a text with a character
that it cannot (NUL, half of a surrogate pair) is shown there with a stand-in and kept whole in the
sample's JSON.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from assay.core import FailureAnalysis, Result, Sample, Scores, Span
from assay.core.bounds import MAX_VALUE
from assay.core.jsontext import dumps, loads
from assay.core.plain import sample_from_json, sample_json
from assay.core.result import State, Verdict
from assay.core.sample import question_in
from assay.store.packed_scores import StoredScore, encode

TEXTS = {"query": "query", "expected": "expected_response", "response": "actual_response"}
"""Sample field → its column in `validation_details`."""


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


def rest_of(sample: Sample) -> str:
    """The sample as JSON text, without the texts that have a column."""
    return rest_text(rest_fields(sample))


def rest_fields(sample: Sample) -> dict[str, Any]:
    """The fields of a sample without the texts that have a column."""
    result = sample_json(sample)
    for name in TEXTS:
        if name in result and is_safe(result[name]):
            del result[name]
    return result


def rest_text(fields: Mapping[str, Any]) -> str:
    """Fields of a sample as JSON text."""
    text = encode(fields)
    return dumps(fields, is_compact=True) if _LONG_NUMBER.search(text[99::100]) else text


_LONG_NUMBER = re.compile("[0-9]{3}")
"""In every hundredth character: whether a number may be longer than `loads` takes, which `dumps`
then writes as text. To look at all characters would take as long as to write them."""


def sample_of(rest: str, texts: Mapping[str, str | None]) -> Sample:
    """The sample again; `texts` are its columns of `validation_details`.

    Where an earlier version stored what no reader takes, the texts and the reason are left of it.
    """
    others = _others(rest)
    return sample_from_json({**{n: texts[column] for n, column in TEXTS.items()}, **others})


def question_of(rest: str) -> str | None:
    """The question that a sample answers once more, of its fields as JSON."""
    return question_in(_others(rest).get("metadata"))


def _others(rest: str) -> dict[str, Any]:
    try:
        fields: dict[str, Any] = loads(rest)
    except ValueError as error:
        return {"metadata": {"unreadable": str(error)}}
    return fields


def result_of(
    metric: str,
    score: StoredScore,
    signature: str,
    explanation: str,
    details: Mapping[str, Any],
    evidence: Sequence[Span],
) -> Result:
    """A result again, from its parts in `test_scores` and `test_blocks`."""
    decided = score.decided
    if score.value is not None and not abs(score.value) <= MAX_VALUE:  # of an earlier version
        unusable = Result.error(unusable_text(f"the value {score.value} is too large"))
        return unusable._replace(metric=metric, signature=signature, gates=decided.gates)
    return Result(
        value=score.value,
        explanation=explanation,
        evidence=evidence,
        details=details,
        state=cast("State", decided.state),
        passed=decided.passed,
        metric=metric,
        quality=score.quality,
        threshold=score.threshold,
        signature=signature,
        verdict=cast("Verdict | None", decided.verdict),
        gates=decided.gates,
    )


def unusable_text(problem: str) -> str:
    """What stands for a result of an earlier version that no reader takes."""
    return f"The stored result cannot be used: {problem}."


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
