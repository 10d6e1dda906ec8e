"""An embeddings endpoint that speaks as OpenAI's does: `openai:MODEL`.

`ASSAY_EMBEDDINGS_URL` is its address up to `/embeddings`, `ASSAY_EMBEDDINGS_KEY` the key if it
wants one. The address is contacted directly: proxies of the environment and redirects are not
followed, so the key goes nowhere else, and it is in no message. What an endpoint computes is its
own affair; each text is asked for once and kept, so that the next run gets the same vector.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from email.utils import parsedate_to_datetime
from math import isfinite
from threading import Lock
from typing import Any
from urllib.parse import urlsplit

from assay.backends.cache import CachedEmbedder
from assay.backends.protocols import Vector
from assay.backends.settings import Settings
from assay.backends.vectors import unit
from assay.core.errors import ModelError, ProfileError
from assay.core.extras import require
from assay.core.jsontext import loads

EXTRA = "endpoint"
BATCH_TEXTS = 64
BATCH_CHARACTERS = 100_000
"""What one request holds at most; a single longer text is a request of its own."""
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
"""The status of an answer without usable vectors."""
ABOUT_TEXT = frozenset({UNUSABLE, 400, 413, 422})
"""Statuses of what may concern one text of several."""
PROBE = "dimension"
"""The text whose vector tells whether the endpoint works, and how long its vectors are."""


class _RefusedError(ModelError):
    """The endpoint has no good answer to this request, whenever it is asked."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class EndpointEmbedder:
    """The endpoint, with its limits; asked for the first time when a text is embedded."""

    languages: tuple[str, ...] = ()
    threshold: float | None = None

    def __init__(
        self,
        model: str,
        url: str,
        key: str = "",
        *,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = _name(model, url)
        self._http = require("httpx2", EXTRA)
        self._client = self._http.Client(
            headers={"Authorization": f"Bearer {key}"} if key else {},
            timeout=self._http.Timeout(READ_SECONDS, connect=CONNECT_SECONDS),
            trust_env=False,
            follow_redirects=False,
        )
        self._model, self._url, self._key = model, f"{url.rstrip('/')}/embeddings", key
        self._sleep, self._clock = sleep, clock
        self._lock = Lock()
        self._dimensions = 0
        self._failure, self._rest_until = "", 0.0

    @property
    def dimensions(self) -> int:
        """The length of the vectors, found out by asking once."""
        with self._lock:
            return self._ready()

    def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        with self._lock:
            if texts:
                self._ready()
            return [vector for batch in _batches(texts) for vector in self._embed(batch)]

    def _ready(self) -> int:
        if not self._dimensions:
            (vector,) = self._ask([PROBE])
            self._dimensions = len(vector)
        return self._dimensions

    def _embed(self, texts: Sequence[str]) -> list[Any]:
        """The vectors of one request; where it is refused, only the texts to blame go without."""
        try:
            return [self._checked(values) for values in self._ask(texts)]
        except _RefusedError as error:
            if error.status not in ABOUT_TEXT:
                raise
            if len(texts) == 1:
                return [error]
            half = len(texts) // 2
            return [*self._embed(texts[:half]), *self._embed(texts[half:])]

    def _checked(self, values: Sequence[float]) -> Vector | ModelError:
        """A vector of length 1, or what is wrong with it."""
        if len(values) != self._dimensions:
            return ModelError(
                f"the model {self.name!r} gave a vector of {len(values)} values after one of "
                f"{self._dimensions}"
            )
        try:
            return unit(values, self.name)
        except ModelError as error:
            return error

    def _ask(self, texts: Sequence[str]) -> list[list[float]]:
        """What the endpoint answers; one that failed is left alone for a while."""
        if self._clock() < self._rest_until:
            raise ModelError(self._failure)
        try:
            return _vectors(self._post(texts), len(texts), self.name)
        except _RefusedError:
            raise
        except ModelError as error:
            self._failure, self._rest_until = str(error), self._clock() + REST_SECONDS
            raise

    def _post(self, texts: Sequence[str]) -> str:
        """The answer's text, after some repetitions if need be."""
        request = {"model": self._model, "input": list(texts), "encoding_format": "float"}
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
                    raise _RefusedError(self._failed(reason), status)
                pause = _retry_after(headers.get("retry-after", ""), wait)
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
        return (
            f"the model {self.name!r} gave no vectors ({said}); check ASSAY_EMBEDDINGS_URL, "
            "ASSAY_EMBEDDINGS_KEY and the model's name"
        )


def identify(argument: str) -> str:
    """What a signature calls it."""
    return _name(argument, os.environ.get("ASSAY_EMBEDDINGS_URL", ""))


def make_embedder(argument: str, settings: Settings) -> CachedEmbedder:
    """The endpoint that the environment names."""
    url = os.environ.get("ASSAY_EMBEDDINGS_URL", "")
    parts = urlsplit(url)
    if not argument:
        raise ProfileError("'openai' names no model; expected 'openai:MODEL'")
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username:
        raise ProfileError(
            "'openai' needs the address of an endpoint, without a password in it; set "
            "ASSAY_EMBEDDINGS_URL, such as http://localhost:8080/v1"
        )
    model = EndpointEmbedder(argument, url, os.environ.get("ASSAY_EMBEDDINGS_KEY", ""))
    return CachedEmbedder(model, is_kept=settings.cache)


def _name(model: str, url: str) -> str:
    """Model and address; nothing that may be secret, such as a query, is part of it."""
    parts = urlsplit(url)
    place = f"{parts.hostname or ''}{f':{parts.port}' if parts.port else ''}{parts.path}"
    return f"openai:{model}@{place.rstrip('/')}"


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for text in texts:
        if batch and (len(batch) == BATCH_TEXTS or size + len(text) > BATCH_CHARACTERS):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += len(text)
    if batch:
        yield batch


def _vectors(body: str, count: int, name: str) -> list[list[float]]:
    """The vectors of an answer, in the order of the texts; anything odd is refused."""
    try:
        entries = loads(body)["data"]
        found = {entry["index"]: entry["embedding"] for entry in entries}
        if len(entries) != count or set(found) != set(range(count)):
            raise ValueError(f"{len(entries)} vectors for {count} texts")
        return [_numbers(found[index]) for index in range(count)]
    except (ValueError, TypeError, KeyError) as error:
        raise _RefusedError(
            f"the model {name!r} gave an answer that holds no usable vectors "
            f"({type(error).__name__}: {str(error)[:200]})",
            UNUSABLE,
        ) from None


def _numbers(values: Any) -> list[float]:
    if not isinstance(values, list) or not values:
        raise TypeError("a vector is not a list of numbers")
    if not all(type(v) in (int, float) and isfinite(v) for v in values):
        raise ValueError("a vector holds something else than finite numbers")
    return values


def _said(body: str) -> str:
    """The endpoint's own words about a failure."""
    try:
        error = loads(body)["error"]
        return str(error["message"] if isinstance(error, dict) else error)[:200]
    except (ValueError, TypeError, KeyError):
        return body[:200]


def _retry_after(value: str, otherwise: float) -> float:
    """Seconds to wait, as the endpoint wants it: a number or a date."""
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, TypeError):
        return otherwise
