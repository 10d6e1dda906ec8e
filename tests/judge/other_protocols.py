"""Endpoints on this machine that speak Anthropic's and Google's protocols, and mind their shape.

A request that a real endpoint would refuse is answered with 400 and the reason.
"""

import json
from urllib.parse import unquote

from tests.judge.chat import Asked, LoopbackServer


def _asked(body, system, user):
    said = [{"role": "system", "content": system}, {"role": "user", "content": user}]
    asked = Asked({"messages": said})
    asked.body = body
    return asked


class ScriptedEndpoint(LoopbackServer):
    """A server; `answer` gives a verdict, or (status, body) for a whole reply."""

    def __init__(self, answer):
        self.answer, self.asked, self.headers, self.refused = answer, [], [], []
        super().__init__()

    def respond(self, path, headers, body):
        """Status and text of the reply."""
        self.headers.append({name.lower(): text for name, text in headers.items()})
        if problem := self.problem(path, self.headers[-1], body):
            self.refused.append(problem)
            return 400, json.dumps({"error": {"message": problem}})
        self.asked.append(_asked(body, *self.texts(body)))
        given = self.answer(self.asked[-1])
        status, reply = given if isinstance(given, tuple) else (200, self.reply(given, body))
        return status, json.dumps(reply)


class Anthropic(ScriptedEndpoint):
    """The Messages API."""

    known = frozenset(
        ("model", "system", "messages", "temperature", "max_tokens", "tools", "tool_choice")
    )

    @property
    def spec(self):
        return f"anthropic:{self.url}#claude-small"

    def problem(self, path, headers, body):
        """What the real endpoint would refuse; nothing if all is well."""
        rules = {
            "wrong path": path == "/v1/messages",
            "no x-api-key": "x-api-key" in headers and "authorization" not in headers,
            "no version": headers.get("anthropic-version") == "2023-06-01",
            "unknown field": set(body) <= self.known,
            "max_tokens is required": isinstance(body.get("max_tokens"), int),
            "system is no role here": [m["role"] for m in body["messages"]] == ["user"],
            "tool without schema": all(
                tool["input_schema"]["type"] == "object" for tool in body.get("tools", ())
            ),
        }
        return next((rule for rule, holds in rules.items() if not holds), "")

    def texts(self, body):
        return body["system"], body["messages"][0]["content"]

    def reply(self, given, body):
        block = {"type": "tool_use", "id": "toolu_1", "name": "verdict", "input": given}
        reason = "tool_use"
        if "tools" not in body:
            block, reason = {"type": "text", "text": json.dumps(given)}, "end_turn"
        usage = {"input_tokens": 90, "cache_read_input_tokens": 10, "output_tokens": 20}
        return {"type": "message", "content": [block], "stop_reason": reason, "usage": usage}


class Gemini(ScriptedEndpoint):
    """generateContent of the Gemini API."""

    version = "v1beta"
    known = frozenset(("systemInstruction", "contents", "generationConfig"))

    @property
    def spec(self):
        return f"gemini:{self.url}#gemini-small"

    def problem(self, path, headers, body):
        """What the real endpoint would refuse; nothing if all is well."""
        schema = body["generationConfig"].get("responseJsonSchema")
        kind = body["generationConfig"].get("responseMimeType")
        rules = {
            "wrong path": unquote(path) == "/v1beta/models/gemini-small:generateContent",
            "no x-goog-api-key": "x-goog-api-key" in headers and "authorization" not in headers,
            "unknown field": set(body) <= self.known,
            "no user": [turn["role"] for turn in body["contents"]] == ["user"],
            "schema without JSON": schema is None or kind == "application/json",
        }
        return next((rule for rule, holds in rules.items() if not holds), "")

    def texts(self, body):
        (system,), (user,) = body["systemInstruction"]["parts"], body["contents"][0]["parts"]
        return system["text"], user["text"]

    def reply(self, given, body):
        parts = [{"text": "So it is.", "thought": True}, {"text": json.dumps(given)}]
        candidate = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP"}
        usage = {"promptTokenCount": 100, "candidatesTokenCount": 15, "thoughtsTokenCount": 5}
        return {"candidates": [candidate], "usageMetadata": usage}
