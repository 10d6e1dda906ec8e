"""A page of another origin, in a browser that is logged in: it changes nothing.

The other page has another port of the same machine, so it is of the same site: the browser sends
the cookie of the session with everything that it asks for.
"""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module

import pytest

pytest.importorskip("fastapi")
from tests.required import chromium
from tests.server.client import Client, live
from tests.store.scored import make_samples, stored_run

from assay.store.audit import AuditFilter, list_entries
from assay.store.run_list import list_runs
from assay.targets.browser import ARGUMENTS

CHANGES = (
    ("DELETE", "/v1/runs/one", None),
    ("PATCH", "/v1/runs/one", {"name": "two"}),
    ("POST", "/v1/logout", None),
    ("POST", "/v1/score", {"response": "Hello."}),
    ("POST", "/v1/uploads", None),
    ("PUT", "/v1/profiles/mine", {"metrics": {}}),
)
KINDS = ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data")
PAGE = """<!doctype html><title>other</title><body><script>
const base = BASE, changes = CHANGES, kinds = KINDS;
const form = (path, kind) => new Promise((done) => {
  const frame = document.createElement('iframe');
  frame.name = 'f' + Math.random();
  document.body.append(frame);
  const form = document.createElement('form');
  Object.assign(form, { action: base + path, method: 'post', enctype: kind, target: frame.name });
  const field = document.createElement('input');
  Object.assign(field, { name: '{"response": "', value: 'x"}' });
  form.append(field);
  document.body.append(form);
  frame.onload = done;
  setTimeout(done, 3000); // an answer without content loads nothing
  form.submit();
});
const socket = (path) => new Promise((done) => {
  const opened = new WebSocket(base.replace('http', 'ws') + path);
  opened.onopen = () => { window.opened += 1; done(); };
  opened.onclose = done;
});
const image = (path) => new Promise((done) => {
  const shown = new Image();
  shown.onload = shown.onerror = done;
  shown.src = base + path;
});
window.opened = window.read = 0;
const attack = async () => {
  for (const [method, path, body] of changes) {
    for (const mode of ['no-cors', 'cors']) {
      for (const kind of [...kinds, 'application/json']) {
        for (const credentials of ['include', 'omit']) {
          const options = { method, mode, credentials, headers: { 'content-type': kind } };
          options.body = body ? JSON.stringify(body) : 'x=1';
          try {
            const answer = await fetch(base + path, options);
            window.read += answer.type !== 'opaque';
          } catch { /* refused by the browser */ }
        }
      }
    }
    for (const kind of kinds) await form(path, kind);
    navigator.sendBeacon(base + path, 'x=1');
    await image(path);
    await socket(path);
  }
  return true;
};
</script>"""


@contextmanager
def other_site(page):
    """A server of one page at another port; gives its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, *words):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/"
        finally:
            server.shutdown()
            thread.join()


class Answers:
    """Middleware that notes how requests for changes were answered."""

    def __init__(self, app, answers):
        self._app, self._answers = app, answers

    async def __call__(self, scope, receive, send):
        async def noted(message):
            is_change = scope["method"] not in ("GET", "OPTIONS")
            if is_change and message["type"] == "http.response.start":
                self._answers.append(message["status"])
            await send(message)

        await self._app(scope, receive, noted if scope["type"] == "http" else send)


@pytest.fixture
def client(tmp_path):
    """A server with a run."""
    made = Client(f"sqlite:///{tmp_path / 'assay.db'}", tmp_path)
    stored_run(made.store, make_samples(3), "one")
    return made


def state(client):
    """All that somebody could have changed."""
    folder = client.config.uploads
    return (
        [(run.name, run.note) for run in list_runs(client.store)],
        [entry.action for entry in list_entries(client.store, AuditFilter())[0]],
        sorted(path.name for path in folder.rglob("*")) if folder.exists() else [],
    )


def attacked(client, base):
    """Log in, then visit the other page; nothing may have changed."""
    key = client.key("admin")
    page_text = PAGE.replace("BASE", json.dumps(base)).replace("CHANGES", json.dumps(CHANGES))
    api = import_module("playwright.sync_api")
    with (
        other_site(page_text.replace("KINDS", json.dumps(KINDS))) as other,
        api.sync_playwright() as p,
    ):
        browser = p.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
        context = browser.new_context()
        logged_in = context.request.post(f"{base}/v1/login", data={"key": key})
        assert logged_in.status == 200
        before = state(client)
        page = context.new_page()
        page.set_default_timeout(120_000)
        page.goto(other)
        assert page.evaluate("attack()")
        seen = page.evaluate("[window.read, window.opened]")
        role = context.request.get(f"{base}/v1/me").json().get("role")
        browser.close()
    assert role == "admin"  # the session has not been ended either
    assert seen == [0, 0]
    assert state(client) == before


def test_a_page_of_another_origin_changes_nothing(client):
    answers = []
    client.app.add_middleware(Answers, answers=answers)
    with live(client.app) as base:
        attacked(client, base)
    assert answers[0] == 200  # the login
    assert set(answers[1:]) == {401, 403}  # 401 where it leaves the cookie out
    assert answers.count(403) > 40


def test_without_the_defence_the_same_page_changes_something(client, monkeypatch):
    monkeypatch.setattr("assay.server.access._check_origin", lambda method, headers: None)
    with live(client.app) as base, pytest.raises(AssertionError):
        attacked(client, base)
