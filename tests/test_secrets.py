"""No secret is found again in what we show, log, answer or write, whatever feature is used."""

import base64
import json
import logging
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import quote

import pytest
from tests.canaries import CANARIES, PLACES, forms, leaks, written

from assay.cli import main
from assay.core.secrets import Redactor

OUTS = ("o.jsonl", "o.json", "o.csv", "o.html", "o.md", "o.xml", "o.prom", "o.otlp.json")
PLUGIN = """
import os
import assay

@assay.metric(id="custom.asks", inputs=("response",), range=(0, 1), polarity="higher")
def asks(response: str) -> float:
    '''Asks a service that answers with the key.'''
    raise RuntimeError("401 for the key " + os.environ["AWS_SECRET_ACCESS_KEY"]
                       + " at " + os.environ["DATABASE_URL"])
"""
BROKEN = 'import os\nraise RuntimeError("no access with " + os.environ["PLUGIN_API_KEY"])\n'
BOT = """
import os
def answer(query):
    raise RuntimeError("login failed with " + os.environ["DB_PASSWORD"])
"""
TELLS = "import os, sys; sys.exit('no access with ' + os.environ['SERVICE_TOKEN'])"
SUITE = """
import os
import assay as product

@product.metric(id="custom.asks", inputs=("response",), range=(0, 1), polarity="higher")
def asks(response: str) -> float:
    raise RuntimeError("401 for the key " + os.environ["NIGHTLY_TOKEN"])

def test_asks(assay):
    assay.assert_quality(response="Hello.", metrics=asks)
"""
ENVIRONMENT = (
    "ASSAY_TARGET_KEY",
    "ASSAY_JUDGE_KEY",
    "ASSAY_EMBEDDINGS_KEY",
    "BOT_LOGIN",
    "BOT_COOKIE",
    "AWS_SECRET_ACCESS_KEY",
    "DB_PASSWORD",
    "SERVICE_TOKEN",
    "PLUGIN_API_KEY",
    "NIGHTLY_TOKEN",
)


