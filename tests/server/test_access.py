"""Closed by default: every route, method, host, origin and body."""

import itertools
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.routing import Mount
from tests.server.client import BASE, Client, unread
from tests.store.new_stores import new_sqlite

from assay.server import access
from assay.server.access import HEADERS, TRIES, TRY_SECONDS, declared
from assay.server.api_keys import ROLES, create_key, make_key, rotate_key
from assay.server.config import RequestLimits, ServerConfig
from assay.settings import Settings
from assay.store import schema
from assay.store.stored_keys import list_keys, revoke_key

PUBLIC = Path(__file__).with_name("public_routes.txt")
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")
BELOW = {"read": (), "write": ("read",), "admin": ("read", "write")}


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """One server for the tests that change nothing in it."""
    folder = tmp_path_factory.mktemp("server")
    with Client(new_sqlite(folder / "assay.db"), folder) as made:
        yield made


def path_of(route):
    """A path that the route takes."""
    filled = route.replace(":path", "")
    for part in filled.split("{")[1:]:
        filled = filled.replace("{" + part.partition("}")[0] + "}", "x")
    return filled


def listed(app):
    return list(declared(app))


def test_the_public_routes_are_the_reviewed_ones(shared):
    found = [f"{m} {path}" for path, m, need in listed(shared.app) if need.need == "public"]
    assert found == PUBLIC.read_text(encoding="utf-8").splitlines()


def test_every_route_is_marked(shared):
    for route in shared.app.router.routes:
        assert hasattr(route.endpoint, "assay_access"), route.path


def test_nothing_is_answered_without_a_valid_key(shared):
    change = shared.change
    revoked = create_key(shared.store, "revoked", "admin", change).key
    revoke_key(shared.store, "revoked", change)
    expired = create_key(shared.store, "expired", "admin", change, expires=change.now).key
    rotated = create_key(shared.store, "rotated", "admin", change).key
    rotate_key(shared.store, "rotated", change)
    wrong = {
        "none": {},
        "unknown": {"authorization": f"Bearer {make_key('admin')}"},
        "no key at all": {"x-api-key": "admin"},
        "basic": {"authorization": "Basic YWRtaW46YWRtaW4="},
        "revoked": {"x-api-key": revoked},
        "expired": {"x-api-key": expired},
        "rotated": {"x-api-key": rotated},
        "session": {"cookie": "assay_session=x"},
    }
    addresses = itertools.count()
    for path, declared_method, need in listed(shared.app):
        if need.need == "public":
            continue
        others = ((method, "none") for method in METHODS if method != declared_method)
        for method, kind in [*((declared_method, kind) for kind in wrong), *others]:
            answer = shared.call(
                method,
                path_of(path),
                headers={**wrong[kind], "content-type": "application/json"},
                content=unread(),
                address=f"10.1.{next(addresses)}",
            )
            shared.app.state.guesses = access.Guesses()  # the same key is not sent so often
            assert answer.status_code == 401, (path, method, kind)


def test_a_role_does_what_it_may_and_no_more(shared):
    for path, method, need in listed(shared.app):
        for role in BELOW.get(need.need, ()):
            answer = shared.call(method, path_of(path), role=role, content=unread())
            assert answer.status_code == 403, (path, method, role)


@pytest.mark.parametrize(
    "path",
    [
        "/V1/runs",
        "/v1/runs/",
        "//v1/tests",
        "/v1//runs",
        "/v1/runs;x",
        "/v1/%72uns",
        "/v1/runs%2f",
        "/v1/../v1/runs",
        "/v1/health/../runs",
        "/v1/health/%2e%2e/runs",
        "/assets/../v1/runs",
        "/openapi.json",
        "/docs",
        "/redoc",
        "/static/x",
        "/.git/config",
        "/nothing",
    ],
)
def test_other_spellings_of_a_path_are_no_way_in(shared, path):
    assert shared.call("GET", path).status_code == 401
    headers = {"x-http-method-override": "DELETE", "x-original-url": "/v1/health"}
    assert shared.call("GET", path, headers=headers).status_code == 401


