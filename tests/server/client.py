"""A client of the server for tests: calls the app in this process, with its lifespan."""

import socket
import threading
from contextlib import ExitStack, contextmanager
from dataclasses import replace

import httpx2
import uvicorn
from anyio.from_thread import start_blocking_portal

from assay.server.api_keys import ROLES, create_key
from assay.server.app import create_app
from assay.server.config import ServerConfig
from assay.settings import Settings
from assay.store.audit import AuditStamp

BASE = "http://127.0.0.1:8040"
MOMENT = 1_800_000 * 3600.0 + 60
"""The time on the server's clock, unless a test turns it."""


class Client:
    """Sends requests to an app of its own; the key, where one is given, goes with each."""

    def __init__(self, store, tmp_path, *, require_key=True, settings=None, **config):
        settings = settings or Settings.load(overrides={"store": store})
        self.config = ServerConfig(
            settings, require_key=require_key, uploads=tmp_path / "uploads", **config
        )
        self.app = create_app(self.config)
        self.now = MOMENT
        self.app.state.now = lambda: self.now
        self.store = self.app.state.store
        self.keys = {}
        self._stack = ExitStack()

    def __enter__(self):
        self._portal = self._stack.enter_context(start_blocking_portal())
        lifespan = self.app.router.lifespan_context(self.app)
        self._stack.enter_context(self._portal.wrap_async_context_manager(lifespan))
        return self

    def __exit__(self, *error):
        self._stack.close()

    @property
    def change(self):
        """Somebody's change, now."""
        return AuditStamp("test", self.now)

    def key(self, role):
        """A valid key of that role, made when it is first asked for."""
        assert role in ROLES
        if role not in self.keys:
            self.keys[role] = create_key(self.store, f"{role}-key", role, self.change).key
        return self.keys[role]

    def call(self, method, path, *, role=None, address="10.0.0.1", headers=None, **given):
        """One request; a `role` sends a key of it."""
        headers = dict(headers or {})
        if role:
            headers["authorization"] = f"Bearer {self.key(role)}"

        async def send():
            transport = httpx2.ASGITransport(self.app, client=(address, 1))
            async with httpx2.AsyncClient(transport=transport, base_url=BASE) as client:
                return await client.request(method, path, headers=headers, **given)

        return self._portal.call(send)

    def get(self, path, *, role="read", **given):
        return self.call("GET", path, role=role, **given)

    def trail(self, kind):
        """The entries of the audit trail of one kind, the newest first."""
        return self.get("/v1/audit", role="admin", params={"action": kind}).json()["items"]

    def post(self, path, *, role="write", **given):
        return self.call("POST", path, role=role, **given)


def _plain(app, **options):
    return uvicorn.Server(uvicorn.Config(app, ws="none", **options))


@contextmanager
def live(app, make=None):
    """The app behind a real server on a free port, in a thread; gives its URL."""
    with socket.socket() as opened:
        opened.bind(("127.0.0.1", 0))
        opened.listen()  # who is early waits
        port = opened.getsockname()[1]
        app.state.config = replace(app.state.config, port=port)
        options = {"lifespan": "on", "log_config": None, "server_header": False}
        server = (make or _plain)(app, access_log=False, **options)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [opened]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            server.should_exit = True
            thread.join()


async def unread():
    """A body whose first byte must never be asked for."""
    raise AssertionError("the body was read")
    yield b""