class Echo:
    """An endpoint that answers with all that it was sent, as careless ones do."""

    def __init__(self):
        self.status, self.asked = 401, []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                heads = "".join(f"{name}: {value}; " for name, value in self.headers.items())
                coded = base64.b64encode(self.headers.get("Authorization", "").encode()).decode()
                said = f"bad request {self.path} {heads} {coded} {body.decode()}"
                outer.asked.append(said)
                raw = said.encode() if outer.status != 200 else outer.completion(said)
                self.send_response(outer.status)
                self.send_header("Content-Length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)

            do_GET = do_POST  # noqa: N815 -- the name that the library calls

            def log_message(self, *args):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.host = f"127.0.0.1:{self.server.server_port}"
        Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def completion(self, said):
        message = {"message": {"content": said}, "finish_reason": "stop"}
        return json.dumps({"choices": [message], "answer": said}).encode()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Scene:
    """A folder where everything is used, with secrets in every place."""

    def __init__(self, folder, capfd, caplog, monkeypatch):
        self.folder, self._capfd, self._caplog = folder, capfd, caplog
        self._patch = monkeypatch
        self.given = set()
        self.said = ""

    def file(self, name, text):
        """Something that the user wrote; secrets may stand in it."""
        path = self.folder / name
        path.write_text(text)
        self.given.add(path)
        return path

    def run(self, *args):
        """Call the command line; its exit code, with what it said kept for the scan."""
        self._patch.setattr(sys, "argv", ["assay", *map(str, args)])
        code = 0
        try:
            main()
        except SystemExit as stop:
            code = stop.code
        said = "".join(self._capfd.readouterr())
        self.said += said
        return code, said

    def scan(self, **more):
        """Look for every secret in all that was said and written."""
        self.said += "".join(self._capfd.readouterr())
        secrets = {**CANARIES, **more}
        found = leaks(self.said.encode(), secrets)
        found += [f"log: {one}" for one in leaks(self._caplog.text.encode(), secrets)]
        for name, data in written(self.folder, self.given):
            found += [f"{name}: {one}" for one in leaks(data, secrets)]
        assert found == []


@pytest.fixture
def scene(tmp_path, capfd, caplog, monkeypatch):
    monkeypatch.chdir(tmp_path)
    caplog.set_level(logging.DEBUG)
    for place in ENVIRONMENT:
        monkeypatch.setenv(place, CANARIES[place])
    password = quote(CANARIES["DATABASE_URL"], safe="")
    monkeypatch.setenv("DATABASE_URL", f"mysql://me:{password}@127.0.0.1/x")
    monkeypatch.setenv("ASSAY_CACHE_DIR", str(tmp_path / "cache"))
    return Scene(tmp_path, capfd, caplog, monkeypatch)


@pytest.fixture
def echo():
    made = Echo()
    yield made
    made.close()


@pytest.fixture
def data(scene):
    record = {"query": "When?", "response": "We open at nine.", "contexts": ["It opens at nine."]}
    return scene.file("a.jsonl", json.dumps(record) + "\n")


def outs(names=OUTS):
    return [part for name in names for part in ("-o", name)]


def test_there_are_25_places_and_each_is_documented():
    assert len(PLACES) == len(set(CANARIES.values())) == 25
    page = (Path(__file__).parent.parent / "docs/background/security.md").read_text()
    for told in PLACES.values():
        assert told in page, told


@pytest.mark.parametrize("form", forms("x"))
def test_the_scanner_sees_every_form(form):
    secret = CANARIES["ASSAY_JUDGE_KEY"]
    assert leaks(b"..." + forms(secret)[form] + b"...", {"a": secret})
    assert not leaks(b"no secret here", CANARIES)


@pytest.mark.parametrize("status", [200, 401, 429, 500])
def test_a_chat_system_that_echoes_its_key(scene, echo, data, status):
    echo.status = status
    caps = ("--attempts", "1", "--run", "one", "--store", "s.db")
    chosen = ("run", data, "--target", f"openai:http://{echo.host}/v1#small", "-m", "text")
    scene.run(*chosen, *caps, *outs())
    assert CANARIES["ASSAY_TARGET_KEY"] in echo.asked[0]
    scene.run("show", "one", "--store", "s.db")
    scene.run("report", "one", "--store", "s.db", "-o", "again.html")
    scene.run("runs", "--store", "s.db", "--json")
    scene.scan()


@pytest.mark.parametrize("status", [200, 401])
@pytest.mark.parametrize("key", ["BOT_LOGIN", "BOT_COOKIE"])
def test_an_http_system_with_a_key_of_any_name(scene, echo, data, status, key):
    echo.status = status
    header = "Cookie" if key == "BOT_COOKIE" else "X-Bot"
    scene.file(
        "bot.toml",
        f'kind = "http"\nurl = "http://{echo.host}/ask"\nkey_env = "{key}"\n'
        f'key_header = "{header}"\nkey_prefix = ""\nanswer = "$.answer"\n'
        '[body]\nq = "{{query}}"\n',
    )
    scene.run("run", data, "--target", "bot.toml", "--attempts", "1", "--run", "one", *outs())
    assert CANARIES[key] in echo.asked[0]
    scene.scan()


@pytest.mark.parametrize("status", [200, 401])
def test_secrets_in_the_address_of_a_system(scene, echo, data, status):
    echo.status = status
    user, query = (quote(CANARIES[f"target {place}"], safe="") for place in ("user", "query"))
    for number, url in enumerate(
        (f"http://me:{user}@{echo.host}/v1", f"http://{echo.host}/v1?api_key={query}")
    ):
        asked = ("--target", f"openai:{url}#small", "--attempts", "1", "--run", f"r{number}")
        scene.run("run", data, *asked, *outs())
        scene.file("bot.toml", f'kind = "http"\nurl = "{url}"\n[body]\nq = "{{{{query}}}}"\n')
        scene.run("run", data, "--target", "bot.toml", *asked[2:-1], f"h{number}", *outs())
    assert all(query in said for said in echo.asked)  # an address with a password is not asked
    assert len(echo.asked) == 2
    scene.scan()


def test_a_key_that_is_written_into_a_file_is_refused_without_telling_it(scene, data):
    canary = CANARIES["target header"]
    scene.file(
        "bot.toml",
        f'kind = "http"\nurl = "http://127.0.0.1:9/"\n[headers]\nAuthorization = "Bearer {canary}"',
    )
    assert scene.run("run", data, "--target", "bot.toml")[0] == 2
    scene.file("bot.toml", f'kind = "openai"\nurl = "http://127.0.0.1:9/"\nkey = "{canary}"')
    assert scene.run("run", data, "--target", "bot.toml")[0] == 2
    scene.scan()


@pytest.mark.parametrize("status", [200, 401])
def test_a_judge_that_echoes_its_key(scene, echo, data, status):
    echo.status = status
    user, query = (quote(CANARIES[f"judge {place}"], safe="") for place in ("user", "query"))
    addresses = (
        f"http://{echo.host}/v1",
        f"http://{echo.host}/v1?api_key={query}",
        f"http://me:{user}@{echo.host}/v1",
    )
    for number, url in enumerate(addresses):
        judge = ("--judge", f"openai:{url}#small", "-m", "judge.tone")
        scene.run("run", data, *judge, "--store", "s.db", "--run", f"r{number}", *outs())
    assert any(CANARIES["ASSAY_JUDGE_KEY"] in said for said in echo.asked)
    scene.run("show", "r0", "--store", "s.db")
    scene.scan()


def test_an_endpoint_for_embeddings_that_echoes_its_key(scene, echo, data, monkeypatch):
    monkeypatch.setenv("ASSAY_EMBEDDINGS_URL", f"http://{echo.host}/v1")
    chosen = ("--embedder", "openai:small", "-m", "chat.context_relevance")
    scene.run("run", data, *chosen, "--store", "s.db", "--run", "one", *outs())
    assert CANARIES["ASSAY_EMBEDDINGS_KEY"] in echo.asked[0]
    scene.scan()


@pytest.mark.parametrize("workers", [1, 2])
def test_what_a_metric_tells_when_it_fails(scene, data, workers):
    plugin = scene.file("mine.py", PLUGIN)
    chosen = ("--plugin", plugin, "-m", "custom.asks,text", "--workers", workers)
    code, _ = scene.run("run", data, *chosen, "--store", "s.db", "--run", "one", *outs())
    assert code == 3
    assert "401 for the key [hidden]" in (scene.folder / "o.jsonl").read_text()
    scene.run("show", "one", "--store", "s.db", *outs(["p.html", "p.csv"]))
    scene.scan()


def test_the_scan_finds_what_is_not_hidden(scene, data, monkeypatch):
    monkeypatch.setattr("assay.engine.foreign.redactor", lambda: str)
    plugin = scene.file("mine.py", PLUGIN)
    scene.run("run", data, "--plugin", plugin, "-m", "custom.asks", *outs())
    with pytest.raises(AssertionError, match="AWS_SECRET_ACCESS_KEY"):
        scene.scan()


def test_what_a_plugin_tells_when_it_cannot_be_imported(scene, data):
    plugin = scene.file("broken.py", BROKEN)
    code, said = scene.run("run", data, "--plugin", plugin)
    assert code == 2
    assert "no access with" in said
    scene.scan()


def test_what_a_python_system_tells_when_it_fails(scene, data):
    scene.file("bot.py", BOT)
    scene.run("run", data, "--target", "python:bot.py:answer", "--run", "one", *outs())
    assert "login failed with" in scene.said + (scene.folder / "o.jsonl").read_text()
    scene.scan()


def test_what_a_program_tells_when_it_fails(scene, data):
    told = scene.file("tells.py", TELLS)
    target = f"command:{sys.executable} {told}"
    scene.run("run", data, "--target", target, "--run", "one", *outs())
    assert "no access with" in scene.said + (scene.folder / "o.jsonl").read_text()
    scene.scan()


def test_the_password_of_the_store(scene, data, monkeypatch):
    monkeypatch.setattr("assay.store.connect.WAIT", 0.01)

    def url(place):
        return f"postgresql://me:{quote(CANARIES[place], safe='')}@127.0.0.1:9/none"

    assert scene.run("run", data, "--store", url("--store"), "--run", "one")[0] == 2
    assert scene.run("serve", "--port", "0", "--store", url("--store"))[0] == 2
    scene.file("assay.toml", f'store = "{url("assay.toml")}"\n')
    for command in (("settings",), ("settings", "--json"), ("runs",), ("show", "one")):
        scene.run(*command)
    monkeypatch.setenv("ASSAY_STORE", url("ASSAY_STORE"))
    for command in (("settings",), ("settings", "--json"), ("runs",), ("keys", "list")):
        scene.run(*command)
    assert "postgresql://" in scene.said
    scene.scan()


def test_a_key_in_the_wrong_place(scene, data, monkeypatch):
    monkeypatch.setenv("OTHER_API_KEY", CANARIES["wrong setting"])
    monkeypatch.setenv("THIRD_API_KEY", CANARIES["run name"])
    scene.file("assay.toml", f'workers = "{CANARIES["wrong setting"]}"\n')
    assert scene.run("settings")[0] == 2
    (scene.folder / "assay.toml").unlink()
    wrong = CANARIES["wrong setting"]
    for option in (
        "--profile",
        "--metrics",
        "--policy",
        "--classifier",
        "--workers",
        "--fail-under",
    ):
        scene.run("run", data, option, wrong)
    assert scene.run(wrong)[0] == 2
    code, said = scene.run("run", data, "--run", f"nightly {CANARIES['run name']}")
    assert (code, "name holds a key" in said) == (2, True)
    scene.scan()


def test_what_pytest_shows(scene, pytester, monkeypatch):
    """Scores and their errors are ours; what a test prints itself is its own."""
    pytester.makepyfile(test_suite=SUITE)
    without = ("asyncio", "cacheprovider", "hypothesispytest", "schemathesis")
    monkeypatch.setenv("PYTEST_ADDOPTS", " ".join(f"-p no:{name}" for name in without))
    options = ("--assay-run=one", "--assay-store=s.db", "--junitxml=j.xml", "--assay-report=r.html")
    found = pytester.runpytest(*options, "-vv", "--showlocals")
    found.assert_outcomes(failed=1)
    found.stdout.fnmatch_lines(["*401 for the key ?hidden?*"])
    scene.said += found.stdout.str() + found.stderr.str()
    scene.folder = pytester.path
    scene.scan()


TRACE = {
    "resourceSpans": [
        {
            "resource": {"attributes": []},
            "scopeSpans": [
                {
                    "spans": [
                        {
                            "traceId": "5b8efff798038103d269b633813fc60c",
                            "spanId": "eee19b7ec3c1b174",
                            "name": "chat small",
                            "startTimeUnixNano": "1544712660000000000",
                            "endTimeUnixNano": "1544712661000000000",
                            "attributes": [
                                {"key": key, "value": {"stringValue": value}}
                                for key, value in {
                                    "gen_ai.operation.name": "chat",
                                    "gen_ai.request.model": "small",
                                    "gen_ai.completion.0.content": "We open at nine.",
                                    "gen_ai.input.messages": '[{"role": "user", "parts": '
                                    '[{"type": "text", "content": "When?"}]}]',
                                    "gen_ai.output.messages": '[{"role": "assistant", "parts": '
                                    '[{"type": "text", "content": "We open at nine."}]}]',
                                    "http.request.header.authorization": "Bearer "
                                    + CANARIES["trace header"],
                                    "url.full": "http://127.0.0.1/?api_key="
                                    + CANARIES["trace header"],
                                }.items()
                            ],
                        }
                    ]
                }
            ],
        }
    ]
}


def test_the_server(scene, monkeypatch, tmp_path):
    pytest.importorskip("fastapi")
    from tests.server.client import Client

    from assay.server.redact import RedactingFormatter

    monkeypatch.setenv("SERVER_SECRET", CANARIES["server environment"])
    secret = CANARIES["server environment"]
    scene._caplog.set_level(logging.WARNING, "httpx2")  # the client's own log is not ours
    with Client(f"sqlite:///{tmp_path / 'assay.db'}", tmp_path) as client:
        scene._caplog.handler.setFormatter(RedactingFormatter(client.app.state.redactor))
        keys = {f"{role} key": client.key(role) for role in ("read", "write", "admin")}
        logged_in = client.call(
            "POST", "/v1/login", json={"key": keys["write key"]}, headers={"x-assay-client": "t"}
        )
        keys["session"] = logged_in.cookies["assay_session"]
        answers = [
            client.call(
                "GET", "/v1/me", headers={"authorization": f"Bearer {CANARIES['wrong key']}"}
            ),
            client.call(
                "GET", "/v1/me", headers={"cookie": f"assay_session={CANARIES['wrong key']}"}
            ),
            client.get("/v1/runs", params={"key": CANARIES["server query"]}),
            client.get(f"/v1/tests/{quote(secret, safe='')}"),
            client.get(f"/v1/runs/{quote(keys['admin key'])}"),
            client.post("/v1/traces", json=TRACE, params={"metrics": "text"}),
        ]
        sample = {"query": "When?", "response": "We open at nine."}
        for typed in (secret, keys["admin key"], keys["write key"]):
            body = {"text": f'title = "{typed}"\n'}
            answers += [
                client.call("PUT", "/v1/profiles/mine", role="admin", json=body),
                client.post("/v1/score", json={"sample": {**sample, "metadata": {"a": typed}}}),
                client.post("/v1/jobs", json={"samples": [sample], "run": f"run {typed}"}),
                client.post("/v1/feedback", json={"comment": typed}),
                client.post("/v1/nothing", json={"a": typed}),
            ]
            assert {answer.status_code for answer in answers[-5:]} <= {400, 404, 405, 422}
        answers += [
            client.get(path, role="admin")
            for path in (
                *("/health", "/v1/me", "/v1/runs", "/v1/tests", "/v1/profiles", "/v1/audit"),
                *("/v1/keys", "/v1/settings", "/metrics", "/v1/openapi.json", "/v1/jobs"),
            )
        ]
        assert answers[5].status_code == 200
        assert "We open at nine." in answers[-8].text  # the trace was taken
        for answer in answers:
            scene.said += answer.text + str(answer.headers)
    scene.scan(**keys)


def test_look_alikes_stay():
    """5,000 texts with the words and shapes of secrets in them that are none."""
    hide = Redactor.of(
        {
            "GIT_AUTHOR_NAME": "Maria Keller",
            "TOKENIZERS_PARALLELISM": "enabled-for-all",
            "KEYBOARD_LAYOUT": "german-qwertz",
            "HOME": "/home/maria",
            "OPENAI_API_KEY": "sk-abcdefghijklmnop",
        }
    )
    shapes = (
        "The key to question {n} is on page {n}.",
        "Maria Keller signed {n} tokens at https://example.org/a:{n}/b",
        "password rules: at least {n} characters",
        "commit 3f2a{n:04}c9d1e0b7 of branch token-fix-{n}",
        "GET /v1/runs/{n}?limit=10&offset={n} 200",
        "basic training costs {n} EUR; bearer bonds of {n} EUR",
        "the secret of {n} good meals is salt",
        "session {n} of 12: keys, tokens and german-qwertz",
        "text.safety is {n} where enabled-for-all holds",
        "9f86d081-884c-4d65-9a2f-eaa0c55a{n:04} maria-{n}@example.org",
    )
    texts = [shape.format(n=number) for number in range(500) for shape in shapes]
    changed = [text for text in texts if hide(text) != text]
    assert len(texts) == 5000
    assert len(changed) <= 5, changed[:5]


@pytest.mark.parametrize(
    ("name", "value", "is_refused"),
    [
        ("OPENAI_API_KEY", "sk-abcdefghijklmnop1", True),
        ("DB_PASSWORD", "correct-horse-9-battery", True),
        ("AUTH_MODE", "disabled", False),
        ("AUTH_TYPE", "single-sign-on", False),
        ("KEYCLOAK_URL", "http://keycloak1:8080/auth", False),
        ("SSH_AUTH_SOCK", "/run/ssh-1234567890/agent.1", False),
        ("PATH", "/usr/local/bin2:/usr/bin", False),
    ],
)
def test_only_what_looks_like_a_key_is_refused_as_one(name, value, is_refused):
    assert Redactor.of({name: value}).holds(f"The answer is {value}.") is is_refused
