"""Connections that a client holds open without using them: deadlines, and a cap.

A connection that waits for its client is dropped after a deadline. When there are too many, the
one that has waited longest makes room for the new one, so that a client with a request gets its
answer however many others say nothing. A request that the server works on is never dropped.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import Server, ServerState

from assay.server.config import ConnectionLimits

log = logging.getLogger("assay.server")

Phase = Literal["head", "body", "answer", "work"]
"""What a connection waits for: the head of a request, its body, the client's reading of the
answer, or the server."""
SWEEP_SECONDS = 1.0
"""How often deadlines are looked at."""
MOST_FILES = 8192
"""Open files that the server asks the system for."""
USEFUL_BYTES = 1000
"""Bytes of a body that count as progress when they come at once."""
BATCH = 64
"""Connections that are accepted before the next look at what came on others; far fewer than one
address may have, or a request could be pushed out before it is read."""
QUEUE = 1024
"""Connections that the system keeps until they are accepted."""
FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\nretry-after: 5\r\n"
    b"content-length: 0\r\n\r\n"
)
"""The answer to a connection for which there is no room."""


@dataclass(slots=True)
class _Wait:
    """Since when a connection waits for the same thing, and the bytes that came meanwhile."""

    phase: Phase
    since: float
    received: int = 0


class Connections:
    """All connections of a server, those of each address in the order in which they waited."""

    def __init__(self, limits: ConnectionLimits, trusted: Collection[str] = ()) -> None:
        self.limits = limits
        self._trusted = trusted
        self._all: dict[GuardedProtocol, None] = {}
        self._by_address: dict[str, dict[GuardedProtocol, None]] = {}
        self._sweep: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._all)

    def admit(self, connection: GuardedProtocol) -> bool:
        """Count a new connection, making room for it; whether there is any."""
        peers = self._by_address.get(connection.address, {})
        is_capped = connection.address not in self._trusted  # a proxy carries everybody's
        if is_capped and len(peers) >= self.limits.per_address and not self._make_room(peers):
            return False
        if len(self._all) >= self.limits.total and not self._make_room(self._all):
            return False
        self._all[connection] = None
        self._by_address.setdefault(connection.address, {})[connection] = None
        if self._sweep is None:
            self._sweep = connection.loop.call_later(SWEEP_SECONDS, self.sweep, connection.loop)
        return True

    def forget(self, connection: GuardedProtocol) -> None:
        """A connection is gone."""
        if connection not in self._all:
            return
        del self._all[connection]
        peers = self._by_address[connection.address]
        del peers[connection]
        if not peers:
            del self._by_address[connection.address]

    def renew(self, connection: GuardedProtocol) -> None:
        """A connection was of use just now, so others make room before it does."""
        if connection in self._all:
            for listed in (self._all, self._by_address[connection.address]):
                listed[connection] = listed.pop(connection)

    def sweep(self, loop: asyncio.AbstractEventLoop) -> None:
        """Drop the connections whose client let its deadline pass."""
        now = loop.time()
        for connection in list(self._all):
            wait = connection.look(now)
            if now > self._deadline(wait):
                self._drop(connection, f"nothing useful came for its {wait.phase}")
        self._sweep = loop.call_later(SWEEP_SECONDS, self.sweep, loop) if self._all else None

    def _deadline(self, wait: _Wait) -> float:
        """When the client's time is over; a body gets more for each byte that came."""
        if wait.phase == "head":
            return wait.since + self.limits.head_seconds
        if wait.phase == "body":
            useful = wait.received / self.limits.bytes_per_second
            return wait.since + useful + self.limits.body_seconds
        return wait.since + self.limits.answer_seconds if wait.phase == "answer" else float("inf")

    def _make_room(self, connections: Iterable[GuardedProtocol]) -> bool:
        """Drop the connection that was of no use for longest, if any waits for its client."""
        for connection in connections:
            if connection.look(connection.loop.time()).phase in ("head", "body"):
                self._drop(connection, "there are too many")
                return True
        return False

    def _drop(self, connection: GuardedProtocol, reason: str) -> None:
        log.warning("a connection was dropped: %s", reason)
        self.forget(connection)
        connection.transport.abort()


class GuardedProtocol(H11Protocol):
    """HTTP/1.1 on one connection, watched by `Connections`."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
        *,
        connections: Connections,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.address = ""
        self._connections = connections
        self._wait = _Wait("head", self.loop.time())

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.address = self.client[0] if self.client else ""
        if not self._connections.admit(self):
            transport.write(FULL)
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._connections.forget(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        before = self.cycle
        super().data_received(data)
        if self.cycle is not before:
            self._restart()
        self._wait.received += len(data)
        if self._wait.phase == "body" and len(data) >= USEFUL_BYTES:
            self._connections.renew(self)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._restart()

    def look(self, now: float) -> _Wait:
        """What the connection waits for."""
        phase = self._phase()
        if phase != self._wait.phase:
            self._wait = _Wait(phase, now)
        return self._wait

    def _restart(self) -> None:
        self._wait = _Wait(self._phase(), self.loop.time())
        self._connections.renew(self)

    def _phase(self) -> Phase:
        if self.flow.write_paused:
            return "answer"
        theirs = self.conn.their_state
        if theirs is h11.IDLE:
            return "head"
        return "body" if theirs is h11.SEND_BODY and not self.flow.read_paused else "work"


class GuardedServer(Server):
    """A server that drops connections which nobody uses."""

    def __init__(self, app: Any, connections: Connections, **options: Any) -> None:
        http: Any = partial(GuardedProtocol, connections=connections)  # called like a class
        super().__init__(Config(app, http=http, backlog=BATCH, ws="none", **options))

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for opened in sockets or ():
            opened.listen(QUEUE)  # asyncio takes one figure for both


def within_file_limit(limits: ConnectionLimits) -> ConnectionLimits:
    """The limits that this process has files for; the system's soft limit is raised for them."""
    return replace(limits, total=min(limits.total, _raised_file_limit() // 4))


def _raised_file_limit() -> int:
    if sys.platform == "win32":
        return MOST_FILES
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_FILES if hard == resource.RLIM_INFINITY else min(MOST_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return most
