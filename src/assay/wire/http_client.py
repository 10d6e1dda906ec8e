"""HTTP calls, each sent once, and the connections that a run keeps for them.

The address is contacted directly: proxies of the environment, redirects and cookies are not
followed, so that a key goes nowhere else. Nothing is repeated here; `assay.wire.retries` does that.
"""

from __future__ import annotations

import ssl
import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import cache
from types import TracebackType
from typing import TYPE_CHECKING, Self

from assay.core.extras import require
from assay.wire.call_errors import CallError
from assay.wire.exchange import Exchange, Request
from assay.wire.limits import CallLimits
from assay.wire.safe_messages import hide

if TYPE_CHECKING:
    import httpx2

EXTRA = "endpoint"
MAX_PARTIAL = 100_000
"""Characters or bytes of a broken answer that are kept."""
SECRET_IN_ANSWER = 8
"""A shorter key may be a word of the answer and is left in it; messages hide it all the same."""
KEEP_ALIVE = 64
"""Idle connections that are kept for further calls."""
KEEP_ALIVE_SECONDS = 1.5
"""Servers close an idle connection after 2 seconds or more; we let go of it before they do."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole answer with a status of success."""

    status: int
    headers: Mapping[str, str]
    """Names are in small letters."""
    text: str
    seconds: float
    """From sending the request to the end of the answer; connecting does not count."""


class Wire:
    """The connections of one run; close it, or use it as an asynchronous context."""

    def __init__(
        self,
        limits: CallLimits | None = None,
        *,
        secrets: Sequence[str] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.limits = limits or CallLimits()
        self.clock = clock
        self._secrets = tuple(secrets)
        self._http = require("httpx2", EXTRA)
        self._transport: httpx2.AsyncHTTPTransport = self._http.AsyncHTTPTransport(
            verify=_certificates(),
            trust_env=False,
            limits=self._http.Limits(
                max_connections=None,
                max_keepalive_connections=KEEP_ALIVE,
                keepalive_expiry=KEEP_ALIVE_SECONDS,
            ),
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close all connections."""
        await self._transport.aclose()

    def hide(self, text: str) -> str:
        """An answer's text without the keys that the other side may have sent back."""
        return hide(text, self._secrets, SECRET_IN_ANSWER)

    async def send(self, request: Request) -> Reply:
        """The whole answer to one request; raises `CallError` for all that is no success."""
        start = self.clock()

        def sent() -> None:
            nonlocal start
            start = self.clock()

        body = bytearray()
        call = self._call(request, {"accept-encoding": "gzip, deflate"}, sent)
        try:
            async with call:
                async with aclosing(call.pieces()) as pieces:
                    async for piece in pieces:
                        body += piece
                        if piece.strip():
                            call.touch()
                text = call.text(body)
        except CallError as error:
            error.partial = self.hide(body[:MAX_PARTIAL].decode("utf-8", "replace"))
            raise
        headers = {name.lower(): value for name, value in call.headers.items()}
        return Reply(call.status, headers, self.hide(text), self.clock() - start)

    async def events(
        self,
        request: Request,
        *,
        is_data: Callable[[str], bool] = bool,
        sent: Callable[[], None] = lambda: None,
    ) -> AsyncGenerator[str, None]:
        """The payloads of a stream of events, up to the marker `[DONE]` or to its end.

        The marker is given too, as the last one: a stream may well break off without it. The
        idle timeout starts anew at payloads that `is_data` says yes to, never at heartbeats.
        `sent` is called when the connection stands and the request goes out. Close the generator
        (`contextlib.aclosing`) when leaving it early.
        """
        # Servers such as llama.cpp close after a stream whatever they said before, so its
        # connection is not used again.
        call = self._call(request, {"accept-encoding": "identity", "connection": "close"}, sent)
        async with call:
            await call.check_stream()
            async with aclosing(call.payloads()) as payloads:
                async for payload in payloads:
                    is_news = is_data(payload)
                    yield payload
                    if is_news:
                        call.touch()

    def _call(self, request: Request, own: Mapping[str, str], sent: Callable[[], None]) -> Exchange:
        headers = {"accept": "*/*", "user-agent": "assay", **own}
        headers |= {name.lower(): value for name, value in request.headers.items()}
        request = replace(request, headers=headers)
        return Exchange(self._http, self._transport, self.limits, request, self._secrets, sent)


@cache
def _certificates() -> ssl.SSLContext:
    """The authorities that this machine trusts, or those of `SSL_CERT_FILE` and `SSL_CERT_DIR`."""
    context: ssl.SSLContext = require("httpx2", EXTRA).create_ssl_context()
    return context
