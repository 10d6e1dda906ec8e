"""Server-sent events: what happens, told to a browser as it happens.

Clients wait in the event loop, not in threads; there are so many at most, each is told now and
then that the server is still there, and each ends after a while: a browser then asks again.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing
from time import monotonic
from typing import Any, NamedTuple

import anyio
from anyio import to_thread
from fastapi import FastAPI, HTTPException
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from assay.core.jsontext import dumps

MAX_STREAMS = 100
"""Most clients that get events at a time."""
POLL = 0.5
"""Seconds between two looks at the store."""
HEARTBEAT = 10.0
"""Seconds after which a client hears something, even if nothing happened."""
LIFE = 3600.0
"""Seconds after which a stream ends; the browser asks again by itself."""


class Event(NamedTuple):
    """One thing that happened."""

    name: str
    data: Mapping[str, Any]
    id: str = ""

    def text(self) -> str:
        """The event as it is sent; the data is JSON in one line."""
        id = f"id: {self.id}\n" if self.id else ""
        return f"{id}event: {self.name}\ndata: {dumps(dict(self.data))}\n\n"


Look = Callable[[], tuple[list[Event], bool]]
"""Looks for what happened since the last look: the events, and whether it was the end."""


class EventStream(Response):
    """An answer that goes on until there is no more to tell or the client is gone."""

    media_type = "text/event-stream"

    def __init__(self, app: FastAPI, look: Look) -> None:
        super().__init__(None)
        del self.headers["content-length"]
        self.headers["x-accel-buffering"] = "no"  # proxies are to pass events on at once
        self._app = app
        self._look = look
        if self._open() >= MAX_STREAMS:
            raise HTTPException(503, "too many clients are listening; try again later")

    def _open(self, change: int = 0) -> int:
        state = self._app.state
        state.streams = getattr(state, "streams", 0) + change
        return int(state.streams)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._open(+1)
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(_until_gone, receive, group.cancel_scope)
                await self._send(send)
                group.cancel_scope.cancel()
        finally:
            self._open(-1)

    async def _send(self, send: Send) -> None:
        start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
        await send(start)
        async with aclosing(self._texts()) as texts:
            async for text in texts:
                part = {"type": "http.response.body", "body": text.encode(), "more_body": True}
                await send(part)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _texts(self) -> AsyncGenerator[str, None]:
        yield ": the events follow\n\n"
        begun = heard = monotonic()
        while monotonic() - begun < LIFE and not self._is_ending():
            events, is_end = await to_thread.run_sync(self._look)
            for event in events:
                yield event.text()
                heard = monotonic()
            if is_end:
                return
            if monotonic() - heard >= HEARTBEAT:
                yield ": still here\n\n"
                heard = monotonic()
            await anyio.sleep(POLL)

    def _is_ending(self) -> bool:
        return bool(self._app.state.projects.is_stopping)


async def _until_gone(receive: Callable[[], Awaitable[Any]], scope: anyio.CancelScope) -> None:
    """End the stream when the client hangs up."""
    while (await receive())["type"] != "http.disconnect":
        pass
    scope.cancel()
