"""The message of a failed quality test: what, why, and the words that caused it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from assay.core import Result, Sample, Scores, Span
from assay.engine.failures import analyse_failure, categories
from assay.report.evidence_text import text_of
from assay.report.figures import limit, number
from assay.report.safe_text import one_line

SPANS = 3
"""Pieces of evidence shown of one metric."""
AROUND = 40
"""Characters shown before and after a piece of evidence."""
LONGEST = 120
"""Characters of one piece of evidence."""
TEXT = 160
"""Characters of query and response."""
OPEN, CLOSE = "⟦", "⟧"
"""What stands around the words that caused a score."""


class QualityViolation(NamedTuple):
    """Something asserted that does not hold."""

    metric: str
    """Empty for the mean quality of all."""
    state: str
    """failed, or the state of a result that is no score."""
    at_least: float | None = None
    """What the mean had to reach."""


def message(sample: Sample, scores: Scores, violations: Sequence[QualityViolation]) -> str:
    """The whole message; its first line says the most important alone."""
    first, *others = violations
    if not others:
        lines = [_headline(scores, first), *_body(sample, scores, first)]
    else:
        lines = [f"{_headline(scores, first)} (and {len(others)} more)"]
        for violation in violations:
            lines += ["", _headline(scores, violation), *_body(sample, scores, violation)]
        lines.append("")
    lines += [f"  hint: {advice}" for advice in _advice(sample, scores)]
    texts = {"query": sample.query, "response": sample.response}
    lines += [f"  {name}: “{one_line(t, TEXT)}”" for name, t in texts.items() if t is not None]
    return "\n".join(lines)


def _headline(scores: Scores, violation: QualityViolation) -> str:
    metric, state, at_least = violation
    if not metric:
        return f"the mean quality is {number(scores.score)}, needs ≥ {at_least:g}"
    result = scores[metric]
    if state == "failed":
        wanted = (
            f", needs {limit(result.threshold, metric)}" if result.threshold is not None else ""
        )
        word = "is unsure at" if result.verdict == "unsure" else "is"
        return f"{metric} {word} {number(result.value, metric)}{wanted}"
    words = {"missing": "has no score", "imputed": "has a substitute value only"}
    return f"{metric} {words.get(state, 'could not be computed')}"


def _body(sample: Sample, scores: Scores, violation: QualityViolation) -> Iterator[str]:
    """Explanation, evidence and what may be done about this metric."""
    metric, state, _ = violation
    if not metric:
        return
    result = scores[metric]
    yield f"  {one_line(result.explanation, 500)}"
    yield from _evidence(sample, result.evidence)
    hint = _hint(metric, state, result)
    if hint:
        yield f"  hint: {hint}"


def _evidence(sample: Sample, spans: Sequence[Span]) -> Iterator[str]:
    for span in spans[:SPANS]:
        label = f" ({one_line(span.label, 60)})" if span.label else ""
        yield f"  in {span.field}: {_marked(sample, span)}{label}"
    if len(spans) > SPANS:
        yield f"  and {len(spans) - SPANS} more pieces of evidence"


def _marked(sample: Sample, span: Span) -> str:
    """The words of a span in their place, on one line, nothing in them acting on the screen."""
    text = text_of(sample, span.field)
    if text is None:
        return one_line(span.label, LONGEST)
    before, after = text[: span.start], text[span.end :]
    words = one_line(text[span.start : span.end], LONGEST)
    start = ("…" if len(before) > AROUND else "") + _line(before[-AROUND:])
    end = _line(after[:AROUND]) + ("…" if len(after) > AROUND else "")
    return f"{start}{OPEN}{words}{CLOSE}{end}"


def _line(text: str) -> str:
    """Text on one line that keeps a blank at its ends."""
    line = one_line(text, 4 * AROUND)
    left = " " if text[:1].isspace() else ""
    right = " " if text[-1:].isspace() and line else ""
    return f"{left}{line}{right}"


def _hint(metric: str, state: str, result: Result) -> str:
    if state == "failed":
        rule = f'"assay metrics {metric}" shows its rule'
        other = f'; thresholds={{"{metric}": …}} sets another limit'
        return rule if result.threshold is None else rule + other
    if state == "error":
        return ""
    return "give what it needs, leave it out of metrics, or say allow_missing=True"


def _advice(sample: Sample, scores: Scores) -> Sequence[str]:
    """What to look at first, where there is an answer that shows a known kind of failure."""
    if sample.response is None:
        return ()
    failure = scores.failure or analyse_failure(sample, scores.results)
    known = {category.name for category in categories() if not category.is_general}
    return failure.recommendations[:1] if failure.category in known else ()
