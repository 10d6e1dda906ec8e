"""Clients that connect and say nothing, or little: dropped in time, and no burden to others."""

import asyncio
import logging
import socket
from functools import partial
from urllib.parse import urlsplit

import httpx2
import pytest
import uvicorn
from tests.server.client import Client, live

from assay.server import connections as module
from assay.server.config import ConnectionLimits
from assay.server.connections import Connections, GuardedProtocol, GuardedServer, within_file_limit

SMALL = ConnectionLimits(total=8, per_address=6)
HEAD = b"POST /v1/x HTTP/1.1\r\nhost: a\r\ncontent-length: 100000\r\n\r\n"
WHOLE = b"GET / HTTP/1.1\r\nhost: a\r\n\r\n"


class Loop:
    """An event loop whose time a test turns by hand."""

    def __init__(self):
        self.now = 0.0
        self.coroutines = []

    def time(self):
        return self.now

    def call_later(self, seconds, callback, *arguments):
        return asyncio.TimerHandle(self.now + seconds, callback, arguments, self)

    def create_task(self, coroutine, **given):
        coroutine.close()
        return asyncio.Future(loop=self)

    def get_debug(self):
        return False

    def _timer_handle_cancelled(self, handle):
        pass


class Transport(asyncio.Transport):
    def __init__(self, address):
        super().__init__({"peername": (address, 1), "sockname": ("127.0.0.1", 2)})
        self.written, self.is_open = b"", True

    def write(self, data):
        self.written += data

    def abort(self):
        self.is_open = False

    close = abort

    def is_closing(self):
        return not self.is_open

    def pause_reading(self):
        pass

    resume_reading = pause_reading


class Scene:
    """Connections without sockets."""

    def __init__(self, limits=SMALL, trusted=()):
        self.loop = Loop()
        self.all = Connections(limits, trusted)

        async def app(scope, receive, send):
            raise AssertionError("no task is run")

        self.config = uvicorn.Config(app, log_config=None, ws="none")
        self.state = uvicorn.server.ServerState()

    def connect(self, address="10.0.0.1", data=b""):
        protocol = GuardedProtocol(self.config, self.state, {}, self.loop, connections=self.all)
        protocol.connection_made(Transport(address))
        if data:
            protocol.data_received(data)
        return protocol

    def after(self, seconds):
        self.loop.now += seconds
        self.all.sweep(self.loop)


def is_open(*protocols):
    return [protocol.transport.is_open for protocol in protocols]


def test_a_client_that_says_nothing_is_dropped():
    scene = Scene()
    silent, half = scene.connect(), scene.connect(data=b"GET / HT")
    scene.after(10)
    assert is_open(silent, half) == [True, True]
    half.data_received(b"T")  # a byte now and then changes nothing
    scene.after(0.1)
    assert is_open(silent, half) == [False, False]
    assert len(scene.all) == 0


def test_a_body_has_to_come_at_a_rate():
    scene = Scene()
    slow, quick = scene.connect(data=HEAD), scene.connect(data=HEAD)
    for _ in range(6):
        slow.data_received(b"x" * 100)
        quick.data_received(b"x" * 5000)
        scene.after(4)
    assert is_open(slow, quick) == [False, True]


def test_a_request_that_is_worked_on_is_never_dropped():
    scene = Scene()
    working = scene.connect(data=WHOLE)
    full = scene.connect(data=HEAD)
    full.flow.pause_reading()  # the server has not read what came
    scene.after(10_000)
    assert is_open(working, full) == [True, True]


def test_a_client_that_does_not_read_its_answer_is_dropped():
    scene = Scene()
    deaf = scene.connect(data=WHOLE)
    deaf.pause_writing()
    scene.after(0.1)
    scene.after(30)
    assert is_open(deaf) == [True]
    scene.after(0.1)
    assert is_open(deaf) == [False]


def test_the_next_request_has_its_own_deadline():
    scene = Scene()
    client = scene.connect()
    scene.after(9)
    client.data_received(WHOLE)
    scene.after(60)
    client.conn.send(module.h11.Response(status_code=204, headers=[]))
    client.conn.send(module.h11.EndOfMessage())
    client.on_response_complete()
    client.data_received(b"GET")
    scene.after(10)
    assert is_open(client) == [True]
    scene.after(0.1)
    assert is_open(client) == [False]


