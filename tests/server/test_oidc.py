"""Logging in through an identity provider, and all the ways in which it must not work."""

import base64
import hashlib
import hmac
import json
import logging
from urllib.parse import parse_qsl, urlsplit

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from tests.server.client import BASE, MOMENT, Client
from tests.server.identity_provider import CLIENT, SECRET, provider
from tests.store.new_stores import new_sqlite

from assay.core import UsageError
from assay.server.config import OidcConfig
from assay.server.oidc import LOGIN_SECONDS, checked_url
from assay.store import schema
from assay.store.projects import DEFAULT, set_member
from assay.store.users import block_user


@pytest.fixture
def idp():
    clock = [MOMENT]
    with provider(lambda: clock[0]) as made:
        made.clock = clock
        yield made


@pytest.fixture
def client(store_url, tmp_path, idp):
    config = OidcConfig(idp.issuer, CLIENT, BASE, SECRET)
    with Client(store_url, tmp_path, oidc=config) as made:
        set_member(made.store, DEFAULT, "ann@x.example", "write", made.change)
        yield made


@pytest.fixture
def store_url(tmp_path):
    return new_sqlite(tmp_path / "assay.db")


def cookies(response):
    """Name → value of what a response sets, and the lines as they are."""
    lines = response.headers.get_list("set-cookie")
    pairs = (line.partition(";")[0].partition("=") for line in lines)
    return {name: value for name, _, value in pairs}, lines


def begun(client):
    response = client.call("GET", "/v1/oidc/login")
    assert response.status_code == 303
    return response.headers["location"], cookies(response)[0]["assay_login"]


def returned(client, address, cookie):
    parts = urlsplit(address)
    headers = {"cookie": f"assay_login={cookie}"} if cookie else {}
    return client.call("GET", f"{parts.path}?{parts.query}", headers=headers)


def logged_in(client, idp):
    location, cookie = begun(client)
    return returned(client, idp.authorise(location), cookie)


def session(response):
    assert response.status_code == 303, response.text
    assert response.headers["location"] == "/"
    return {"cookie": f"assay_session={cookies(response)[0]['assay_session']}"}


def test_somebody_logs_in_with_the_role_of_their_membership(client, idp):
    found = session(logged_in(client, idp))
    me = client.call("GET", "/v1/me", headers=found).json()
    assert (me["name"], me["role"], me["project"]) == ("ann@x.example", "write", DEFAULT)
    assert not me["is_local"]
    assert client.call("GET", "/v1/runs", headers=found).status_code == 200
    assert client.call("GET", "/v1/audit", headers=found).status_code == 403
    trail = client.trail("user.")
    assert [entry["actor"] for entry in trail] == ["ann@x.example"]


def test_cookies_are_out_of_reach_of_scripts_and_other_sites(client, idp):
    first = client.call("GET", "/v1/oidc/login")
    (login,) = cookies(first)[1]
    assert all(word in login for word in ("HttpOnly", "SameSite=lax", "Path=/v1/oidc"))
    assert "Secure" not in login  # this server is reached over plain HTTP, on this machine
    lines = cookies(logged_in(client, idp))[1]
    (line,) = (line for line in lines if line.startswith("assay_session="))
    assert all(word in line for word in ("HttpOnly", "SameSite=strict", "Path=/"))


def test_behind_tls_cookies_are_for_tls_alone(store_url, tmp_path, idp):
    config = OidcConfig(idp.issuer, CLIENT, "https://assay.example.org", SECRET)
    with Client(store_url, tmp_path, oidc=config) as client:
        (line,) = cookies(client.call("GET", "/v1/oidc/login"))[1]
    assert "Secure" in line


def test_each_login_has_a_state_nonce_and_challenge_of_its_own(client):
    queries = [dict(parse_qsl(urlsplit(begun(client)[0]).query)) for _ in range(3)]
    for name in ("state", "nonce", "code_challenge"):
        assert len({query[name] for query in queries}) == 3
        assert all(len(query[name]) >= 43 for query in queries)
    assert all(SECRET not in json.dumps(query) for query in queries)


def refused(client, response, *words):
    assert response.status_code == 403, response.text
    assert "assay_session" not in cookies(response)[0]
    for word in words:
        assert word in response.text
    for secret in (SECRET, "code-canary", "access-canary", "eyJ"):
        assert secret not in response.text
    query = schema.login_sessions.select()
    assert client.store.read(lambda connection: connection.execute(query).all()) == []


