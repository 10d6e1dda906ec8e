"""Who may do what: decided before a body is read, and denied unless a route says otherwise.

Every endpoint is marked with the role it needs; one without a mark needs `admin`, and a path
that does not exist is reported only to those who may read.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeVar

from anyio import to_thread
from fastapi import FastAPI
from starlette.datastructures import Headers, MutableHeaders
from starlette.routing import Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assay.core.errors import StoreBusyError
from assay.server.api_keys import ANYBODY, LOCAL, Principal, digest, principal, principal_of
from assay.server.config import ServerConfig
from assay.server.error_answers import busy_answer, error_answer
from assay.server.project_choice import (
    Refused,
    cookie_of,
    in_project,
    names_project,
    user_principal,
)
from assay.store import Store
from assay.store.login_sessions import StoredSession, add_session, find_session, remove_session
from assay.store.stored_keys import find_key

Function = TypeVar("Function", bound=Callable[..., Any])
Need = Literal["public", "read", "write", "admin"]

COOKIE = "assay_session"
SESSION_SECONDS = 12 * 3600
MAX_SESSIONS = 1000
TRIES, TRY_SECONDS = 10, 300
"""Wrong keys from one address, or uses of one wrong key, before it has to wait, and how long."""
MAX_ADDRESSES = 10_000
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
CLIENT_HEADER = "x-assay-client"
"""A header that no other site can make a browser send without asking us first."""
_SIMPLE_TYPES = frozenset(
    {"", "application/x-www-form-urlencoded", "multipart/form-data", "text/plain"}
)
"""Bodies that a browser sends for any site without asking; https://fetch.spec.whatwg.org."""
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
        "img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
"""On every answer; `cache-control: no-store` too, unless a route says otherwise."""


@dataclass(frozen=True, slots=True)
class Access:
    """What an endpoint needs."""

    need: Need
    is_upload: bool = False
    """Whether its body may be as large as an uploaded file."""
    is_probe: bool = False
    """Whether it is answered without looking at who asks, so without the store."""
    is_server: bool = False
    """Whether it is about the whole server, so that an admin of one project may not."""


def role(
    need: Need, *, upload: bool = False, probe: bool = False, server: bool = False
) -> Callable[[Function], Function]:
    """Mark an endpoint with the role that it needs; stands below the router's decorators."""

    def mark(function: Function) -> Function:
        function.__dict__["assay_access"] = Access(need, upload, probe, server)
        return function

    return mark


def access_of(endpoint: object) -> Access:
    """What an endpoint needs; admin unless it is marked."""
    access = getattr(endpoint, "assay_access", None)
    return access if isinstance(access, Access) else Access("admin")


class Holder(NamedTuple):
    """Who logged in: the number of a key, or of a user."""

    kind: Literal["key", "user"]
    number: int


class LoginSessions:
    """Logged-in browsers: random id → who logged in, until it ends; kept in the store.

    A store that can only be read cannot keep them, so there they live as long as the process.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._unstored: OrderedDict[str, StoredSession] | None = (
            OrderedDict() if store.is_read_only else None
        )

    def start(self, holder: Holder, now: float) -> str:
        """A new session's id."""
        id = secrets.token_urlsafe(32)
        session = StoredSession(digest(id), *holder, now + SESSION_SECONDS)
        if self._unstored is None:
            add_session(self._store, session, now, MAX_SESSIONS)
            return id
        self._unstored[session.digest] = session
        while len(self._unstored) > MAX_SESSIONS:
            self._unstored.popitem(last=False)
        return id

    def holder(self, id: str, now: float) -> Holder | None:
        """Who is behind a session; None when it ended."""
        if self._unstored is None:
            stored = find_session(self._store, digest(id), now)
        else:
            stored = self._unstored.get(digest(id))
        if stored is None or stored.ends <= now:
            return None
        return Holder("user" if stored.holder_kind == "user" else "key", stored.holder_id)

    def end(self, id: str) -> None:
        """Forget a session."""
        if self._unstored is None:
            remove_session(self._store, digest(id))
        else:
            self._unstored.pop(digest(id), None)


