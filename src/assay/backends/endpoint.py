"""One address that answers JSON with JSON: limits, repetitions, rest after failure, and no secrets.

The address is contacted directly: proxies of the environment and redirects are not followed, so
the key goes nowhere else, and it is in no message.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from email.utils import parsedate_to_datetime
from typing import Any, ClassVar
from urllib.parse import urlsplit

from assay.core.errors import ModelError
from assay.core.extras import require
from assay.core.jsontext import loads

EXTRA = "endpoint"
CONNECT_SECONDS = 5.0
READ_SECONDS = 60.0
TOTAL_SECONDS = 180.0
"""One request with all its repetitions."""
ATTEMPTS = 4
FIRST_WAIT = 0.5
"""Seconds before the first repetition; each further one waits twice as long."""
REST_SECONDS = 30.0
"""How long an endpoint that failed is left alone, so that a long run does not wait in vain."""
MAX_BYTES = 64 * 2**20
"""A longer answer is refused."""
PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Statuses after which the same request may succeed."""
UNUSABLE = 200
"""The status of an answer that holds nothing usable."""


class RefusedError(ModelError):
    """The endpoint has no good answer to this request, whenever it is asked."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class Endpoint:
    """The address; nothing is sent before the first request."""

    def __init__(
        self,
        name: str,
        url: str,
        key: str = "",
        *,
        gives: str,
        advice: str,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._http = require("httpx2", EXTRA)
        self._client = self._http.Client(
            headers={"Authorization": f"Bearer {key}"} if key else {},
            timeout=self._http.Timeout(READ_SECONDS, connect=CONNECT_SECONDS),
            trust_env=False,
            follow_redirects=False,
        )
        self._name, self._url, self._key = name, url, key
        self._gives, self._advice = gives, advice
        self._sleep, self._clock = sleep, clock
        self._failure, self._rest_until = "", 0.0

    def post(self, request: Mapping[str, Any]) -> str:
        """The answer's text; an endpoint that failed is left alone for a while."""
        if self._clock() < self._rest_until:
            raise ModelError(self._failure)
        try:
            return self._post(request)
        except RefusedError:
            raise
        except ModelError as error:
            self._failure, self._rest_until = str(error), self._clock() + REST_SECONDS
            raise

    def _post(self, request: Mapping[str, Any]) -> str:
        """The answer's text, after some repetitions if need be."""
        deadline = self._clock() + TOTAL_SECONDS
        wait, reason = FIRST_WAIT, ""
        for attempt in range(ATTEMPTS):
            try:
                status, headers, body = self._send(request, deadline)
            except self._http.HTTPError as error:
                reason, pause = f"{type(error).__name__}: {error}", wait
            else:
                if status == 200:
                    return body
                reason = f"status {status}: {_said(body)}"
                if status not in PASSING:
                    raise RefusedError(self._failed(reason), status)
                pause = retry_after(headers.get("retry-after", ""), wait)
            if attempt == ATTEMPTS - 1 or self._clock() + pause > deadline:
                break
            self._sleep(pause)
            wait *= 2
        raise ModelError(self._failed(reason))

    def _send(
        self, request: Mapping[str, Any], deadline: float
    ) -> tuple[int, Mapping[str, str], str]:
        """One request; an answer that comes too slowly or is too long is cut off."""
        with self._client.stream("POST", self._url, json=request) as response:
            body = bytearray()
            for chunk in response.iter_bytes():
                body += chunk
                if len(body) > MAX_BYTES:
                    raise ModelError(self._failed(f"an answer of more than {MAX_BYTES} bytes"))
                if self._clock() > deadline:
                    raise self._http.ReadTimeout(f"no whole answer within {TOTAL_SECONDS:g} s")
            return response.status_code, response.headers, body.decode("utf-8", "replace")

    def _failed(self, reason: str) -> str:
        """A message with model, reason and remedy, and without the key."""
        said = " ".join(reason.split())[:300]
        if self._key:
            said = said.replace(self._key, "[key]")
        return f"the model {self._name!r} gave no {self._gives} ({said}); {self._advice}"


class EndpointModel:
    """A model behind an address; asked for the first time when somebody needs an answer."""

    path: ClassVar[str]
    """What follows the address."""
    gives: ClassVar[str]
    """What an answer holds, in a word."""
    advice: ClassVar[str]
    """What to check when there is no answer."""

    def __init__(
        self,
        model: str,
        url: str,
        key: str = "",
        *,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = address_name(model, url)
        self._model = model
        self._endpoint = Endpoint(
            self.name,
            f"{url.rstrip('/')}/{self.path}",
            key,
            gives=self.gives,
            advice=self.advice,
            sleep=sleep,
            clock=clock,
        )


def address_name(model: str, url: str) -> str:
    """Model and address; nothing that may be secret, such as a query, is part of it."""
    try:
        parts = urlsplit(url)
        place = f"{parts.hostname or ''}{f':{parts.port}' if parts.port else ''}{parts.path}"
    except ValueError:  # no address at all; whoever makes the model refuses it
        place = ""
    return f"openai:{model}@{place.rstrip('/')}"


def is_address(url: str) -> bool:
    """Whether a text is an address without a password in it."""
    try:
        parts = urlsplit(url)
        is_whole = parts.scheme in ("http", "https") and bool(parts.hostname)
        return is_whole and not parts.username and (parts.port or 1) > 0
    except ValueError:
        return False


def _said(body: str) -> str:
    """The endpoint's own words about a failure."""
    try:
        error = loads(body)["error"]
        return str(error["message"] if isinstance(error, dict) else error)[:200]
    except (ValueError, TypeError, KeyError):
        return body[:200]


def retry_after(value: str, otherwise: float) -> float:
    """Seconds to wait, as the endpoint wants it: a number or a date."""
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, TypeError):
        return otherwise
