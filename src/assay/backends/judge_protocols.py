"""How a judge's question is put, and its reply read, in the protocols of OpenAI, Anthropic, Gemini.

Each says the same in its own shape: our instructions as the system's, the marked texts as the
user's, the schema of the verdict where the format asks for one. Replies that were cut off, held
back or refused are refused here with the reason (`ValueError`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol
from urllib.parse import quote

from assay.backends.judge_settings import JudgeSettings
from assay.backends.verdict_probabilities import MOST_ALTERNATIVES, ScoredToken
from assay.backends.verdict_reader import reply_text
from assay.core.jsontext import dumps, loads

ANTHROPIC_VERSION = "2023-06-01"
"""Of the Messages API; required in every request."""
TOOL = "verdict"


class VerdictPrompt(NamedTuple):
    """What is asked in one call."""

    model: str
    system: str
    user: str
    schema: dict[str, Any]
    number: int
    """Which of several verdicts on the question it is."""
    wants_probabilities: bool = False


class JudgeProtocol(Protocol):
    """One way to talk to an endpoint."""

    provider: str
    """The word before the colon of a judge's specification."""

    def path(self, model: str) -> str:
        """What follows the address."""

    def headers(self, key: str) -> dict[str, str]:
        """How the key is sent."""

    def body(self, prompt: VerdictPrompt, judging: JudgeSettings) -> dict[str, Any]:
        """All that is sent; a field of None is left out."""

    def reply(self, body: str) -> str:
        """What the judge said, as text; raises `ValueError` where that is unclear."""

    def counts(self, answer: Any) -> Sequence[Any]:
        """Tokens of prompt and reply, as the answer reports them."""

    def tokens(self, answer: Any) -> list[ScoredToken]:
        """The tokens of the reply with their alternatives, where the answer has them."""


class OpenAIProtocol:
    """Chat completions."""

    provider = "openai"

    def path(self, model: str) -> str:
        return "chat/completions"

    def headers(self, key: str) -> dict[str, str]:
        return {"authorization": f"Bearer {key}"}

    def body(self, prompt: VerdictPrompt, judging: JudgeSettings) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": prompt.model,
            "messages": [
                {"role": "system", "content": prompt.system},
                {"role": "user", "content": prompt.user},
            ],
            "temperature": judging.temperature,
            "max_tokens": judging.answer_tokens,
        }
        if judging.repeats > 1:
            body["seed"] = judging.seed + prompt.number
        if judging.format == "json_schema":
            schema = {"name": TOOL, "strict": True, "schema": prompt.schema}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif judging.format == "json_object":
            body["response_format"] = {"type": "json_object"}
        if prompt.wants_probabilities:
            body |= {"logprobs": True, "top_logprobs": MOST_ALTERNATIVES}
        return body

    def reply(self, body: str) -> str:
        return reply_text(body)

    def counts(self, answer: Any) -> Sequence[Any]:
        return [answer["usage"]["prompt_tokens"], answer["usage"]["completion_tokens"]]

    def tokens(self, answer: Any) -> list[ScoredToken]:
        return [
            scored_token(token["token"], [(t["token"], t["logprob"]) for t in own])
            for token in answer["choices"][0]["logprobs"]["content"]
            for own in [[token, *token["top_logprobs"]]]
        ]


class AnthropicProtocol:
    """Messages; the schema is that of a tool which the model has to use."""

    provider = "anthropic"

    def path(self, model: str) -> str:
        return "messages"

    def headers(self, key: str) -> dict[str, str]:
        return {"x-api-key": key, "anthropic-version": ANTHROPIC_VERSION}

    def body(self, prompt: VerdictPrompt, judging: JudgeSettings) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": prompt.model,
            "system": prompt.system,
            "messages": [{"role": "user", "content": prompt.user}],
            "temperature": judging.temperature,
            "max_tokens": judging.answer_tokens,
        }
        if judging.format == "json_schema":
            about = "Give the verdict."
            body["tools"] = [{"name": TOOL, "description": about, "input_schema": prompt.schema}]
            body["tool_choice"] = {"type": "tool", "name": TOOL}
        return body

    def reply(self, body: str) -> str:
        answer = _object(loads(body))
        _check_end(answer.get("stop_reason"), ("end_turn", "stop_sequence", "tool_use"))
        blocks = answer.get("content")
        if not isinstance(blocks, list) or not all(isinstance(block, dict) for block in blocks):
            raise ValueError("the endpoint's answer holds no content")
        used = [block for block in blocks if block.get("type") == "tool_use"]
        if used:
            if len(used) > 1 or used[0].get("name") != TOOL:
                raise ValueError("it is not one verdict, but other tool calls")
            return dumps(used[0].get("input"))
        return _whole([block.get("text") for block in blocks if block.get("type") == "text"])

    def counts(self, answer: Any) -> Sequence[Any]:
        usage = answer["usage"]
        cached = [usage.get(f"cache_{kind}_input_tokens") or 0 for kind in ("creation", "read")]
        return [usage["input_tokens"] + sum(cached), usage["output_tokens"]]

    def tokens(self, answer: Any) -> list[ScoredToken]:
        return []  # the Messages API gives no probabilities