def test_a_browser_is_told_on_the_page_why_it_is_not_logged_in(client, idp, caplog):
    location, cookie = begun(client)
    address = urlsplit(idp.authorise(location).replace("state=", "state=x"))
    headers = {"cookie": f"assay_login={cookie}", "accept": "text/html,*/*;q=0.8"}
    response = client.call("GET", f"{address.path}?{address.query}", headers=headers)
    id = response.headers["x-request-id"]
    assert response.status_code == 303
    assert response.headers["location"] == f"/#/?login=expired&request={id}"
    assert cookies(response)[0] == {}
    assert f"login {id} failed: this login was not begun here" in caplog.text
    client.now += 3600  # the provider's description is fetched anew
    idp.document = {"issuer": "https://other.example"}
    response = client.call("GET", "/v1/oidc/login", headers=headers)
    assert response.headers["location"].startswith("/#/?login=provider&request=")


def test_a_login_that_another_browser_began_is_refused(client, idp):
    location, _ = begun(client)
    _, other = begun(client)
    address = idp.authorise(location)
    refused(client, returned(client, address, other), "not begun here")
    refused(client, returned(client, address, ""), "cookies are off")


def test_an_unknown_state_is_refused_and_one_counts_once(client, idp):
    location, cookie = begun(client)
    address = idp.authorise(location)
    refused(client, returned(client, address.replace("state=", "state=x"), cookie))
    assert returned(client, address, cookie).status_code == 303
    client.store.write(lambda connection: connection.execute(schema.login_sessions.delete()))
    refused(client, returned(client, address, cookie), "not begun here")


def test_a_login_must_be_finished_in_time(client, idp):
    location, cookie = begun(client)
    client.now += LOGIN_SECONDS
    refused(client, returned(client, idp.authorise(location), cookie), "too long ago")


def test_a_person_who_says_no_is_not_logged_in(client, idp):
    location, cookie = begun(client)
    state = dict(parse_qsl(urlsplit(location).query))["state"]
    address = f"{BASE}/v1/oidc/callback?error=access_denied&state={state}"
    refused(client, returned(client, address, cookie), "did not log you in")


@pytest.mark.parametrize(
    "changed",
    [
        {"iss": "https://other.example"},
        {"aud": "another-client"},
        {"aud": [CLIENT, "another-client"]},
        {"aud": [CLIENT, "another-client"], "azp": "another-client"},
        {"azp": "another-client"},
        {"nonce": "guessed"},
        {"nonce": None},
        {"exp": MOMENT - 61},
        {"exp": None},
        {"exp": "tomorrow"},
        {"iat": MOMENT + 61},
        {"iat": None},
        {"nbf": MOMENT + 61},
        {"sub": None},
    ],
    ids=str,
)
def test_a_token_that_is_not_for_this_login_is_refused(client, idp, changed):
    idp.changed = changed
    refused(client, logged_in(client, idp))


def unsigned(idp):
    return lambda query: jwt.encode({"nonce": query["nonce"]}, None, algorithm="none")


def signed_by_another(idp):
    other = rsa.generate_private_key(public_exponent=65537, key_size=2048)

    def token(query):
        claims = jwt.decode(idp.made_token(query), options={"verify_signature": False})
        return jwt.encode(claims, other, algorithm="RS256", headers={"kid": "one"})

    return token


def signed_with_the_public_key(idp):
    """The classic: the published key, used as a shared secret."""
    public = idp.keys["one"].public_key()
    kind = serialization.PublicFormat.SubjectPublicKeyInfo
    pem = public.public_bytes(serialization.Encoding.PEM, kind)

    def token(query):
        claims = jwt.decode(idp.made_token(query), options={"verify_signature": False})
        head = base64.urlsafe_b64encode(b'{"alg":"HS256","typ":"JWT","kid":"one"}').rstrip(b"=")
        body = base64.urlsafe_b64encode(json.dumps(claims).encode()).rstrip(b"=")
        sign = hmac.new(pem, head + b"." + body, hashlib.sha256).digest()
        return (head + b"." + body + b"." + base64.urlsafe_b64encode(sign).rstrip(b"=")).decode()

    return token


def tampered(idp):
    def token(query):
        head, _, sign = idp.made_token(query).split(".")
        claims = jwt.decode(idp.made_token(query), options={"verify_signature": False})
        claims["email"] = "root@x.example"
        body = base64.urlsafe_b64encode(json.dumps(claims).encode()).rstrip(b"=").decode()
        return f"{head}.{body}.{sign}"

    return token