class Guesses:
    """Wrong keys by address and by key; too many, and more of them are not answered for a while."""

    def __init__(self) -> None:
        self._found: OrderedDict[str, deque[float]] = OrderedDict()

    def check(self, address: str, now: float) -> None:
        """Refuse a wrong key from an address that guessed too often."""
        times = self._found.get(address, deque())
        while times and times[0] <= now - TRY_SECONDS:
            times.popleft()
        if len(times) >= TRIES:
            wait = max(1, int(times[0] + TRY_SECONDS - now) + 1)
            raise Refused(429, "too many wrong keys; wait", {"retry-after": str(wait)})

    def add(self, address: str, now: float) -> None:
        """Count a wrong key."""
        self._found.setdefault(address, deque(maxlen=TRIES)).append(now)
        self._found.move_to_end(address)
        while len(self._found) > MAX_ADDRESSES:
            self._found.popitem(last=False)


class AccessControl:
    """Middleware around everything: hosts, origins, keys, roles, limits and headers."""

    def __init__(self, app: ASGIApp, owner: FastAPI) -> None:
        self._app = app
        self._owner = owner

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope["assay.id"] = secrets.token_hex(8)

        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                _add_headers(MutableHeaders(scope=message), scope["assay.id"])
            await send(message)

        try:
            limit = await self._admit(scope)
        except Refused as refused:
            answer = error_answer(scope, refused.status_code, refused.detail, refused.headers)
            await answer(scope, receive, headed)
            return
        except StoreBusyError:
            await busy_answer(scope)(scope, receive, headed)
            return
        await self._app(scope, _limited(receive, limit), headed)

    async def _admit(self, scope: Scope) -> int:
        """Refuse the request, or give the most bytes that its body may have."""
        state = self._owner.state
        config: ServerConfig = state.config
        headers = Headers(scope=scope)
        _check_form(scope)
        _check_host(headers, config)
        access = self._access(scope)
        who = ANYBODY if access.is_probe else await self._principal(scope, headers)
        if access.need != "public" and not who.may(access.need):
            if who.role is None and who.user is not None:
                raise Refused(403, "you are no member of a project; ask an admin to add you")
            if who.role is None:
                challenge = {"www-authenticate": 'Bearer realm="assay"'}
                raise Refused(401, "a key is needed", challenge)
            raise Refused(403, f"this needs a key of the role {access.need!r}")
        if access.is_server and not who.is_server_admin:
            raise Refused(403, "this needs an admin of the server: of the default project")
        if scope["method"] not in SAFE_METHODS:
            _check_origin(scope["method"], headers)
        scope["assay.principal"] = who
        limit = config.limits.upload if access.is_upload else config.limits.body
        _check_length(headers, limit)
        return limit

    def _access(self, scope: Scope) -> Access:
        """What the route of a request needs; where there is none, to read."""
        other: Access | None = None
        for route in self._owner.router.routes:
            match, _ = route.matches(scope)
            if match is Match.NONE:
                continue
            access = access_of(getattr(route, "endpoint", None))
            if match is Match.FULL:
                return access
            other = other or access  # the path is right, the method is not: 405 for those who may
        return other or Access("read")

    async def _principal(self, scope: Scope, headers: Headers) -> Principal:
        """Who asks; a wrong key is refused even where none is needed."""
        state = self._owner.state
        store: Store = state.store
        now: float = state.now()
        key = key_of(headers)
        session = session_of(headers)
        if session and key is None:
            sessions: LoginSessions = state.sessions
            logged_in = await to_thread.run_sync(
                lambda: _logged_in(store, sessions.holder(session, now), headers, now)
            )
            if logged_in is not None:
                return logged_in
        who = ANYBODY if state.config.require_key else LOCAL
        if key is not None:
            who = await check_key(self._owner, scope, key)
        if who.role is None or not names_project(headers):
            return who
        return await to_thread.run_sync(lambda: in_project(store, who, headers))


def _logged_in(
    store: Store, holder: Holder | None, headers: Headers, now: float
) -> Principal | None:
    """Who is behind a session; None where it, the key or the user is gone."""
    if holder is None:
        return None
    if holder.kind == "user":
        return user_principal(store, holder.number, headers)
    stored_key = find_key(store, number=holder.number)
    who = None if stored_key is None else principal(stored_key, now)
    return None if who is None else in_project(store, who, headers)


