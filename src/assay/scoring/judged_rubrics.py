"""From a judge's verdicts to a result on the scale of the rubric."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from assay.backends.judge_questions import AnswerProbabilities, JudgeVerdict, VerdictUsage
from assay.core import ModelError, Result
from assay.data.rubric_steps import NO, NOT_APPLICABLE, ChecklistItem, TreeNode
from assay.data.rubrics import Rubric, RubricChoice, Scale
from assay.features.rubric_verdicts import (
    EmptyResponse,
    Judged,
    QuotedVerdicts,
    SteppedVerdicts,
    StepVerdict,
)

NO_JUDGE = (
    "No judge is configured, so set 'judge' (ASSAY_JUDGE or --judge), such as openai:URL#MODEL."
)
MOST_SAID = 160
"""Characters of the judge's reason that an explanation repeats."""


def rubric_result(rubric: Rubric, judged: Judged) -> Result:
    """What came of a question, as a result on the rubric's scale."""
    if judged is None:
        return Result.missing(NO_JUDGE)
    if isinstance(judged, ModelError):
        return _failed(judged)
    if isinstance(judged, EmptyResponse):
        return _empty(rubric, judged.reason)
    if isinstance(judged, SteppedVerdicts):
        return _of_steps(judged)
    if isinstance(rubric.answers, Scale):
        return _of_scale(rubric.answers, judged)
    return _of_choices(rubric.answers, rubric.polarity, judged)


def _empty(rubric: Rubric, reason: str) -> Result:
    """What a response gets that no judge was shown."""
    worst = rubric.worst if rubric.degenerate == "lowest" else None
    details = {"degenerate": reason}
    if worst is None:
        explanation = f"The response {reason}, so no judge was asked."
        return Result(None, explanation, (), details, "missing")
    explanation = f"The response {reason}, so it gets the worst value without a judge."
    return Result(worst, explanation, (), details)


def _failed(error: ModelError) -> Result:
    """No score, with what the judge said."""
    details = {"fault": getattr(error, "fault", "unusable")}
    if reply := getattr(error, "reply", ""):
        details["reply"] = reply
    return Result(None, f"No verdict: {_clause(str(error), 400)}.", (), details, "error")


def _of_scale(scale: Scale, heard: QuotedVerdicts) -> Result:
    verdicts = heard.ruling.verdicts
    numbers = [
        sum(float(answer) * share for answer, share in _shares(verdict)) for verdict in verdicts
    ]
    value = fmean(numbers)
    explanation = f"The judge gives {value:.3g} on the scale from {scale.low:g} to {scale.high:g}"
    details = _score_source(heard)
    if details:
        explanation += f" on average over its {details['score_from']}"
    if len(numbers) == 1:
        return _scored(value, explanation, heard, details)
    explanation += f" ({len(numbers)} verdicts from {min(numbers):g} to {max(numbers):g})"
    return _scored(value, explanation, heard, {**details, "spread": max(numbers) - min(numbers)})


def _of_choices(choices: Sequence[RubricChoice], polarity: str, heard: QuotedVerdicts) -> Result:
    """The commonest choice, of several that are as common the worse one; or the mean of all."""
    counts: Counter[float | str] = Counter()
    for verdict in heard.ruling.verdicts:
        counts.update(dict(_shares(verdict)))
    most, total = max(counts.values()), len(heard.ruling.verdicts)
    tied = [choice for choice in choices if counts[choice.label] == most]
    sign = {"higher": 1.0, "lower": -1.0}.get(polarity, 0.0)
    chosen = min(tied, key=lambda choice: sign * choice.value)
    explanation = f"The judge says {chosen.label!r}"
    details: dict[str, Any] = {"label": chosen.label, **_score_source(heard)}
    value = chosen.value
    if heard.ruling.is_expected:
        value = sum(choice.value * counts[choice.label] for choice in choices) / total
        explanation += f", on average {value:.3g} over its {details['score_from']}"
    if total > 1:
        explanation += f" ({most:.3g} of {total} verdicts)"
        details["agreement"] = most / total
    return _scored(value, explanation, heard, details)