@pytest.mark.parametrize(
    "forge",
    [
        unsigned,
        signed_by_another,
        signed_with_the_public_key,
        tampered,
        lambda idp: lambda query: "eyJ.not.atoken",
        lambda idp: lambda query: None,
        lambda idp: lambda query: {"a": 1},
        lambda idp: lambda query: idp.made_token(query)[:-8],
    ],
)
def test_a_forged_token_is_refused(client, idp, forge):
    idp.token = forge(idp)
    refused(client, logged_in(client, idp))


def test_a_new_key_of_the_provider_is_fetched(client, idp):
    session(logged_in(client, idp))
    idp.keys = {"two": rsa.generate_private_key(public_exponent=65537, key_size=2048)}
    idp.signing = "two"
    client.now += 60
    idp.clock[0] = client.now
    session(logged_in(client, idp))


def test_unknown_keys_do_not_make_the_server_ask_again_and_again(client, idp):
    key = idp.keys["one"]
    idp.token = lambda query: jwt.encode({}, key, algorithm="RS256", headers={"kid": "gone"})
    for _ in range(5):
        refused(client, logged_in(client, idp))
    assert [path for _, path in idp.calls].count("/keys") == 1


@pytest.mark.parametrize(
    ("document", "status"),
    [
        ({"issuer": "https://other.example"}, 502),
        ({"authorization_endpoint": "http://other.example/a"}, 422),
        ({"authorization_endpoint": "javascript:alert(1)"}, 422),
        ({"authorization_endpoint": None}, 422),
    ],
    ids=str,
)
def test_a_provider_that_describes_itself_wrongly_is_refused(client, idp, document, status):
    idp.document = document
    response = client.call("GET", "/v1/oidc/login")
    assert response.status_code in (status, 400, 502)
    assert "location" not in response.headers


def test_a_provider_that_fails_is_an_error_without_its_words(client, idp):
    idp.status = 500
    refused(client, logged_in(client, idp), "answered 500")


def test_an_unverified_address_is_worth_nothing(client, idp):
    idp.changed = {"email_verified": False}
    found = session(logged_in(client, idp))
    response = client.call("GET", "/v1/runs", headers=found)
    assert response.status_code == 403
    assert "no member of a project" in response.text


def test_groups_count_as_members(client, idp):
    set_member(client.store, DEFAULT, "group:qa", "admin", client.change)
    idp.changed = {"email": None, "groups": ["qa", "dev"]}
    found = session(logged_in(client, idp))
    me = client.call("GET", "/v1/me", headers=found).json()
    assert (me["name"], me["role"], me["is_server_admin"]) == ("Ann", "admin", True)


def test_a_user_who_is_blocked_is_out_at_once(client, idp):
    found = session(logged_in(client, idp))
    assert client.call("GET", "/v1/me", headers=found).status_code == 200
    block_user(client.store, "ann@x.example", client.change)
    assert client.call("GET", "/v1/me", headers=found).status_code == 401


def test_a_session_ends_by_logging_out_and_with_time(client, idp):
    found = session(logged_in(client, idp))
    client.call("POST", "/v1/logout", headers={**found, "x-assay-client": "test"})
    assert client.call("GET", "/v1/me", headers=found).status_code == 401
    found = session(logged_in(client, idp))
    client.now += 13 * 3600
    assert client.call("GET", "/v1/me", headers=found).status_code == 401


def test_nothing_secret_is_logged(client, idp, caplog):
    caplog.set_level(logging.DEBUG)
    session(logged_in(client, idp))
    idp.status = 500
    logged_in(client, idp)
    own = [line for line in caplog.text.splitlines() if BASE not in line]  # not the test's client
    for secret in (SECRET, "code-canary", "access-canary", "eyJ"):
        assert secret not in "\n".join(own)


def test_without_a_provider_there_is_none(store_url, tmp_path):
    with Client(store_url, tmp_path) as client:
        assert client.call("GET", "/v1/login").json() == {"key": True, "oidc": None}
        assert client.call("GET", "/v1/oidc/login").status_code == 404
        assert client.call("GET", "/v1/oidc/callback").status_code == 404


@pytest.mark.parametrize(
    "url", ["http://idp.example", "ftp://idp.example", "idp.example", "https://a:b@idp.example", ""]
)
def test_addresses_without_tls_are_refused(url):
    with pytest.raises(UsageError, match="https"):
        checked_url(url, "the issuer")
