"""No other site can change anything here, and the server answers to its own names alone."""

import pytest
from tests.server.client import BASE, Client, unread

from assay.server.config import is_loopback

FOREIGN = [
    "http://evil.example",
    "https://evil.example",
    "null",
    "http://127.0.0.1",
    "http://127.0.0.1:8041",
    "http://localhost:8040",
    "http://127.0.0.1:8040.evil.example",
    "http://evil.example#127.0.0.1:8040",
    "http://127.0.0.1:8040@evil.example",
    "file://",
    "",
]
SITES = ["cross-site", "same-site", "unknown-word", ""]
KINDS = [
    None,
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/json",
    "TEXT/PLAIN; charset=utf-8",
]
CSRF = [
    *(
        ({"origin": origin, **({"content-type": kind} if kind else {})}, method)
        for origin in FOREIGN
        for kind in KINDS
        for method in ("POST", "PUT", "DELETE")
    ),
    *(
        ({"sec-fetch-site": site, **({"content-type": kind} if kind else {})}, method)
        for site in SITES
        for kind in KINDS
        for method in ("POST", "PUT", "PATCH", "DELETE")
    ),
    *(
        ({"origin": BASE, "sec-fetch-site": site, "content-type": "application/json"}, "POST")
        for site in SITES
    ),
    *(({"content-type": kind} if kind else {}, "POST") for kind in KINDS if kind != KINDS[4]),
]


@pytest.fixture(scope="module")
def local(tmp_path_factory):
    """A server that needs no key: the one that other sites would like to reach."""
    folder = tmp_path_factory.mktemp("local")
    with Client(f"sqlite:///{folder / 'a.db'}", folder, require_key=False) as made:
        yield made


def test_no_other_site_can_change_anything(local):
    assert len(CSRF) > 200
    for headers, method in CSRF:
        for path in ("/v1/logout", "/v1/runs/x"):
            answer = local.call(method, path, headers=headers, content=unread())
            assert answer.status_code == 403, (headers, method)


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": BASE},
        {"origin": BASE, "sec-fetch-site": "same-origin", "content-type": "text/plain"},
        {"sec-fetch-site": "same-origin"},
        {"content-type": "application/json"},
        {"x-assay-client": "curl"},
    ],
)
def test_our_own_page_and_programs_can(local, headers):
    assert local.call("POST", "/v1/logout", headers=headers).status_code == 204


def test_reading_changes_nothing_and_needs_no_origin(local):
    headers = {"origin": "http://evil.example", "sec-fetch-site": "cross-site"}
    answer = local.call("GET", "/v1/runs", headers=headers)
    assert answer.status_code == 200
    assert "access-control-allow-origin" not in answer.headers
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1:8040",
        "LOCALHOST:8040",
        "[::1]:8040",
        "assay.example.org",
        "assay.example.org:8040",
        "assay.example.org:443",
    ],
)
def test_names_of_the_server_are_answered(tmp_path, host):
    allowed = ("assay.example.org", "assay.example.org:443")
    with Client(str(tmp_path / "a.db"), tmp_path, allowed_hosts=allowed) as client:
        assert client.call("GET", "/health", headers={"host": host}).status_code == 200


FOREIGN_HOSTS = [
    *("evil.example", "evil.example:8040", "127.0.0.1", "localhost", "127.0.0.1:8041", "[::1]"),
    *("127.0.0.1:08040", "127.0.0.1:8040.", "127.0.0.1.:8040", "localhost.:8040", "0.0.0.0:8040"),
    *("127.1:8040", "2130706433:8040", "0x7f000001:8040", "127.0.0.2:8040", "[::]:8040"),
    *("localhost:8040@evil.example", "evil.example@localhost:8040", "evil.example#localhost:8040"),
    *("localhost:8040 evil.example", "localhost:8040,evil.example", " localhost:8040x", "x:8040"),
    *("localhost:8040/", "localhost:8040?x", "http://localhost:8040", "//localhost:8040", ":8040"),
    *("", "*", "localhost:", "localhost:abc", "localhost:-1", "localhost:8040:8040", "[::1]:8041"),
    *("[::ffff:127.0.0.1]:8040", "127.0.0.1.nip.io:8040", "localtest.me:8040", "lvh.me:8040"),
    *("localhost.evil.example:8040", "evil-localhost:8040", "localhost%00:8040", "ⓛocalhost:8040"),
]
FORWARDED = ["x-forwarded-host", "x-host", "forwarded", "x-original-host", "x-forwarded-server"]


def test_no_other_name_is_answered(local):
    good = "127.0.0.1:8040"
    for host in FOREIGN_HOSTS:
        for extra in ({}, *({name: good} for name in FORWARDED)):
            headers = {"host": host.encode(), **extra}
            answer = local.call("GET", "/health", headers=headers)
            assert answer.status_code == 400, host
    for name in FORWARDED:  # and nobody's word for it counts
        answer = local.call("GET", "/health", headers={name: "evil.example"})
        assert answer.status_code == 200


def test_two_names_at_once_are_refused(local):
    async def send():
        import httpx2

        transport = httpx2.ASGITransport(local.app)
        async with httpx2.AsyncClient(transport=transport, base_url=BASE) as client:
            pairs = [("host", "127.0.0.1:8040"), ("host", "evil.example")]
            return await client.get("/health", headers=pairs)

    assert local._portal.call(send).status_code == 400


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "[::1]", "localhost"])
def test_loopback_is_this_machine(host):
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["::", "10.0.0.1", "0.0.0.1", "example.org", "", "localhost.x"])
def test_everything_else_is_not(host):
    assert not is_loopback(host)