def test_a_wrong_method_or_path_is_told_to_those_who_may_read(shared):
    assert shared.call("GET", "/nothing", role="read").status_code == 404
    assert shared.call("PUT", "/v1/runs", role="read").status_code == 405


def test_a_mount_or_an_unmarked_endpoint_needs_admin(tmp_path):
    with Client(str(tmp_path / "a.db"), tmp_path) as client:
        other = FastAPI()

        @other.get("/secret")
        def secret():
            return {"open": True}

        client.app.router.routes.append(Mount("/mounted", other))
        client.app.add_api_route("/unmarked", secret)
        for path in ("/mounted/secret", "/unmarked"):
            assert client.call("GET", path).status_code == 401
            assert client.get(path, role="write").status_code == 403
            assert client.get(path, role="admin").status_code == 200


def test_no_web_socket_is_ever_accepted(shared):
    sent = []

    async def connect():
        async def receive():
            return {"type": "websocket.connect"}

        async def send(message):
            sent.append(message)

        scope = {"type": "websocket", "path": "/v1/runs", "headers": [], "query_string": b""}
        await shared.app(scope, receive, send)

    shared._portal.call(connect)
    assert [message["type"] for message in sent] == ["websocket.close"]


def test_on_loopback_the_local_user_needs_no_key(tmp_path):
    with Client(str(tmp_path / "a.db"), tmp_path, require_key=False) as client:
        assert client.call("GET", "/v1/runs").status_code == 200
        assert client.call("GET", "/v1/me").json() == {
            "name": "local",
            "role": "admin",
            "is_local": True,
            "project": "default",
            "projects": ["default"],
            "is_server_admin": True,
            "judge": "",
        }
        wrong = {"x-api-key": make_key("admin")}
        assert client.call("GET", "/v1/runs", headers=wrong).status_code == 401
        assert client.get("/v1/me", role="read").json()["role"] == "read"


# Keys


def test_a_key_lives_until_it_is_rotated_revoked_or_expires(client):
    def status(key):
        return client.call("GET", "/v1/me", headers={"x-api-key": key}).status_code

    key = create_key(client.store, "ci", "write", client.change, expires=client.now + 60).key
    assert status(key) == 200
    client.now += 61
    assert status(key) == 401
    second = rotate_key(client.store, "ci", client.change).key
    assert (status(key), status(second)) == (401, 200)
    revoke_key(client.store, "ci", client.change)
    assert status(second) == 401
    (stored,) = list_keys(client.store)
    assert second not in repr(stored)
    assert len(stored.digest) == 64


def test_keys_are_long_and_never_the_same():
    keys = {make_key(role) for role in ROLES for _ in range(50)}
    assert len(keys) == 150
    assert {len(key.split("_", 2)[2]) for key in keys} == {43}


def test_an_address_that_guesses_has_to_wait(client):
    wrong = {"x-api-key": make_key("read")}

    def status(headers, address="10.0.0.9"):
        return client.call("GET", "/v1/me", headers=headers, address=address).status_code

    assert [status(wrong) for _ in range(TRIES)] == [401] * TRIES
    refused = client.call("GET", "/v1/me", headers=wrong, address="10.0.0.9")
    assert refused.status_code == 429
    assert 0 < int(refused.headers["retry-after"]) <= TRY_SECONDS + 1
    other = {"x-api-key": make_key("read")}
    assert (status(other), status(other, "10.0.0.8")) == (429, 401)
    login = client.post("/v1/login", role=None, address="10.0.0.9", json={"key": "junk"})
    assert login.status_code == 429
    client.now += TRY_SECONDS
    assert status(wrong) == 401


def test_junk_keys_never_keep_a_valid_one_out(client):
    """Behind a proxy everybody has the same address."""
    right = client.key("read")
    for _ in range(5 * TRIES):
        client.call("GET", "/v1/me", headers={"x-api-key": make_key("read")}, address="10.0.0.9")
        client.call("GET", "/v1/me", headers={"x-api-key": "junk"}, address="10.0.0.9")
    found = client.call("GET", "/v1/me", headers={"x-api-key": right}, address="10.0.0.9")
    assert found.status_code == 200
    login = client.post("/v1/login", role=None, address="10.0.0.9", json={"key": right})
    assert login.status_code == 200