async def check_key(app: FastAPI, scope: Scope, key: str) -> Principal:
    """Who holds the key; a wrong one is refused and counted.

    It is looked up first, so that wrong keys from the same address, which may be a proxy's, never
    keep a valid one out.
    """
    now: float = app.state.now()
    who = await to_thread.run_sync(lambda: principal_of(app.state.store, key, now))
    if who is not None:
        return who
    guesses: Guesses = app.state.guesses
    counted = (f"from {client_address(scope, app.state.config)}", f"key {digest(key)}")
    for name in counted:
        guesses.check(name, now)
    for name in counted:
        guesses.add(name, now)
    raise Refused(401, "the key is not valid", {"www-authenticate": 'Bearer realm="assay"'})


def client_address(scope: Scope, config: ServerConfig) -> str:
    """Where a request comes from: what the nearest trusted proxy says, else who is connected."""
    address = str(scope["client"][0]) if scope.get("client") else ""
    addresses = ",".join(Headers(scope=scope).getlist("x-forwarded-for")).split(",")
    for forwarded in reversed([part.strip() for part in addresses if part.strip()]):
        if address not in config.trusted_proxies:
            break
        address = forwarded[:100]
    return address


def key_of(headers: Headers) -> str | None:
    """The key that a request carries in a header."""
    if (given := headers.get("x-api-key")) is not None:
        return given
    scheme, _, token = headers.get("authorization", "").partition(" ")
    if not scheme:
        return None
    return token.strip() if scheme.lower() == "bearer" else ""


def session_of(headers: Headers) -> str | None:
    """The id of the session in a request's cookie."""
    return cookie_of(headers, COOKIE)


def _check_form(scope: Scope) -> None:
    """Refuse what no client of good will sends: NUL in a path or a question."""
    if "\0" in scope["path"] or b"%00" in scope["query_string"] or b"\0" in scope["query_string"]:
        raise Refused(400, "the address holds a NUL character")


def _check_host(headers: Headers, config: ServerConfig) -> None:
    """Refuse names that are not ours: a page of another site may have bound its name to us."""
    given = headers.getlist("host")
    if len(given) != 1 or given[0].lower() not in config.hosts:
        raise Refused(400, "the server is not known by this name; --allow-host adds one")


def _check_origin(method: str, headers: Headers) -> None:
    """Refuse changes that a page of another site asks for.

    Browsers say where a request comes from. One that says nothing must carry a sign that no
    foreign page can make a browser send unasked: a key, a body of JSON, or the client header.
    """
    origins, site = headers.getlist("origin"), headers.get("sec-fetch-site")
    own = {f"{scheme}://{headers['host'].lower()}" for scheme in ("http", "https")}
    if any(origin.lower() not in own for origin in origins):
        raise Refused(403, "the request comes from another site")
    if site is not None and site not in ("same-origin", "none"):
        raise Refused(403, "the request comes from another site")
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    is_plain = method == "POST" and kind in _SIMPLE_TYPES
    is_told = bool(origins) or site == "same-origin" or key_of(headers) is not None
    if is_plain and not is_told and CLIENT_HEADER not in headers:
        raise Refused(403, f"add the header {CLIENT_HEADER}, so that no other site can ask this")


def _check_length(headers: Headers, limit: int) -> None:
    """Refuse a body that says itself that it is too large."""
    given = headers.get("content-length")
    if given is None:
        return
    if not (given.isascii() and given.isdigit()):
        raise Refused(400, "the length of the body is no number")
    if int(given[:20]) > limit:
        raise Refused(413, f"the body is too large; at most {limit} bytes are taken")


def _limited(receive: Receive, limit: int) -> Receive:
    """The body as it comes, cut off where it grows too large."""
    left = limit

    async def counted() -> Message:
        nonlocal left
        message = await receive()
        if message["type"] == "http.request":
            left -= len(message.get("body", b""))
            if left < 0:
                raise Refused(413, f"the body is too large; at most {limit} bytes are taken")
        return message

    return counted


def _add_headers(headers: MutableHeaders, id: str) -> None:
    for name, value in HEADERS.items():
        headers[name] = value
    headers.setdefault("cache-control", "no-store")
    headers["x-request-id"] = id


def declared(app: FastAPI) -> Iterator[tuple[str, str, Access]]:
    """Every path and method with what it needs, sorted; mounts have the method `*`."""
    names = set()
    for route in app.router.routes:
        access = access_of(getattr(route, "endpoint", None))
        path = getattr(route, "path", "?")
        for method in getattr(route, "methods", None) or ("*",):
            names.add((path, method, access))
    yield from sorted(names, key=lambda entry: entry[:2])
