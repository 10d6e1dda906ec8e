"""Failures as answers: one form, and nothing of the machine or of secrets in them."""

import base64
import json
import logging
from urllib.parse import quote

import pytest
from tests.server.client import Client

from assay.core import (
    AssayError,
    DataError,
    MissingExtraError,
    ModelError,
    NotFoundError,
    ProfileError,
    SampleError,
    UnknownMetricError,
    UsageError,
)
from assay.core.secrets import HIDDEN, Redactor
from assay.server import redact
from assay.server.access import role
from assay.server.api_keys import make_key
from assay.server.error_answers import CODES
from assay.server.redact import RedactingFormatter
from assay.server.requests import make_router
from assay.server.schemas.base import Body

CANARY = "cAnArY+/9 ß=secret"


class Given(Body):
    number: int = 0
    any: object = None


def failing(client, error):
    """Add a route that fails."""
    router = make_router("failing")

    @router.post("/v1/failing")
    @role("public")
    def fail(body: Given) -> dict[str, object]:
        if error is not None:
            raise error
        return {"any": body.any}

    client.app.router.routes.insert(0, router.routes[0])


JSON = {"content-type": "application/json"}


@pytest.mark.parametrize(
    ("error", "status", "says"),
    [
        (UsageError("wrong call"), 400, "wrong call"),
        (ProfileError("wrong profile"), 400, "wrong profile"),
        (UnknownMetricError("unknown metric"), 400, "unknown metric"),
        (SampleError("wrong sample"), 400, "wrong sample"),
        (NotFoundError("there is no run 'x'"), 404, "there is no run 'x'"),
        (MissingExtraError("install the extra"), 501, "install the extra"),
        (DataError("the store '/home/me/assay.db' failed"), 500, "the server failed"),
        (ModelError("http://me:word@host failed"), 500, "the server failed"),
        (AssayError("a worker died"), 500, "the server failed"),
        (RuntimeError("/home/me/secret.py"), 500, "the server failed"),
        (RecursionError(), 500, "the server failed"),
        (KeyError("/etc/passwd"), 500, "the server failed"),
    ],
)
def test_errors_have_one_form(client, caplog, error, status, says):
    failing(client, error)
    answer = client.call("POST", "/v1/failing", json={})
    assert answer.status_code == status
    assert set(answer.json()) == {"error", "code", "id"}
    assert says in answer.json()["error"]
    assert answer.json()["code"] == CODES[status]
    assert answer.json()["id"] == answer.headers["x-request-id"]
    assert "/home" not in answer.text
    assert "Traceback" not in answer.text
    assert (status == 500) == (answer.json()["id"] in caplog.text)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b'{"number": 1, "number": 2}', 400),
        (b'{"number": NaN}', 400),
        (b'{"number": 1e999}', 400),
        (b"[" * 100_000, 400),
        (b'{"any": ' + b"[" * 600 + b"]" * 600 + b"}", 400),
        (b'{"any": ' + b"9" * 5000 + b"}", 400),
        (b"\xff\xfe", 400),
        (b"{", 400),
        (b"", 422),
        (b"[]", 422),
        (b'{"number": "many"}', 422),
        (b'{"nubmer": 1}', 422),
        (b'{"any": {"__proto__": {"x": 1}, "constructor": 1, "__class__": 2}}', 200),
        ('{"any": "\\ud800 \\u0000 \u202e"}'.encode(), 200),
    ],
    ids=lambda value: str(value)[:30],
)
def test_bodies_are_read_strictly(client, body, status):
    failing(client, None)
    answer = client.call("POST", "/v1/failing", headers=JSON, content=body)
    assert answer.status_code == status, answer.text
    if status == 200:
        assert answer.json()["any"] == json.loads(body)["any"]
    else:
        assert set(answer.json()) == {"error", "code", "id"}


def test_a_wrong_field_is_named_and_its_value_is_not_repeated(client):
    failing(client, None)
    answer = client.call(
        "POST", "/v1/failing", json={"number": CANARY, **dict.fromkeys("abcdefghijklm")}
    )
    assert "body.number" in answer.json()["error"]
    assert "and 4 more" in answer.json()["error"]
    assert CANARY not in answer.text


SPELLINGS = [
    CANARY,
    quote(CANARY),
    quote(CANARY, safe=""),
    base64.b64encode(CANARY.encode()).decode(),
    repr(CANARY),
    json.dumps(CANARY, ensure_ascii=False),
]


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_known_secrets_are_hidden_in_every_spelling(spelling):
    hide = Redactor.of({"OPENAI_API_KEY": CANARY, "HOME": "/home/me"})
    assert spelling not in hide(f"it was {spelling}, then")
    assert HIDDEN in hide(f"it was {spelling}, then")
    assert hide("in /home/me") == "in /home/me"