def test_one_wrong_key_is_counted_wherever_it_comes_from(client):
    wrong = {"x-api-key": make_key("read")}
    statuses = [
        client.call("GET", "/v1/me", headers=wrong, address=f"10.0.1.{n}").status_code
        for n in range(TRIES + 1)
    ]
    assert statuses == [401] * TRIES + [429]


@pytest.mark.parametrize(
    ("peer", "forwarded", "counted"),
    [
        ("10.0.0.2", "6.6.6.6, 1.2.3.4", "1.2.3.4"),
        ("10.0.0.2", "1.2.3.4, 10.0.0.3", "1.2.3.4"),
        ("10.0.0.2", "", "10.0.0.2"),
        ("10.0.0.9", "1.2.3.4", "10.0.0.9"),
    ],
)
def test_only_a_trusted_proxy_tells_where_a_request_comes_from(tmp_path, peer, forwarded, counted):
    config = ServerConfig(
        Settings.load(overrides={"store": str(tmp_path / "s.db")}),
        trusted_proxies=frozenset({"10.0.0.2", "10.0.0.3"}),
    )
    headers = [(b"x-forwarded-for", forwarded.encode())] if forwarded else []
    scope = {"type": "http", "client": (peer, 1), "headers": headers}
    assert access.client_address(scope, config) == counted


def test_the_list_of_addresses_does_not_grow_for_ever(monkeypatch):
    monkeypatch.setattr(access, "MAX_ADDRESSES", 5)
    guesses = access.Guesses()
    for number in range(50):
        guesses.add(str(number), 0.0)
    assert len(guesses._found) == 5


# Sessions


def cookie_of(answer):
    return answer.headers["set-cookie"].partition(";")[0]


def test_a_browser_logs_in_with_a_key_and_out_again(client):
    answer = client.post("/v1/login", role=None, json={"key": client.key("write")})
    own = {"project": "default", "projects": ["default"], "is_server_admin": False, "judge": ""}
    assert answer.json() == {"name": "write-key", "role": "write", "is_local": False, **own}
    said = answer.headers["set-cookie"].lower()
    assert "httponly" in said
    assert "samesite=strict" in said
    assert client.key("write") not in said
    headers = {"cookie": cookie_of(answer)}
    assert client.call("GET", "/v1/me", headers=headers).json()["role"] == "write"
    out = client.call("POST", "/v1/logout", headers={**headers, "origin": BASE})
    assert out.status_code == 204
    assert client.call("GET", "/v1/me", headers=headers).status_code == 401


def test_a_session_ends_with_its_time_and_with_its_key(client):
    login = {"json": {"key": client.key("read")}}
    headers = {"cookie": cookie_of(client.post("/v1/login", role=None, **login))}
    client.now += access.SESSION_SECONDS - 1
    assert client.call("GET", "/v1/me", headers=headers).status_code == 200
    client.now += 1
    assert client.call("GET", "/v1/me", headers=headers).status_code == 401
    headers = {"cookie": cookie_of(client.post("/v1/login", role=None, **login))}
    revoke_key(client.store, "read-key", client.change)
    assert client.call("GET", "/v1/me", headers=headers).status_code == 401


def test_a_session_is_never_one_that_the_browser_brought(client):
    given = {"cookie": "assay_session=chosen-by-an-attacker"}
    key = {"key": client.key("read")}
    answer = client.post("/v1/login", role=None, headers=given, json=key)
    assert "chosen-by-an-attacker" not in answer.headers["set-cookie"]
    assert client.call("GET", "/v1/me", headers=given).status_code == 401


def test_sessions_do_not_grow_for_ever(client, monkeypatch):
    monkeypatch.setattr(access, "MAX_SESSIONS", 3)
    sessions = access.LoginSessions(client.store)
    holders = [access.Holder("key", number) for number in range(10)]
    ids = [sessions.start(holder, float(number)) for number, holder in enumerate(holders)]
    assert [sessions.holder(id, 10.0) for id in ids] == [None] * 7 + holders[7:]


