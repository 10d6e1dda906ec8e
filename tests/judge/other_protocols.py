"""Endpoints on this machine that speak Anthropic's and Google's protocols, and mind their shape.

A request that a real endpoint would refuse is answered with 400 and the reason.
"""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import unquote

from tests.judge.chat import Asked


def _asked(body, system, user):
    said = [{"role": "system", "content": system}, {"role": "user", "content": user}]
    asked = Asked({"messages": said})
    asked.body = body
    return asked


class ScriptedEndpoint:
    """A server; `answer` gives a verdict, or (status, body) for a whole reply."""

    def __init__(self, answer):
        self.answer, self.asked, self.headers, self.refused = answer, [], [], []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.headers.append({name.lower(): text for name, text in self.headers.items()})
                status, reply = outer.respond(self.path, outer.headers[-1], body)
                raw = json.dumps(reply).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)

            def log_message(self, *args):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}/{self.version}"
        Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def respond(self, path, headers, body):
        """Status and body of the reply."""
        problem = self.problem(path, headers, body)
        if problem:
            self.refused.append(problem)
            return 400, {"error": {"message": problem}}
        self.asked.append(_asked(body, *self.texts(body)))
        given = self.answer(self.asked[-1])
        return given if isinstance(given, tuple) else (200, self.reply(given, body))

    def close(self):
        """End it."""
        self.server.shutdown()
        self.server.server_close()


class Anthropic(ScriptedEndpoint):
    """The Messages API."""

    version = "v1"
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
