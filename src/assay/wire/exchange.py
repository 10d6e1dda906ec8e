"""One request and its answer: two clocks, caps on size, and a class for every failure."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing, contextmanager, suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar
from urllib.parse import parse_qsl, urljoin

from assay.core.errors import UsageError
from assay.wire.address import check_address, check_headers, place_of
from assay.wire.body import DONE, Events, Unpacker
from assay.wire.call_errors import CallError, Fault
from assay.wire.fault_classes import fault_of, fault_of_status, message_in, reason_of, retry_after
from assay.wire.limits import CallLimits
from assay.wire.safe_messages import hide, safe_message

if TYPE_CHECKING:
    import httpx2

ERROR_BYTES = 16 * 2**10
ERROR_SECONDS = 2.0
"""How much of an error's own words is waited for; the status has said what matters."""
SENDING = "http11.send_request_headers.started"
"""What the HTTP library calls the moment when the connection stands and the request goes out."""
NOT_TEXT = "the answer is not UTF-8"
_T = TypeVar("_T")
_SECRET_HEADER = re.compile("auth|cookie|key|passw|secret|session|token", re.IGNORECASE)
_WHOLE = frozenset({200, 201, 202, 203, 204, 205})
"""Statuses of an answer that is meant to be complete; 206 is a part that nobody asked for."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is sent. Headers and body are left out of its `repr`: they may hold secrets."""

    method: str
    url: str = field(repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    body: bytes | None = field(default=None, repr=False)


class Exchange:
    """One request under way: its clocks, its caps and its failures."""

    def __init__(
        self,
        http: Any,
        transport: httpx2.AsyncHTTPTransport,
        limits: CallLimits,
        request: Request,
        secrets: Sequence[str],
        sent: Callable[[], None],
    ) -> None:
        self._http, self._transport, self._limits = http, transport, limits
        self._request, self._sent = request, sent
        self._secrets = (*secrets, *_secrets_of(request))
        self._now = asyncio.get_running_loop().time
        start = self._now()
        self._end = start + limits.total
        self._due = start + limits.first_byte
        self._has_data = False
        self._response: httpx2.Response | None = None

    async def __aenter__(self) -> Self:
        """Send the request and read the head of the answer; only a success gets through."""
        request = self._prepared()
        self._response = await self._within(self._transport.handle_async_request(request))
        if self.status not in _WHOLE:
            try:
                raise await self._unsuccessful()
            finally:
                await self._close()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._close()

    @property
    def status(self) -> int:
        return self._got.status_code

    @property
    def headers(self) -> httpx2.Headers:
        return self._got.headers

    def touch(self) -> None:
        """Data came: the idle timeout starts anew."""
        self._has_data = True
        self._due = self._now() + self._limits.idle

    async def pieces(self) -> AsyncGenerator[bytes, None]:
        """The unpacked body in pieces, as long as clocks and caps allow."""
        length = self.headers.get("content-length", "")
        if length.isdecimal() and int(length) > self._limits.max_bytes:
            raise self._failure(Fault.TOO_LARGE, f"an answer of {length} bytes")
        packed = unpacked = count = 0
        with self._as_unusable():
            unpacker = Unpacker(self.headers.get("content-encoding", "").strip().lower())
        async with aclosing(self._got.aiter_raw()) as stream:
            while (data := await self._within(anext(stream, None))) is not None:
                packed, count = packed + len(data), count + 1
                for piece in self._unpacked(unpacker, data):
                    unpacked += len(piece)
                    self._check_size(max(packed, unpacked), count)
                    yield piece
        if not unpacker.is_whole:
            raise self._failure(Fault.CONNECTION, "the packed answer breaks off")

    async def payloads(self) -> AsyncGenerator[str, None]:
        """The payloads of the events in the body."""
        events, count = Events(), 0
        async with aclosing(self.pieces()) as pieces:
            async for piece in pieces:
                for payload in self._payloads(events, piece):
                    count += 1
                    self._check_size(0, count)
                    yield payload
                    if payload == DONE:
                        return
        if events.is_done:
            yield DONE
        elif events.is_foreign:
            raise self._failure(Fault.UNUSABLE, "the answer is no stream of events")

    def text(self, body: bytearray) -> str:
        """The body as text, which must be UTF-8."""
        try:
            return body.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise self._failure(Fault.UNUSABLE, NOT_TEXT) from None

    async def check_stream(self) -> None:
        """Refuse an answer that says it is something else than a stream of events."""
        kind = self.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind and kind != "text/event-stream":
            words = self._quoted(await self._words())
            reason = (
                f"it answered with {safe_message(kind, ())!r} instead of a stream of events{words}"
            )
            raise self._failure(Fault.UNUSABLE, reason)

    @property
    def _got(self) -> httpx2.Response:
        assert self._response is not None
        return self._response

    def _prepared(self) -> httpx2.Request:
        """The request as the transport wants it, checked before anything is sent."""
        request = self._request
        try:
            check_address(request.url)
            check_headers(request.headers)
            return self._http.Request(  # type: ignore[no-any-return]  # httpx2 is loaded late
                request.method,
                request.url,
                headers=dict(request.headers),
                content=request.body,
                extensions={"timeout": {"connect": self._limits.connect}, "trace": self._trace},
            )
        except (UsageError, self._http.InvalidURL, ValueError) as error:
            raise self._failure(Fault.ACCESS, str(error)) from None

    async def _trace(self, event: str, _: Mapping[str, Any]) -> None:
        if event == SENDING:
            self._sent()

    async def _within(self, step: Awaitable[_T]) -> _T:
        """What the step gives, unless a clock runs out or something breaks."""
        try:
            async with asyncio.timeout_at(min(self._due, self._end)):
                return await step
        except self._http.TimeoutException:
            reason = f"no connection within {self._limits.connect:g} s"
            raise self._failure(Fault.TIMEOUT, reason) from None
        except TimeoutError:
            raise self._failure(Fault.TIMEOUT, self._lateness()) from None
        except self._http.HTTPError as error:
            fault = fault_of(self._http, error)
            raise self._failure(fault, reason_of(error)) from None
        except (OSError, self._http.StreamError) as error:
            raise self._failure(Fault.CONNECTION, reason_of(error)) from None

    def _lateness(self) -> str:
        """Which clock ran out."""
        if self._end <= self._due:
            return f"no whole answer within {self._limits.total:g} s"
        if self._has_data:
            return f"no data for {self._limits.idle:g} s"
        return f"no data within {self._limits.first_byte:g} s"

    def _check_size(self, size: int, count: int) -> None:
        if size > self._limits.max_bytes:
            reason = f"an answer of more than {self._limits.max_bytes} bytes"
            raise self._failure(Fault.TOO_LARGE, reason)
        if count > self._limits.max_pieces:
            reason = f"an answer of more than {self._limits.max_pieces} pieces"
            raise self._failure(Fault.TOO_LARGE, reason)

    def _unpacked(self, unpacker: Unpacker, data: bytes) -> Iterator[bytes]:
        with self._as_unusable():
            yield from unpacker.feed(data)

    def _payloads(self, events: Events, data: bytes) -> Iterator[str]:
        with self._as_unusable():
            yield from events.feed(data)

    @contextmanager
    def _as_unusable(self) -> Iterator[None]:
        """A `ValueError` inside says that the answer cannot be used."""
        try:
            yield
        except UnicodeDecodeError:
            raise self._failure(Fault.UNUSABLE, NOT_TEXT) from None
        except ValueError as error:
            raise self._failure(Fault.UNUSABLE, f"the answer cannot be read: {error}") from None

    async def _unsuccessful(self) -> CallError:
        """What a status other than success means."""
        status, words = self.status, self._quoted(await self._words())
        if 300 <= status < 400:
            where = safe_message(self._destination(), self._secrets)
            advice = f"redirects are not followed; it points to {where!r}"
            return self._failure(Fault.REFUSED, f"status {status}; {advice}", status)
        wait = retry_after(self.headers.get("retry-after", ""), time.time())
        return self._failure(fault_of_status(status), f"status {status}{words}", status, wait)

    def _destination(self) -> str:
        """Where a redirect points to."""
        try:
            return place_of(urljoin(self._request.url, self.headers.get("location", "")))
        except ValueError:
            return "no address"

    async def _words(self) -> str:
        """What the other side says about a failure, as far as it comes soon."""
        self._due = min(self._due, self._now() + ERROR_SECONDS)
        body = bytearray()
        with suppress(CallError):
            async with aclosing(self.pieces()) as pieces:
                async for piece in pieces:
                    body += piece
                    if len(body) > ERROR_BYTES:
                        break
        return body.decode("utf-8", "replace")

    def _quoted(self, body: str) -> str:
        words = safe_message(message_in(body), self._secrets)
        return f", saying {words!r}" if words else ""

    def _failure(
        self,
        fault: Fault,
        reason: str,
        status: int | None = None,
        wait: float | None = None,
    ) -> CallError:
        """An error that names the place and the reason, and no secret."""
        if status is None and self._response is not None:
            status = self._response.status_code
        words = hide(f"{place_of(self._request.url)}: {reason}", self._secrets)
        return CallError(words, fault, status=status, retry_after=wait)

    async def _close(self) -> None:
        if self._response is not None:
            with suppress(self._http.HTTPError, OSError):
                await self._response.aclose()


def _secrets_of(request: Request) -> list[str]:
    """What a request holds that no message may repeat."""
    _, _, query = request.url.partition("?")
    secrets = [text for _, text in parse_qsl(query)]
    for name, value in request.headers.items():
        if _SECRET_HEADER.search(name):
            secrets += [value, value.partition(" ")[2]]
    return secrets
