"""No spelling of a path leads to a file that is not served."""

from itertools import product
from urllib.parse import unquote

import pytest
from tests.server.client import Client

UP = (
    *("..", "%2e%2e", "%2E%2E", ".%2e", "%252e%252e", "%c0%ae%c0%ae", "..;", "....", "．．"),
    *("%uff0e%uff0e", "..%00", "%2e%2e%23", " ..", ".. "),
)
SLASH = ("/", "//", "%2f", "%2F", "%5c", "\\", "%252f", "/./")
PREFIXES = ("", "assets/", "/", "static/")
FILES = ("canary.txt", "etc/passwd", "canary.txt%00.js", "canary.txt#x.js", "CANARY.TXT")
SPELLINGS = [
    f"{prefix}{up}{slash}" * depth + name
    for (up, slash), prefix, depth, name in product(product(UP, SLASH), PREFIXES, (1, 3), FILES[:1])
] + [f"{up}{slash}" * 12 + name for (up, slash), name in product(product(UP, SLASH), FILES)]
OTHERS = ("file:///etc/passwd", "C:\\canary.txt", "\\\\host\\share", "//etc/passwd", "~/canary.txt")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("server")
    (folder / "canary.txt").write_text("CANARY-OF-THE-DISK")
    (folder / "inside").mkdir()
    url = f"sqlite:///{folder / 'inside' / 's.db'}"
    with Client(url, folder / "inside", require_key=False) as client:
        yield client


def sent_raw(server, path):
    """Status and text of the answer to a path just as it is spelt."""
    status, _, text = exchanged(server, path)
    return status, text


def exchanged(server, path):
    """The answer to a path just as it is spelt: clients would put it right before they send it."""
    raw, _, query = path.encode().partition(b"#")[0].partition(b"?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": unquote(raw.decode()),
        "raw_path": raw,
        "query_string": query,
        "headers": [(b"host", b"127.0.0.1:8040")],
        "client": ("10.0.0.1", 1),
        "server": ("127.0.0.1", 8040),
    }
    messages = []

    async def call():
        async def receive():
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message):
            messages.append(message)

        await server.app(scope, receive, send)

    server._portal.call(call)
    text = b"".join(message.get("body", b"") for message in messages[1:])
    return messages[0]["status"], dict(messages[0]["headers"]), text


def test_there_are_enough_spellings():
    assert len(set(SPELLINGS)) >= 400


@pytest.mark.parametrize(
    "place", ["/{}", "/assets/{}", "/v1/uploads/{}", "/v1/strategies/{}", "/v1/runs/{}/export"]
)
def test_no_spelling_leads_out(server, place):
    for spelling in (*SPELLINGS[::3], *SPELLINGS[1::7], *OTHERS):
        status, text = sent_raw(server, place.format(spelling))
        assert b"CANARY-OF-THE-DISK" not in text, spelling
        assert b"root:" not in text, spelling
        assert status < 500, (spelling, text[:200])


ELSEWHERE = ("evil.example", "evil.example/login", "evil.example%2f..", "127.0.0.1@evil.example")
ASIDE = (
    *("//", "///", "////", "/\\", "\\\\", "/%2f", "/%5c", "/%09/", "/\t/", "/%0d%0aLocation:%20//"),
    *("/.//", "/..//", "/;//", "/http://", "/https://", "/https:", "/login//", "/v1//"),
    *("/?next=//", "/login?next=//", "/login?redirect=https://", "/login?return_to=%2f%2f"),
)


@pytest.mark.parametrize("place", ELSEWHERE)
@pytest.mark.parametrize("aside", ASIDE)
def test_no_path_leads_to_another_site(server, aside, place):
    status, headers, _ = exchanged(server, aside + place)
    assert b"location" not in headers, (status, headers)
    assert not any(b"\r" in value or b"\n" in value for value in headers.values())


SUFFIXES = (
    *("/x.css", "/x.js", ".css", ".js", "/..%2fassets%2fx.js", "%2fx.css", ";x.css", "/x.png"),
    *("?x.css", "%3fx.css", "%23x.css", "%00.css", "/assets/x.js", "//x.ico"),
)
PRIVATE = ("/v1/runs", "/v1/overview", "/v1/tests", "/v1/statistics", "/v1/metrics/summary")


@pytest.mark.parametrize("path", PRIVATE)
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_no_suffix_makes_an_answer_one_that_others_may_keep(server, path, suffix):
    status, headers, _ = exchanged(server, path + suffix)
    assert headers[b"cache-control"] == b"no-store", (status, headers)


def test_such_spellings_are_enough():
    assert len(ELSEWHERE) * len(ASIDE) >= 80