def test_a_session_outlives_its_process_and_counts_in_others(any_client):
    login = any_client.post("/v1/login", role=None, json={"key": any_client.key("write")})
    headers = {"cookie": cookie_of(login), "origin": BASE}
    any_client.app.state.sessions = access.LoginSessions(any_client.store)  # as after a restart
    assert any_client.call("GET", "/v1/me", headers=headers).json()["role"] == "write"
    assert any_client.call("POST", "/v1/logout", headers=headers).status_code == 204
    other = access.LoginSessions(any_client.store)
    assert other.holder(cookie_of(login).partition("=")[2], any_client.now) is None
    assert any_client.call("GET", "/v1/me", headers=headers).status_code == 401


def test_the_store_holds_digests_of_sessions_and_drops_those_that_ended(any_client):
    sessions, store = any_client.app.state.sessions, any_client.store
    holder = access.Holder("user", 7)
    first = sessions.start(holder, 0.0)
    query = schema.login_sessions.select()
    (row,) = store.read(lambda connection: connection.execute(query).all())
    assert first not in repr(row)
    assert (row.holder_kind, row.holder_id, row.ends) == ("user", 7, access.SESSION_SECONDS)
    second = sessions.start(holder, access.SESSION_SECONDS)
    assert [sessions.holder(id, access.SESSION_SECONDS) for id in (first, second)] == [None, holder]
    assert len(store.read(lambda connection: connection.execute(query).all())) == 1


def test_a_store_that_can_only_be_read_has_sessions_of_the_process(client, monkeypatch):
    monkeypatch.setattr(client.store, "is_read_only", True)
    sessions = access.LoginSessions(client.store)
    holder = access.Holder("key", 1)
    id = sessions.start(holder, 0.0)
    assert sessions.holder(id, 1.0) == holder
    assert sessions.holder(id, access.SESSION_SECONDS) is None
    sessions.end(id)
    assert sessions.holder(id, 1.0) is None


# Headers and limits


def test_every_answer_carries_the_headers(shared):
    seen = set()
    for path, method, _ in listed(shared.app):
        is_endless = path.endswith(("/events", "/stream"))
        for role in (None,) if is_endless else (None, "admin"):
            answer = shared.call(method, path_of(path), role=role)
            seen.add(answer.status_code)
            for name, value in HEADERS.items():
                assert answer.headers[name] == value, (path, name)
            is_asset = path.startswith(("/assets", "/favicon"))
            assert answer.headers["cache-control"] == "no-store" or is_asset, path
            assert answer.headers["x-request-id"]
            assert "server" not in answer.headers
    for path in ("/nothing", "/v1/tests?limit=x", "/v1/runs/none", "/v1/metrics/none"):
        answer = shared.call("GET", path, role="read")
        seen.add(answer.status_code)
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert {200, 401, 404, 422} <= seen
    assert "unsafe-inline" not in HEADERS["content-security-policy"]


def test_bodies_are_limited_while_they_come(tmp_path):
    limits = RequestLimits(body=1000)
    with Client(str(tmp_path / "a.db"), tmp_path, limits=limits) as client:

        def status(content, **headers):
            kind = {"content-type": "application/json", **headers}
            return client.call("POST", "/v1/login", headers=kind, content=content).status_code

        async def chunks(count):
            for _ in range(count):
                yield b" " * 100

        padded = b'{"key": "x"}'
        assert status(padded + b" " * (1000 - len(padded))) == 401
        assert status(padded + b" " * (1001 - len(padded))) == 413
        assert status(chunks(11)) == 413
        assert status(unread(), **{"content-length": "1001"}) == 413
        assert status(unread(), **{"content-length": "-1"}) == 400
        assert status(unread(), **{"content-length": "9" * 400}) == 413


def test_a_config_knows_where_it_is():
    settings = Settings.load()
    assert ServerConfig(settings, host="::1", port=80).url == "http://[::1]:80/"
    assert "[::1]" in ServerConfig(settings, host="::1", port=80).hosts
    assert "0.0.0.0:8040" not in ServerConfig(settings, host="0.0.0.0").hosts  # noqa: S104
