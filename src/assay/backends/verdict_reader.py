"""Reads a judge's answer: exactly one verdict that repeats the nonce, or none at all.

Nothing is searched for inside prose, completed or guessed: a reply that is not the one object that
was asked for is refused with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from assay.backends.judge_questions import (
    JudgeQuestion,
    JudgeVerdict,
    Labels,
    Numbers,
    VerdictUsage,
)
from assay.core.jsontext import loads

KEPT_REPLY = 500
"""Characters of an unusable reply that are kept for people to look at."""
KEPT_REASON = 600
"""Characters of a judge's reason or quotation that are kept."""
MOST_TOKENS = 10_000_000
"""A larger count of tokens is taken for nonsense."""
BYTES_PER_TOKEN = 4
"""About so many bytes of UTF-8 make a token, where an endpoint does not count."""
_ENDS = {
    "length": "it was cut off at the token limit",
    "content_filter": "it was held back by a content filter",
    "tool_calls": "it is a tool call",
    "function_call": "it is a tool call",
}
"""Reasons to end that leave no whole answer."""


def reply_text(body: str) -> str:
    """What the judge said in the body of an answer; raises `ValueError` where that is unclear."""
    answer = loads(body)
    choices = answer.get("choices") if isinstance(answer, dict) else None
    if not isinstance(choices, list) or len(choices) != 1 or not isinstance(choices[0], dict):
        raise ValueError("the endpoint's answer has not exactly one choice")
    message = choices[0].get("message")
    if not isinstance(message, dict):
        raise ValueError("the endpoint's answer holds no message")
    if problem := _ENDS.get(str(choices[0].get("finish_reason"))):
        raise ValueError(problem)
    if message.get("tool_calls"):
        raise ValueError(_ENDS["tool_calls"])
    if message.get("refusal"):
        raise ValueError("the judge refuses")
    content = message.get("content")
    if not isinstance(content, str) or not content.strip():
        raise ValueError("it is empty")
    return content


def read_verdict(content: str, question: JudgeQuestion, nonce: str) -> JudgeVerdict:
    """The one verdict of a reply; raises `ValueError` with what is wrong."""
    verdict = loads(content)
    keys = verdict_keys(question)
    if not isinstance(verdict, dict) or set(verdict) != set(keys):
        raise ValueError(f"it is not one object with {_listed(keys)}")
    if verdict["nonce"] != nonce:
        raise ValueError("it does not repeat the nonce")
    answer = _answer(verdict[keys[-2]], question.answers)
    reason, quote = (verdict.get(key, "") for key in ("reason", "quote"))
    if not isinstance(reason, str) or not isinstance(quote, str):
        raise ValueError("its reason or quotation is no text")
    return JudgeVerdict(answer, shown(reason, KEPT_REASON), quote[:KEPT_REASON])


def verdict_keys(question: JudgeQuestion) -> tuple[str, ...]:
    """The keys of a verdict, in order; the last but one holds the answer."""
    own = "score" if isinstance(question.answers, Numbers) else "label"
    return (*(("reason", "quote") if question.explains else ()), own, "nonce")


def _answer(given: Any, answers: Numbers | Labels) -> float | str:
    if isinstance(answers, Labels):
        if not isinstance(given, str) or given not in answers.labels:
            raise ValueError(f"its label is not one of {_listed(answers.labels)}")
        return given
    if type(given) not in (int, float) or not answers.low <= given <= answers.high:
        raise ValueError(f"the score is not a number from {answers.low:g} to {answers.high:g}")
    if answers.is_whole and not float(given).is_integer():
        raise ValueError("the score is not a whole number")
    return float(given)


def verdict_schema(question: JudgeQuestion) -> dict[str, Any]:
    """The verdict as a JSON Schema; the same for every call with the same question.

    The nonce is not in it: endpoints prepare each new schema for seconds, and the texts' own nonce
    has to come from the prompt.
    """
    answers = question.answers
    kinds: dict[str, dict[str, Any]] = {
        "reason": {"type": "string"},
        "quote": {"type": "string"},
        "nonce": {"type": "string"},
    }
    if isinstance(answers, Labels):
        kinds["label"] = {"type": "string", "enum": list(answers.labels)}
    elif answers.is_whole:
        numbers = range(int(answers.low), int(answers.high) + 1)
        kinds["score"] = {"type": "integer", "enum": list(numbers)}
    else:
        kinds["score"] = {"type": "number"}
    keys = verdict_keys(question)
    return {
        "type": "object",
        "properties": {key: kinds[key] for key in keys},
        "required": list(keys),
        "additionalProperties": False,
    }


def measured_usage(
    body: str, sent_bytes: int, counts_of: Callable[[Any], Sequence[Any]]
) -> VerdictUsage:
    """The tokens that an answer reports; where it reports none that can be, an estimate."""
    try:
        counts = counts_of(loads(body))
        if all(type(count) is int and 0 <= count <= MOST_TOKENS for count in counts):
            return VerdictUsage(*counts)
    except (ValueError, TypeError, LookupError, AttributeError):
        pass
    return VerdictUsage(sent_bytes // BYTES_PER_TOKEN, len(body.encode()) // BYTES_PER_TOKEN, True)


def shown(text: str, limit: int = KEPT_REPLY) -> str:
    """A model's words on one line, without what acts on a screen, and not many."""
    head = text[: 4 * limit]
    line = " ".join("".join(c if c.isprintable() else " " for c in head).split())
    return line if len(line) <= limit and len(head) == len(text) else line[: limit - 1] + "…"


def _listed(words: tuple[str, ...]) -> str:
    return " and ".join(", ".join(map(repr, words)).rsplit(", ", 1))
