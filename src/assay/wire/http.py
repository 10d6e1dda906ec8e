"""One HTTP call: sent once, watched by two clocks, cut off at its caps, and classed when it fails.

The address is contacted directly: proxies of the environment, redirects and cookies are not
followed, so that a key goes nowhere else. Nothing is repeated here; `assay.wire.pacing` does that.
"""

from __future__ import annotations

import asyncio
import re
import ssl
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC
from email.utils import parsedate_to_datetime
from functools import cache
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar
from urllib.parse import parse_qsl, urljoin, urlsplit

from assay.core.errors import UsageError
from assay.core.extras import require
from assay.core.jsontext import loads
from assay.wire.body import DONE, Events, Unpacker
from assay.wire.errors import CallError, Fault
from assay.wire.hiding import hide, said
from assay.wire.limits import Limits

if TYPE_CHECKING:
    import httpx2

EXTRA = "endpoint"
MAX_RETRY_AFTER = 1e9
"""Seconds; more than anybody waits, and still a number to reckon with."""
MAX_PARTIAL = 100_000
"""Characters or bytes of a broken answer that are kept."""
ERROR_BYTES = 16 * 2**10
ERROR_SECONDS = 2.0
"""How much of an error's own words is waited for; the status has said what matters."""
SECRET_IN_ANSWER = 8
"""A shorter key may be a word of the answer and is left in it; messages hide it all the same."""
KEEP_ALIVE = 64
"""Idle connections that are kept for further calls."""
KEEP_ALIVE_SECONDS = 1.5
"""Servers close an idle connection after 2 seconds or more; we let go of it before they do."""
SENDING = "http11.send_request_headers.started"
"""What the HTTP library calls the moment when the connection stands and the request goes out."""
NOT_TEXT = "the answer is not UTF-8"
_T = TypeVar("_T")
_SECRET_HEADER = re.compile("auth|cookie|key|passw|secret|session|token", re.IGNORECASE)
_SECONDS = re.compile(r"\d{1,300}(?:\.\d{1,300})?", re.ASCII)
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_HEADER_VALUE = re.compile(r"(?:[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?)?")
_ACCESS = frozenset({401, 403, 404, 407})
_SERVER = frozenset({408, 425})
_WHOLE = frozenset({200, 201, 202, 203, 204, 205})
"""Statuses of an answer that is meant to be complete; 206 is a part that nobody asked for."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is sent. Headers and body are left out of its `repr`: they may hold secrets."""

    method: str
    url: str = field(repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    body: bytes | None = field(default=None, repr=False)


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
        limits: Limits | None = None,
        *,
        secrets: Sequence[str] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.limits = limits or Limits()
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
        clock of silence starts anew at payloads that `is_data` says yes to, never at heartbeats.
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

    def _call(self, request: Request, own: Mapping[str, str], sent: Callable[[], None]) -> _Call:
        headers = {"accept": "*/*", "user-agent": "assay", **own}
        headers |= {name.lower(): value for name, value in request.headers.items()}
        request = replace(request, headers=headers)
        return _Call(self._http, self._transport, self.limits, request, self._secrets, sent)


class _Call:
    """One request under way: its clocks, its caps and its failures."""

    def __init__(
        self,
        http: Any,
        transport: httpx2.AsyncHTTPTransport,
        limits: Limits,
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
        """Data came: the clock of silence starts anew."""
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
            reason = f"it answered with {said(kind, ())!r} instead of a stream of events{words}"
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
            fault = _fault_of(self._http, error)
            raise self._failure(fault, _reason_of(error)) from None
        except (OSError, self._http.StreamError) as error:
            raise self._failure(Fault.CONNECTION, _reason_of(error)) from None

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
            where = said(self._destination(), self._secrets)
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
        words = said(_message_in(body), self._secrets)
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


@cache
def _certificates() -> ssl.SSLContext:
    """The authorities that this machine trusts, or those of `SSL_CERT_FILE` and `SSL_CERT_DIR`."""
    found: ssl.SSLContext = require("httpx2", EXTRA).create_ssl_context()
    return found


def check_address(url: str) -> None:
    """Raise `UsageError` unless a text is an address that may be asked, without a password."""
    try:
        parts = urlsplit(url)
        is_whole = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        is_whole = False
    if not is_whole or not url.isprintable() or " " in url:
        raise UsageError("this is no address; expected one such as 'http://localhost:8080/v1'")
    if parts.scheme not in ("http", "https"):
        raise UsageError(f"the scheme {parts.scheme!r} is not asked; expected 'http' or 'https'")
    if parts.username is not None or parts.password is not None:
        raise UsageError("a name or password stands in the address; give a key by its variable")


def check_headers(headers: Mapping[str, str]) -> None:
    """Raise `UsageError` unless names and values can stand in a request."""
    for name, value in headers.items():
        if not _HEADER_NAME.fullmatch(name):
            raise UsageError(f"{name!r} is no name of a header")
        if not _HEADER_VALUE.fullmatch(value):
            raise UsageError(
                f"the value of the header {name!r} cannot be sent; expected printable ASCII "
                "characters without blanks around them"
            )


def place_of(url: str) -> str:
    """An address without what may be secret in it: user, query and fragment."""
    try:
        parts = urlsplit(url)
        host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname or ""
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "the address"
    return f"{parts.scheme}://{host}{port}{parts.path}"


def fault_of_status(status: int) -> Fault:
    """What a status other than success stands for."""
    if status == 429:
        return Fault.RATE
    if status in _ACCESS:
        return Fault.ACCESS
    if status in _SERVER or 500 <= status < 600:
        return Fault.SERVER
    return Fault.REFUSED if 300 <= status < 500 else Fault.UNUSABLE


def retry_after(value: str, now: float) -> float | None:
    """Seconds to wait that a header asks for, as a number or as a date; None for anything else.

    `now` is the time of day in seconds since 1970. A date that has passed asks for no wait.
    """
    value = value.strip()
    if _SECONDS.fullmatch(value):
        return min(float(value), MAX_RETRY_AFTER)
    try:
        date = parsedate_to_datetime(value)
        wait = date.replace(tzinfo=date.tzinfo or UTC).timestamp() - now
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return min(max(wait, 0.0), MAX_RETRY_AFTER)


def _fault_of(http: Any, error: Exception) -> Fault:
    """The class of an exception of the HTTP library."""
    if isinstance(error, http.RemoteProtocolError):
        words = str(error)
        if "too long" in words:
            return Fault.TOO_LARGE
        is_broken = "disconnected" in words or "closed connection" in words
        return Fault.CONNECTION if is_broken else Fault.UNUSABLE
    if isinstance(error, http.LocalProtocolError):
        return Fault.REFUSED
    is_unknown = isinstance(_cause(error), ssl.SSLCertVerificationError)
    if is_unknown or isinstance(error, http.UnsupportedProtocol):
        return Fault.ACCESS
    return Fault.CONNECTION


def _cause(error: BaseException) -> BaseException:
    """The first error of a chain."""
    while (before := error.__cause__ or error.__context__) is not None:
        error = before
    return error


def _reason_of(error: Exception) -> str:
    """Type and words of an exception; the first one of its chain knows best."""
    words = said(str(error) or str(_cause(error)), ())
    return f"{type(error).__name__} ({words})" if words else type(error).__name__


def _secrets_of(request: Request) -> list[str]:
    """What a request holds that no message may repeat."""
    _, _, query = request.url.partition("?")
    found = [text for _, text in parse_qsl(query)]
    for name, value in request.headers.items():
        if _SECRET_HEADER.search(name):
            found += [value, value.partition(" ")[2]]
    return found


def _message_in(body: str) -> str:
    """The words in an answer about a failure, where it is the usual JSON; else all of it."""
    try:
        found = loads(body)
    except ValueError:
        return body
    for key in ("error", "message", "detail"):
        if isinstance(found, dict) and key in found:
            found = found[key]
    return found if isinstance(found, str) else body
