"""A server on this machine that misbehaves as it is told.

The first part of the path names the shape: `/stalled/chat/completions` is answered as the shape
`stalled` says. Every request is recorded, and so is whether its connection was closed.
"""

import asyncio
import json
import socket
import struct
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from threading import Condition, Thread

TICK = 0.01
"""Seconds between two bytes of a shape that drips."""
BUFFER = 16 * 2**10
"""The server's own buffer of a connection, so that it soon notices when nobody reads."""


@dataclass(frozen=True)
class Seen:
    """One request as it arrived."""

    shape: str
    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)


class Connection:
    """One connection with its present request, for shapes to play with."""

    def __init__(self, server, reader, writer):
        self.server, self.reader, self.writer = server, reader, writer
        self.request = None
        sock = writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER)
        writer.transport.set_write_buffer_limits(BUFFER)

    @property
    def is_stream(self):
        """Whether the request asks for an answer in pieces."""
        with suppress(ValueError, UnicodeDecodeError, AttributeError, TypeError):
            return bool(self.request.json.get("stream"))
        return False

    async def write(self, data: bytes):
        self.writer.write(data)
        await self.writer.drain()
        self.server.sent += len(data)

    async def tick(self):
        self.server.stalls += 1
        await asyncio.sleep(TICK)

    async def gone(self):
        """Wait until the other side has closed the connection."""
        self.server.stalls += 1
        with suppress(ConnectionError):
            while await self.reader.read(2**16):
                pass
        self.writer.close()

    def end(self):
        """Close in an orderly way."""
        self.writer.close()

    def reset(self):
        """Break the connection off."""
        sock = self.writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()


Play = Callable[[Connection], Awaitable[None]]


class FaultServer:
    """The server, in a thread of its own; `shapes` maps names to what is played."""

    def __init__(self, shapes: dict[str, Play], ssl=None, unread=frozenset()):
        self._shapes, self._ssl, self._unread = shapes, ssl, unread
        self.requests: list[Seen] = []
        self.sent = 0
        """Bytes given to the network so far."""
        self.connections = 0
        """Connections that were ever made."""
        self.stalls = 0
        """How often a shape had no more to say, or not yet."""
        self._open = 0
        self._change = Condition()
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._serve, daemon=True)
        with self._change:
            self._thread.start()
            self._change.wait_for(lambda: hasattr(self, "port"), timeout=30)
        self.address = f"127.0.0.1:{self.port}"

    def url(self, shape: str) -> str:
        return f"{'https' if self._ssl else 'http'}://{self.address}/{shape}"

    def seen(self, shape: str) -> list[Seen]:
        return [request for request in self.requests if request.shape == shape]

    def is_settled(self, seconds: float = 10.0) -> bool:
        """Whether all connections are closed, at the latest after some time."""
        self._loop.call_soon_threadsafe(self._release.set)
        with self._change:
            settled = self._change.wait_for(lambda: self._open == 0, timeout=seconds)
        self._loop.call_soon_threadsafe(self._release.clear)
        return settled

    def stop(self):
        self._loop.call_soon_threadsafe(self._stopped.set)
        self._thread.join(timeout=30)

    async def released(self):
        """Wait until the test asks whether all connections are closed."""
        self.stalls += 1
        await self._release.wait()

    def _serve(self):
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._run())
        finally:
            self._loop.close()

    async def _run(self):
        self._stopped, self._release = asyncio.Event(), asyncio.Event()
        server = await asyncio.start_server(self._connected, "127.0.0.1", 0, ssl=self._ssl)
        with self._change:
            self.port = server.sockets[0].getsockname()[1]
            self._change.notify_all()
        await self._stopped.wait()
        server.close()
        tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _connected(self, reader, writer):
        self.connections += 1
        self._count(1)
        try:
            await self._play(Connection(self, reader, writer))
        except (ConnectionError, asyncio.IncompleteReadError, TimeoutError):
            pass
        finally:
            writer.transport.abort()
            self._count(-1)

    def _count(self, change):
        with self._change:
            self._open += change
            self._change.notify_all()

    async def _play(self, connection):
        while not connection.writer.is_closing():
            connection.request = await self._read(connection.reader)
            self.requests.append(connection.request)
            await self._shapes[connection.request.shape](connection)
        with suppress(ConnectionError):
            await connection.writer.wait_closed()

    async def _read(self, reader):
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        method, path, _ = head[0].split(" ")
        headers = {
            name.lower(): value.strip()
            for name, _, value in (line.partition(":") for line in head[1:] if line)
        }
        shape = path.split("?")[0].split("/")[1]
        body = b""
        if shape not in self._unread:
            body = await reader.readexactly(int(headers.get("content-length", 0)))
        return Seen(shape, method, path, headers, body)
