"""A chat endpoint on this machine that answers as a test scripts it."""

import json
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread

KEY = "sk-secret-0123456789"
USAGE = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}


class Asked:
    """One request, as the judge sees it."""

    def __init__(self, body):
        self.body = body
        self.system, self.user = (message["content"] for message in body["messages"])
        self.nonce = re.search("<<<(\\w{32})\n", self.user)[1]

    @property
    def texts(self):
        """The texts between the marks, with their signs before every line."""
        return re.findall(f"<<<{self.nonce}\n(.*?)\n{self.nonce}>>>", self.user, re.DOTALL)

    def plain(self, number):
        """A text without the signs."""
        return "\n".join(line.removeprefix("| ") for line in self.texts[number].split("\n"))


def numbers(score, **more):
    """A verdict of likeness or support."""
    return lambda asked: {"score": score, "nonce": asked.nonce, **more}


def graded(answer, reason="It is so.", quote=""):
    """A verdict on a rubric: a number of a scale, or a label."""
    key = "label" if isinstance(answer, str) else "score"
    return lambda asked: {"reason": reason, "quote": quote, key: answer, "nonce": asked.nonce}


class LoopbackServer:
    """Answers POST on this machine; `respond` gives status and text for path, headers and body."""

    version = "v1"

    def __init__(self):
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                status, text = outer.respond(self.path, dict(self.headers), body)
                raw = text.encode("utf-8", "surrogatepass")
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

    def close(self):
        """End it."""
        self.server.shutdown()
        self.server.server_close()


class Chat(LoopbackServer):
    """A chat endpoint; `answer` gives the content of a reply, or a whole one as (status, body)."""

    def __init__(self, answer):
        self.answer, self.asked, self.headers = answer, [], []
        self.usage, self.finish = USAGE, "stop"
        self._lock = Lock()
        super().__init__()

    def respond(self, path, headers, body):
        asked = Asked(body)
        with self._lock:
            self.asked.append(asked)
            self.headers.append((path, headers))
        return self.reply(self.answer(asked))

    def reply(self, found):
        """Status and body of an answer."""
        if isinstance(found, tuple):
            return found
        content = found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)
        said = {"choices": [{"message": {"content": content}, "finish_reason": self.finish}]}
        if self.usage is not None:
            said["usage"] = self.usage
        return 200, json.dumps(said)

    @property
    def spec(self):
        """The words that choose this judge."""
        return f"openai:{self.url}#small"


class Instant:
    """Waits that take no time, and chance that adds nothing."""

    def __init__(self):
        self.now = 0.0

    def clock(self):
        return self.now

    def random(self):
        return 0.0

    async def sleep(self, seconds):
        self.now += seconds

    @property
    def waits(self):
        """What a judge takes to wait by this clock."""
        return {"clock": self.clock, "sleep": self.sleep, "random": self}
