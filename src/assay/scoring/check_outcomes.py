"""Decides every check of a record: by the texts, by what models said, or by its parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from assay.checks.reading import RecordCheck
from assay.core import MissingExtraError, Result
from assay.core.metric import judge
from assay.features.check_models import RefusalParts, rubric_of
from assay.features.offered_tools import Tools
from assay.features.rubric_verdicts import Judged
from assay.features.tool_calls import Call, Calls, read_call
from assay.features.usage import CallUsage, spent
from assay.scoring.call_cost import usd
from assay.scoring.call_fit import call_problems
from assay.scoring.check_json import at_path, contains_json, equals_json, is_json
from assay.scoring.check_measures import (
    bleu_4,
    contains_xml,
    edit_distance,
    is_xml,
    rouge_1,
    tool_names_f1,
    word_count,
)
from assay.scoring.check_results import CheckResult, combined, decided
from assay.scoring.check_texts import TEXT_CHECKS, clause, equals, quoted
from assay.scoring.judged_rubrics import NO_JUDGE, rubric_result
from assay.scoring.refusal import THRESHOLD as REFUSAL_THRESHOLD
from assay.scoring.refusal import refusal_result
from assay.scoring.spending import stated_cost

JSON_CHECKS: Mapping[str, Callable[[RecordCheck, str], CheckResult]] = {
    "is-json": is_json,
    "contains-json": contains_json,
    "json-path": at_path,
}
MEASURES: Mapping[str, Callable[[RecordCheck, str], CheckResult]] = {
    "bleu": bleu_4,
    "contains-xml": contains_xml,
    "is-xml": is_xml,
    "levenshtein": edit_distance,
    "rouge-n": rouge_1,
    "word-count": word_count,
}


class CheckedAnswer(NamedTuple):
    """All of a sample that checks look at; None where it is absent."""

    response: str | None
    query: str | None
    duration: float | None
    metadata: Mapping[str, Any]
    usage: CallUsage
    response_tokens: int | None
    calls: Calls | None
    tools: Tools
    similarities: Mapping[str, float | None]
    refusal: RefusalParts | None
    rulings: Mapping[RecordCheck, Judged]


def outcome(check: RecordCheck, answer: CheckedAnswer) -> CheckResult:
    """What came of a check."""
    result = _SETS[check.kind](check, answer) if check.parts else _single(check, answer)
    return result.turned() if check.is_negated else result


def _single(check: RecordCheck, answer: CheckedAnswer) -> CheckResult:
    if check.kind in _OF_CALL:
        return _OF_CALL[check.kind](check, answer)
    if answer.response is None:
        return CheckResult("missing", "the sample has no 'response'")
    if check.kind in _OF_MODELS:
        return _OF_MODELS[check.kind](check, answer)
    if check.kind == "equals":
        compare = equals if isinstance(check.value, str) else equals_json
        return compare(check, answer.response)
    return {**TEXT_CHECKS, **JSON_CHECKS, **MEASURES}[check.kind](check, answer.response)


def _set(check: RecordCheck, answer: CheckedAnswer, threshold: float) -> CheckResult:
    parts = tuple(outcome(part, answer) for part in check.parts)
    weighted = [(result, part.weight) for part, result in zip(check.parts, parts, strict=True)]
    held = sum(result.verdict == "pass" for result in parts)
    verdict = combined(weighted, threshold)
    first = next((result.fact for result in parts if result.verdict == verdict), "")
    reason = f": {first}" if first and verdict != "pass" else ""
    fact = f"{held} of its {len(parts)} checks {'holds' if held == 1 else 'hold'}{reason}"
    places = tuple(place for result in parts for place in result.places)
    calls = tuple(dict.fromkeys(call for result in parts for call in result.calls))
    return CheckResult(verdict, fact, places, calls, parts=parts)


def _share_of(check: RecordCheck, answer: CheckedAnswer) -> CheckResult:
    return _set(check, answer, 1.0 if check.threshold is None else check.threshold)


def _all_of(check: RecordCheck, answer: CheckedAnswer) -> CheckResult:
    return _set(check, answer, 1.0)


def _any_of(check: RecordCheck, answer: CheckedAnswer) -> CheckResult:
    weights = [part.weight for part in check.parts if part.weight]
    return _set(check, answer, min(weights) / sum(weights) if weights else 1.0)


def _latency(check: RecordCheck, answer: CheckedAnswer) -> CheckResult:
    if answer.duration is None:
        return CheckResult("missing", "the sample has no 'duration'")
    limit = check.threshold or 0.0
    milliseconds = answer.duration * 1000
    fact = f"the answer took {milliseconds:,.6g} ms (at most {limit:,.6g} ms)"
    return decided(milliseconds <= limit, fact)._replace(score=milliseconds)


def _cost(check: RecordCheck, answer: CheckedAnswer) -> CheckResult:
    cost = _usd(answer)
    if isinstance(cost, str):
        return CheckResult("missing", cost)
    limit = check.threshold or 0.0
    fact = f"the answer cost {cost:.6g} USD (at most {limit:.6g} USD)"
    return decided(cost <= limit, fact)._replace(score=cost)


def _usd(answer: CheckedAnswer) -> float | str:
    """What the answer cost, as stated or by its counted tokens; else why that is not known."""
    stated = stated_cost(answer.metadata)
    if stated is not None:
        return stated
    tokens = spent(answer.usage, answer.query, answer.response, answer.response_tokens)
    if isinstance(tokens, Result):
        return "neither a 'cost' nor model and tokens are in the metadata"
    if tokens.estimated:
        return f"the tokens of the {' and the '.join(tokens.estimated)} were not counted"
    try:
        cost = usd(tokens.prompt, tokens.completion, answer.usage.model)
    except MissingExtraError as error:
        return str(error)
    return f"no price is known for {answer.usage.shown_model}" if cost is None else cost


def _calls_tool(check: RecordCheck, answer: CheckedAnswer) -> CheckResult:
    wanted = read_call(check.value)
    if answer.calls is None:
        return CheckResult("missing", "the sample has no 'tool_calls'")
    made = {n: call for n, call in enumerate(answer.calls) if call.name == wanted.name}
    if not made:
        return decided(False, f"{quoted(wanted.name)} was not called")
    problems = {n: list(call_problems(call, wanted, answer.tools)) for n, call in made.items()}
    if fitting := [n for n, own in problems.items() if not own]:
        return decided(True, f"{quoted(wanted.name)} was called")._replace(calls=tuple(fitting))
    first = next(iter(problems.values()))[0]
    return decided(False, clause(first))._replace(calls=tuple(made))


def _tools_f1(check: RecordCheck, answer: CheckedAnswer) -> CheckResult:
    if answer.calls is None:
        return CheckResult("missing", "the sample has no 'tool_calls'")
    score = tool_names_f1((call.name for call in answer.calls), check.value)
    limit = check.threshold or 0.0
    fact = f"the F1 of the called tools is {score:.2f} (threshold {limit:g})"
    others = tuple(n for n, call in enumerate(answer.calls) if call.name not in check.value)
    return decided(score >= limit, fact)._replace(score=score, calls=others)


def _valid_calls(check: RecordCheck, answer: CheckedAnswer) -> CheckResult:
    if answer.calls is None or not answer.tools:
        absent = "tool_calls" if answer.calls is None else "tools"
        return CheckResult("missing", f"the sample has no {absent!r}")
    if not answer.calls:
        return decided(False, "no tool was called")
    problems: dict[int, str] = {}
    for place, call in enumerate(answer.calls):
        plain, any_call = call._replace(succeeded=None), Call(call.name, None, None)
        own = list(call_problems(plain, any_call, answer.tools))
        if call.name not in answer.tools:
            own.insert(0, f"{quoted(call.name)} is not offered")
        if own:
            problems[place] = own[0]
    fact = clause(next(iter(problems.values()))) if problems else "every call fits its tool"
    return decided(not problems, fact)._replace(calls=tuple(problems))


def _finish_reason(check: RecordCheck, answer: CheckedAnswer) -> CheckResult:
    reason = answer.metadata.get("finish_reason")
    if not isinstance(reason, str):
        return CheckResult("missing", "the metadata have no 'finish_reason'")
    other = "" if reason == check.value else f", not {quoted(check.value)}"
    return decided(reason == check.value, f"the finish reason is {quoted(reason)}{other}")


def _similar(check: RecordCheck, answer: CheckedAnswer) -> CheckResult:
    known = [(answer.similarities.get(text), text) for text in check.value]
    values = [(value, text) for value, text in known if value is not None]
    if not values:
        return CheckResult("missing", "the response or the text has no words to compare")
    best, text = max(values, key=lambda one: one[0])
    limit = check.threshold or 0.0
    fact = f"the similarity to {quoted(text)} is {best:.2f} (threshold {limit:g})"
    places = [(0, len(answer.response))] if answer.response and best < limit else ()
    return decided(best >= limit, fact, places)._replace(score=best)


def _is_refusal(check: RecordCheck, answer: CheckedAnswer) -> CheckResult:
    if answer.refusal is None:
        return CheckResult("missing", "the sample has no 'response'")
    result = refusal_result(*answer.refusal)
    assert result.value is not None
    threshold = REFUSAL_THRESHOLD if result.threshold is None else result.threshold
    verdict = judge(result.value, threshold, "lower", result.unsure)
    places = tuple((span.start, span.end) for span in result.evidence)
    fact = _clause(result)
    if verdict == "unsure":
        return CheckResult("unsure", f"it is not clear: {fact}", places, score=result.value)
    return decided(verdict == "fail", fact, places)._replace(score=result.value)


def _judged(check: RecordCheck, answer: CheckedAnswer) -> CheckResult:
    if check not in answer.rulings:
        return CheckResult("missing", _clause(Result.missing(NO_JUDGE)))
    asked, ruling = rubric_of(check), answer.rulings[check]
    if ruling is None:
        needed = " and ".join(map(repr, asked.inputs))
        return CheckResult("missing", f"{check.value} needs {needed}")
    result = rubric_result(asked, ruling)
    fact = _clause(result)
    if result.value is None:
        return CheckResult("error" if result.state == "error" else "missing", fact)
    places = tuple((s.start, s.end) for s in result.evidence if s.field == "response")
    limit = 1.0 if asked.threshold is None else asked.threshold
    is_held = judge(result.value, limit, asked.polarity) == "pass"
    return decided(is_held, fact, places)._replace(score=result.value)


def _clause(result: Result) -> str:
    """The explanation of another result as a part of a sentence."""
    text = result.explanation.removesuffix(".")
    return text[:1].lower() + text[1:]


_SETS: Mapping[str, Callable[[RecordCheck, CheckedAnswer], CheckResult]] = {
    "all-of": _all_of,
    "any-of": _any_of,
    "assert-set": _share_of,
}
_OF_CALL: Mapping[str, Callable[[RecordCheck, CheckedAnswer], CheckResult]] = {
    "calls-tool": _calls_tool,
    "cost": _cost,
    "finish-reason": _finish_reason,
    "is-valid-tools-call": _valid_calls,
    "latency": _latency,
    "tool-call-f1": _tools_f1,
}
"""Kinds that need no response."""
_OF_MODELS: Mapping[str, Callable[[RecordCheck, CheckedAnswer], CheckResult]] = {
    "factuality": _judged,
    "g-eval": _judged,
    "is-refusal": _is_refusal,
    "llm-rubric": _judged,
    "similar": _similar,
}
