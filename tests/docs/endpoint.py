"""An endpoint on this machine that speaks OpenAI's protocol: chat, judging and embeddings."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

ANSWER = "We are open from Monday to Friday."
VERBOSE = "my-model"
"""The judge that grades long responses a grade better."""
LONG = 35
"""Words from which on a response is long."""
USAGE = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path.endswith("/embeddings"):
            vectors = [{"index": n, "embedding": [1.0, 0.5]} for n, _ in enumerate(body["input"])]
            self._send(json.dumps({"data": vectors, "usage": USAGE}))
            return
        text = "\n".join(str(message["content"]) for message in body["messages"])
        content = _reply(text, body.get("model") == VERBOSE)
        if body.get("stream"):
            parts = [{"choices": [{"delta": {"content": content}, "finish_reason": "stop"}]}]
            parts.append({"choices": [], "usage": USAGE})
            events = "".join(f"data: {json.dumps(part)}\n\n" for part in parts)
            self._send(f"{events}data: [DONE]\n\n", "text/event-stream")
        else:
            choice = {"message": {"content": content}, "finish_reason": "stop"}
            self._send(json.dumps({"choices": [choice], "usage": USAGE}))

    def _send(self, text, kind="application/json"):
        raw = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, *args):
        pass


def _reply(text: str, likes_length: bool = False) -> str:
    """A grade of 4 where a judge is asked, else the one answer that this system knows."""
    nonce = re.search("<<<(\\w{32})\n", text)
    if not nonce:
        return ANSWER
    if '"tie"' in text:
        return _preferred(text, nonce[1])
    if '"quote"' in text:  # a rubric; else how alike two values are
        grade = 3 if likes_length and len(_texts(text, nonce[1])[-1].split()) < LONG else 4
        return json.dumps({"reason": "It is so.", "quote": "", "score": grade, "nonce": nonce[1]})
    return json.dumps({"score": 0.9, "nonce": nonce[1]})


def _preferred(text: str, nonce: str) -> str:
    """A preference for the response with more digits."""
    first, second = (sum(map(str.isdigit, text)) for text in _texts(text, nonce, "number .:\n"))
    label = "tie" if first == second else "first" if first > second else "second"
    return json.dumps({"reason": "It is exact.", "quote": "", "label": label, "nonce": nonce})


def _texts(text: str, nonce: str, title: str = "") -> list[str]:
    """The texts that the judge is shown, under titles that end so."""
    return re.findall(f"{title}<<<{nonce}\n(.*?)\n{nonce}>>>", text, re.DOTALL)


@contextmanager
def endpoint() -> Iterator[str]:
    """The address of the endpoint while it is open."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    server.server_close()