class GeminiProtocol:
    """generateContent."""

    provider = "gemini"

    def path(self, model: str) -> str:
        return f"models/{quote(model.removeprefix('models/'), safe='')}:generateContent"

    def headers(self, key: str) -> dict[str, str]:
        return {"x-goog-api-key": key}

    def body(self, prompt: VerdictPrompt, judging: JudgeSettings) -> dict[str, Any]:
        generation: dict[str, Any] = {
            "temperature": judging.temperature,
            "maxOutputTokens": judging.answer_tokens,
        }
        if judging.repeats > 1:
            generation["seed"] = judging.seed + prompt.number
        if prompt.wants_probabilities:
            generation |= {"responseLogprobs": True, "logprobs": MOST_ALTERNATIVES}
        if judging.format != "none":
            generation["responseMimeType"] = "application/json"
        if judging.format == "json_schema":
            generation["responseJsonSchema"] = prompt.schema
        return {
            "systemInstruction": {"parts": [{"text": prompt.system}]},
            "contents": [{"role": "user", "parts": [{"text": prompt.user}]}],
            "generationConfig": generation,
        }

    def reply(self, body: str) -> str:
        answer = _object(loads(body))
        if reason := _object(answer.get("promptFeedback") or {}).get("blockReason"):
            raise ValueError(f"the prompt was held back ({reason})")
        candidates = answer.get("candidates")
        if not isinstance(candidates, list) or len(candidates) != 1:
            raise ValueError("the endpoint's answer has not exactly one candidate")
        candidate = _object(candidates[0])
        _check_end(candidate.get("finishReason"), ("STOP",))
        parts = _object(candidate.get("content") or {}).get("parts")
        if not isinstance(parts, list) or not all(isinstance(part, dict) for part in parts):
            raise ValueError("the endpoint's answer holds no content")
        if any("functionCall" in part for part in parts):
            raise ValueError("it is a tool call")
        return _whole([part.get("text") for part in parts if not part.get("thought")])

    def counts(self, answer: Any) -> Sequence[Any]:
        usage = answer["usageMetadata"]
        written = usage.get("candidatesTokenCount", 0) + usage.get("thoughtsTokenCount", 0)
        return [usage["promptTokenCount"], written]

    def tokens(self, answer: Any) -> list[ScoredToken]:
        given = answer["candidates"][0]["logprobsResult"]
        places = zip(given["chosenCandidates"], given["topCandidates"], strict=True)
        return [
            scored_token(
                chosen["token"],
                [(t["token"], t["logProbability"]) for t in [chosen, *top["candidates"]]],
            )
            for chosen, top in places
        ]


PROTOCOLS: Mapping[str, JudgeProtocol] = {
    protocol.provider: protocol
    for protocol in (OpenAIProtocol(), AnthropicProtocol(), GeminiProtocol())
}
"""By the word before the colon of a judge's specification."""
_ENDS = {
    "max_tokens": "it was cut off at the token limit",
    "refusal": "the judge refuses",
    "safety": "it was held back by a content filter",
    "prohibited_content": "it was held back by a content filter",
    "recitation": "it was held back by a content filter",
}
"""Reasons to end that leave no whole answer, in small letters."""


def scored_token(text: Any, alternatives: Sequence[tuple[Any, Any]]) -> ScoredToken:
    """A token as an endpoint gives it; raises `ValueError` for what is none."""
    kinds = (
        (isinstance(other, str), type(number) in (int, float)) for other, number in alternatives
    )
    if not isinstance(text, str) or not all(all(kind) for kind in kinds):
        raise ValueError("a token is not a text with the logarithm of a probability")
    return ScoredToken(text, tuple((other, float(number)) for other, number in alternatives))


def _check_end(reason: Any, whole: Sequence[str]) -> None:
    """Refuse what did not end by itself."""
    if reason not in whole:
        raise ValueError(_ENDS.get(str(reason).lower(), f"it ended for the reason {reason!r:.40}"))


def _object(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("the endpoint's answer is not an object of its protocol")
    return value


def _whole(texts: Sequence[Any]) -> str:
    if not all(isinstance(text, str) for text in texts):
        raise ValueError("the endpoint's answer holds something else than text")
    whole = "".join(texts)
    if not whole.strip():
        raise ValueError("it is empty")
    return whole
