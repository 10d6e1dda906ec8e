from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from assay.checks.reading import RecordCheck
from assay.core import Result, Span, State, metric
from assay.core.jsontext import dumps
from assay.core.wording import counted
from assay.features.check_models import RefusalParts
from assay.features.offered_tools import Tools
from assay.features.rubric_verdicts import Judged
from assay.features.trajectory import Offence, Steps, spans
from assay.features.usage import CallUsage
from assay.scoring.check_outcomes import CheckedAnswer, outcome
from assay.scoring.check_results import CheckResult, CheckVerdict, combined, shares

_ORDER: tuple[CheckVerdict, ...] = ("fail", "error", "missing", "unsure", "pass")
"""In which checks are marked, and one of them is named in the explanation."""
_VERBS = {
    "fail": "fails",
    "error": "is invalid",
    "missing": "could not be evaluated",
    "unsure": "is undecided",
}
MOST_SAID = 170
"""Characters of the reason that the explanation repeats."""


@metric(
    id="check.passed",
    inputs=("checks",),
    range=(0.0, 1.0),
    polarity="higher",
    threshold=1.0,
    version=2,
    tags=("exact",),
    aliases=("checks.passed", "checks", "assertions", "assert"),
    exact=True,
)
def passed(
    record_checks: tuple[RecordCheck, ...],
    response: str | None,
    query: str | None,
    duration: float | None,
    metadata: Mapping[str, Any],
    usage: CallUsage,
    response_tokens: int | None,
    trajectory: Steps | None,
    offered_tools: Tools | None,
    check_similarities: Mapping[str, float | None] | None,
    check_refusal: RefusalParts | None,
    check_rulings: Mapping[RecordCheck, Judged] | None,
) -> Result:
    """Whether the response passes the checks in its record.

        value = weight of the checks that hold / weight of all checks

    All must hold for a pass. The kinds of checks (`contains`, `regex`, `json-path`, `similar`,
    `latency`, `calls-tool`, `llm-rubric`, …) and how they are written are in the guide on checks;
    `not-` in front turns one round. A check of weight 0 is shown and decides nothing. The details
    say of every check whether it holds, and why; the evidence marks the words.

    A check that cannot be made, because a time, a price or a judge is absent, is `missing`. Unless
    another check fails there is then no value, and the sample is unsure: it does not pass by its
    other metrics. Where another one fails, what is missing counts as not held.

    Blind spots: texts are compared letter by letter, so that a right answer in other words fails
    a `contains`; `similar`, `is-refusal`, `language` and `llm-rubric` are as good as what they ask.
    """
    answer = CheckedAnswer(
        response=response,
        query=query,
        duration=duration,
        metadata=metadata,
        usage=usage,
        response_tokens=response_tokens,
        calls=None if trajectory is None else tuple(step.call for step in trajectory),
        tools=offered_tools or {},
        similarities=check_similarities or {},
        refusal=check_refusal,
        rulings=check_rulings or {},
    )
    results = [outcome(check, answer) for check in record_checks]
    weighted = [(one, check.weight) for check, one in zip(record_checks, results, strict=True)]
    details = {"checks": [*_rows(record_checks, results)]}
    verdict = combined(weighted, 1.0)
    explanation = _explanation(record_checks, results)
    evidence = tuple(_spans(record_checks, results, trajectory or ()))
    share = shares(weighted).share
    if share is None:
        return Result.missing("No check has a weight.")._replace(details=details)
    if verdict in ("pass", "fail"):
        return Result(share, explanation, evidence, details).limited()
    state: State = "error" if verdict == "error" else "missing"
    return Result.undecided(explanation, details, evidence, state).limited()


def _explanation(checks: Sequence[RecordCheck], results: Sequence[CheckResult]) -> str:
    """How many hold, and the first that does not."""
    held = sum(result.verdict == "pass" for result in results)
    total = counted(len(results), "check")
    summary = f"{held} of {total} {'holds' if 1 in (held, len(results)) else 'hold'}"
    ranked = sorted(
        (place for place, check in enumerate(checks) if check.weight),
        key=lambda place: _ORDER.index(results[place].verdict),
    )
    first = results[ranked[0]] if ranked else None
    if first is None or first.verdict == "pass":
        return f"{summary}."
    reason = first.fact if len(first.fact) <= MOST_SAID else f"{first.fact[: MOST_SAID - 1]}…"
    title = f"check {ranked[0] + 1} ({checks[ranked[0]].type})"
    return f"{summary}; {title} {_VERBS[first.verdict]}: {reason.rstrip('.')}."


def _rows(
    checks: Sequence[RecordCheck], results: Sequence[CheckResult], inside: str = ""
) -> Iterator[dict[str, Any]]:
    """The checks as the details of the result list them, each before those inside it."""
    for place, (check, result) in enumerate(zip(checks, results, strict=True), 1):
        row = {
            "check": f"{inside}{place}",
            "type": check.type,
            "name": check.name or None,
            "value": None if check.parts else _shown(check.value),
            "threshold": check.threshold,
            "weight": check.weight,
            "verdict": result.verdict,
            "reason": result.fact,
            "score": result.score,
        }
        yield {key: value for key, value in row.items() if value is not None}
        yield from _rows(check.parts, result.parts, f"{inside}{place}.")


def _shown(value: Any) -> Any:
    """A value of a check as a table can hold it."""
    if isinstance(value, tuple):
        return list(value)
    return dumps(value, is_compact=True) if isinstance(value, Mapping | list) else value


def _spans(
    checks: Sequence[RecordCheck], results: Sequence[CheckResult], trajectory: Steps
) -> Iterator[Span]:
    """The marked words and calls, those of failed checks first."""
    ranked = sorted(range(len(checks)), key=lambda place: _ORDER.index(results[place].verdict))
    for place in ranked:
        word = "holds" if results[place].verdict == "pass" else _VERBS[results[place].verdict]
        label = f"{checks[place].name or checks[place].type} {word}"
        yield from (Span("response", start, end, label) for start, end in results[place].places)
        yield from spans([Offence(trajectory[call], label) for call in results[place].calls])