@pytest.mark.parametrize(
    "text",
    [
        "Authorization: Bearer abcdef123456",
        "basic YWRtaW46YWRtaW4=",
        "postgresql://me:word-abc123@host/name",
        "https://user:abc123@git.example.org/x.git",
        "?api_key=abc123&x=1",
        "api-key: abc123",
        "{'token': 'abc123'}",
        '{"client_secret": "abc123"}',
        "PASSWORD=abc123",
        "assay_session=abc123",
        "sk-abc123abc123abc123",
        "ghp_abc123abc123abc123",
    ],
)
def test_what_looks_like_a_secret_is_hidden(text):
    assert "abc123" not in Redactor()(text).replace("abcdef123456", "abc123" * 9)


def test_our_own_keys_are_hidden():
    key = make_key("admin")
    assert Redactor()(f"key {key}.") == f"key {HIDDEN}."


@pytest.mark.parametrize("text", ["the tokens of a text", "https://example.org/a:b", "token: 12"])
def test_what_is_no_secret_stays(text):
    assert Redactor()(text) == text


def test_one_event_is_one_line_without_secrets_and_without_acting_characters():
    record = logging.LogRecord("x", logging.ERROR, "", 0, "a\nb \x1b[31m %s", (CANARY,), None)
    try:
        raise ValueError(f"in {CANARY}")
    except ValueError as error:
        record.exc_info = (type(error), error, error.__traceback__)
    line = RedactingFormatter(Redactor([CANARY])).format(record)
    assert "\n" not in line
    assert "\x1b" not in line
    assert CANARY not in line
    assert "ValueError" in line


def test_no_secret_reaches_an_answer_a_log_or_the_store(tmp_path, monkeypatch, caplog):
    secrets = {
        "OPENAI_API_KEY": "canary-environment-1",
        "DB_PASSWORD": "canary-environment-2",
    }
    for name, value in secrets.items():
        monkeypatch.setenv(name, value)
    with Client(str(tmp_path / "a.db"), tmp_path) as client:
        key, wrong = client.key("admin"), make_key("admin")
        canaries = [*secrets.values(), key, wrong]
        caplog.handler.setFormatter(RedactingFormatter(client.app.state.redactor))
        caplog.set_level(logging.DEBUG)
        failing(client, RuntimeError(f"{' '.join(canaries)}"))
        answers = [
            client.call("POST", "/v1/failing", json={}, headers={"x-api-key": key}),
            client.call("GET", f"/v1/runs/{wrong}", headers={"x-api-key": key}),
            client.call("GET", f"/v1/runs?limit={key}", headers={"x-api-key": key}),
            client.call("GET", "/v1/settings", headers={"x-api-key": key}),
            client.call("GET", "/v1/me", headers={"x-api-key": wrong}),
            client.call("POST", "/v1/login", json={"key": wrong}),
            client.call("POST", "/v1/login", json={"key": key}),
            client.call("POST", "/v1/login", json={"kye": key}),
        ]
        seen = "\n".join(f"{dict(answer.headers)} {answer.text}" for answer in answers)
        logged = "\n".join(caplog.handler.format(record) for record in caplog.records)
        stored = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
        for canary in canaries:
            assert canary not in seen
            assert canary not in logged
            assert canary.encode() not in stored
            assert base64.b64encode(canary.encode()) not in stored
        assert "RuntimeError" in logged


GUESSES = {
    "path": lambda client, guess: client.get(f"/v1/runs/{guess}"),
    "quoted": lambda client, guess: client.get(f"/v1/runs/%{ord(guess[0]):x}{guess[1:]}"),
    "query": lambda client, guess: client.get(f"/v1/compare?a={guess}&b=x"),
    "body": lambda client, guess: client.post("/v1/score", json=_scored(guess)),
    "escaped": lambda client, guess: client.post(
        "/v1/score",
        content=json.dumps(_scored(guess)).replace(guess, f"\\u{ord(guess[0]):04x}{guess[1:]}"),
        headers={"content-type": "application/json"},
    ),
}


def _scored(name):
    return {"sample": {"response": "Fine."}, "metrics": [name]}


@pytest.mark.parametrize("guess", GUESSES.values(), ids=GUESSES)
def test_no_answer_tells_whether_a_guess_is_right(tmp_path, monkeypatch, guess):
    """The word of a password is treated as any other, for who sends it."""
    monkeypatch.setenv("DB_PASSWORD", "sesame")
    with Client(str(tmp_path / "a.db"), tmp_path) as client:
        right, wrong = (guess(client, word) for word in ("sesame", "simsim"))
        assert wrong.status_code == right.status_code >= 400
        texts = [answer.json()["error"] for answer in (right, wrong)]
        assert texts[0].replace("sesame", "simsim") == texts[1]
        assert "simsim" in texts[1]


def test_what_others_sent_is_hidden_all_the_same():
    redactor = Redactor(["sesame"])
    assert redactor.for_sender("no sesame here", "other") == f"no {HIDDEN} here"
    assert redactor.for_sender("no sesame here", "c2VzYW1l") == "no sesame here"


def test_all_events_of_the_process_go_through_the_redactor(monkeypatch, capsys):
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", [])
    monkeypatch.setattr(root, "level", root.level)
    redact.set_up_logging(Redactor([CANARY]), "INFO")
    logging.getLogger("uvicorn.error").warning("it was %s", CANARY)
    assert HIDDEN in capsys.readouterr().err