def _of_steps(judged: SteppedVerdicts) -> Result:
    """What the answers to several questions come to."""
    is_checklist = isinstance(judged.steps[0].step, ChecklistItem)
    value, explanation = (_checked if is_checklist else _decided)(judged.steps)
    details: dict[str, Any] = {
        "steps": [
            {"id": one.step.id, "answer": one.label, "reason": _reason(one.heard)}
            for one in judged.steps
        ]
    }
    evidence = tuple(dict.fromkeys(span for one in judged.steps for span in one.heard.evidence))
    if value is None:
        return Result(None, explanation, (), details, "missing")
    usage = sum((one.heard.ruling.usage for one in judged.steps), VerdictUsage())
    return Result(value, explanation, evidence, {**details, **_usage(usage)})


def _checked(steps: Sequence[StepVerdict]) -> tuple[float | None, str]:
    """The share of the weight that a checklist says yes to."""
    applicable = [(one.step, one.label) for one in steps if one.label != NOT_APPLICABLE]
    items = [(step, label) for step, label in applicable if isinstance(step, ChecklistItem)]
    if not items:
        return None, "No item of the checklist applies."
    missed = [step for step, label in items if label == NO]
    total = sum(step.weight for step, _ in items)
    value = 1.0 - sum(step.weight for step in missed) / total
    explanation = f"{len(items) - len(missed)} of {len(items)} items of the checklist hold"
    if missed:
        explanation += f"; not {', '.join(step.id for step in missed)}"
    if required := [step.id for step in missed if step.is_required]:
        verb = "is" if len(required) == 1 else "are"
        return 0.0, f"{explanation}, of which {', '.join(required)} {verb} required."
    return value, f"{explanation}."


def _decided(steps: Sequence[StepVerdict]) -> tuple[float | None, str]:
    """The score at the end of the way through a decision tree."""
    last = steps[-1]
    assert isinstance(last.step, TreeNode)
    score = dict(last.step.targets)[last.label]
    assert isinstance(score, float)
    way = ", ".join(f"{one.step.id}: {one.label}" for one in steps)
    return score, f"The answers lead to {score:g} ({way})."


def _shares(verdict: JudgeVerdict) -> AnswerProbabilities:
    """What the judge might have said, and how probably: without probabilities, what it said."""
    return verdict.probabilities or ((verdict.answer, 1.0),)


def _score_source(heard: QuotedVerdicts) -> dict[str, Any]:
    """What a mean over answers is taken over; nothing where the score is the verdict."""
    if not heard.ruling.is_expected:
        return {}
    verdicts = heard.ruling.verdicts
    with_tokens = sum(bool(verdict.probabilities) for verdict in verdicts)
    if with_tokens == len(verdicts):
        return {"score_from": "token probabilities"}
    if not with_tokens:
        return {"score_from": "verdicts" if len(verdicts) > 1 else "one verdict"}
    return {"score_from": f"verdicts, {with_tokens} of {len(verdicts)} with token probabilities"}


def _scored(
    value: float, explanation: str, heard: QuotedVerdicts, details: Mapping[str, Any]
) -> Result:
    ruling = heard.ruling
    reason = _reason(heard)
    because = f", because “{_clause(reason, MOST_SAID)}”" if reason else ""
    return Result(
        value,
        f"{explanation}{because}.",
        heard.evidence,
        {
            **details,
            "verdicts": [_shown(verdict) for verdict in ruling.verdicts],
            **({"unusable": list(ruling.failures)} if ruling.failures else {}),
            **_usage(ruling.usage),
        },
    )


def _reason(heard: QuotedVerdicts) -> str:
    return next((verdict.reason for verdict in heard.ruling.verdicts if verdict.reason), "")


def _usage(usage: VerdictUsage) -> dict[str, Any]:
    return {
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "is_usage_estimated": usage.is_estimated,
    }


def _shown(verdict: JudgeVerdict) -> dict[str, Any]:
    """A verdict as plain data; with its judge where there are several."""
    named = {"judge": verdict.judge} if verdict.judge else {}
    shown: dict[str, Any] = {**named, "answer": verdict.answer, "reason": verdict.reason}
    if verdict.probabilities:
        shown["probabilities"] = [[answer, share] for answer, share in verdict.probabilities]
    return shown


def _clause(text: str, limit: int) -> str:
    """A model's words as a part of a sentence: on one line, without an end of a sentence."""
    words = "".join(char if char.isprintable() else " " for char in text[: 4 * limit]).split()
    joined = " ".join(w.rstrip(".!?…") + ";" if w[-1] in ".!?…" else w for w in words)
    joined = joined.rstrip("; ").replace("“", "'").replace("”", "'")
    return joined if len(joined) <= limit else joined[: limit - 1].rstrip(" ;,.") + "…"