def test_the_one_that_was_of_no_use_for_longest_makes_room():
    scene = Scene()
    asking = scene.connect(data=WHOLE)
    uploading, slow = scene.connect(data=HEAD), scene.connect(data=HEAD)
    silent = [scene.connect() for _ in range(3)]
    uploading.data_received(b"x" * 5000)
    slow.data_received(b"x")
    expected = [slow, *silent]
    for dropped in range(1, 5):
        assert is_open(scene.connect()) == [True]
        assert is_open(*expected) == [*[False] * dropped, *[True] * (4 - dropped)]
    assert is_open(asking, uploading) == [True, True]
    for address in range(2, 9):
        assert is_open(scene.connect(f"10.0.0.{address}")) == [True]
    assert (len(scene.all), is_open(asking, uploading)) == (SMALL.total, [True, False])


def test_where_all_are_at_work_a_new_one_is_told_to_come_back():
    scene = Scene()
    working = [scene.connect(data=WHOLE) for _ in range(SMALL.per_address)]
    new = scene.connect()
    assert is_open(*working, new) == [*[True] * SMALL.per_address, False]
    assert new.transport.written.startswith(b"HTTP/1.1 503 ")
    assert b"retry-after" in new.transport.written
    working[0].connection_lost(None)
    assert is_open(scene.connect()) == [True]


def test_a_trusted_proxy_carries_as_many_as_there_may_be():
    scene = Scene(trusted={"10.0.0.9"})
    opened = [scene.connect("10.0.0.9") for _ in range(SMALL.total)]
    assert all(is_open(*opened))
    scene.connect("10.0.0.9")
    assert sum(is_open(*opened)) == SMALL.total - 1


@pytest.mark.parametrize(("hard", "expected"), [(256, 64), (100_000, 1000)])
def test_connections_leave_files_for_the_rest(monkeypatch, hard, expected):
    import resource

    asked = []
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (128, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda kind, pair: asked.append(pair))
    limits = within_file_limit(ConnectionLimits())
    assert (limits.total, asked) == (expected, [(min(hard, 8192), hard)])


@pytest.mark.parametrize("sent", [b"", b"GET /health HTTP/1.1\r\nhost:", HEAD])
def test_health_answers_among_many_idle_connections(tmp_path, sent):
    limits = ConnectionLimits(total=20, per_address=10)
    app = Client(f"sqlite:///{tmp_path / 's.db'}", tmp_path).app
    with live(app, partial(GuardedServer, connections=Connections(limits))) as url:
        port = urlsplit(url).port
        idle = []
        for number in range(60):
            idle.append(socket.create_connection(("127.0.0.1", port), timeout=60))
            idle[-1].sendall(sent)
            if number % 10 == 9:
                found = httpx2.get(f"{url}/health", timeout=60)
                assert found.json() == {"status": "ok"}
        for connection in idle[:50]:  # the oldest made room: all that came ends here
            with connection:
                try:
                    while connection.recv(1000):
                        pass
                except ConnectionResetError:
                    pass
        for connection in idle[50:]:
            connection.close()


def test_an_upload_that_breaks_off_is_not_an_error_of_the_server(client, caplog):
    from starlette.requests import ClientDisconnect

    from assay.server.error_answers import Failures

    async def app(scope, receive, send):
        raise ClientDisconnect

    asyncio.run(Failures(app)({"type": "http", "assay.id": "1"}, None, None))
    assert not caplog.records


def test_serve_guards_its_connections(monkeypatch, tmp_path):
    from assay.cli import serve
    from assay.server.config import ServerConfig
    from assay.settings import Settings

    seen = []
    monkeypatch.setattr(GuardedServer, "run", lambda server, sockets: seen.append(server))
    monkeypatch.setattr(logging, "basicConfig", lambda **given: None)
    settings = Settings.load(overrides={"store": f"sqlite:///{tmp_path / 's.db'}"})
    config = ServerConfig(settings, require_key=False, connections=SMALL)
    with serve._bound("127.0.0.1", 0) as opened:
        serve._serve(config, opened)
    (server,) = seen
    protocol = server.config.http
    assert (protocol.func, protocol.keywords["connections"].limits) == (GuardedProtocol, SMALL)
    assert server.config.backlog < ConnectionLimits().per_address / 3
