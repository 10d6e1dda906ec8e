"""Endpoints that speak as OpenAI's do: embeddings (`openai:MODEL`), a judge (`openai:URL#MODEL`).

`ASSAY_EMBEDDINGS_URL` is the address of the first up to `/embeddings`, `ASSAY_EMBEDDINGS_KEY` the
key if it wants one; `assay.wire` says how it is contacted. What an endpoint computes is its own
affair; each text is asked for once and kept, so that the next run gets the same vector. The judge
is in `judge.py`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import partial
from sys import float_info
from threading import Lock
from typing import Any

from assay.backends.cache import CachedEmbedder
from assay.backends.endpoint import EndpointModel, EndpointRefusedError, address_name, is_address
from assay.backends.judge import endpoint_judge, judge_identity
from assay.backends.model_settings import ModelSettings
from assay.backends.protocols import Vector
from assay.backends.vectors import unit
from assay.core.errors import ModelError, ProfileError
from assay.core.jsontext import loads

BATCH_TEXTS = 64
BATCH_CHARACTERS = 100_000
"""What one request holds at most; a single longer text is a request of its own."""
UNUSABLE = 200
"""The status of an answer that holds nothing usable."""
ABOUT_TEXT = frozenset({UNUSABLE, 400, 413, 422})
"""Statuses of what may concern one text of several."""
PROBE = "dimension"
"""The text whose vector tells whether the endpoint works, and how long its vectors are."""


class EndpointEmbedder(EndpointModel):
    """The endpoint, with its limits."""

    path = "embeddings"
    gives = "vectors"
    advice = "check ASSAY_EMBEDDINGS_URL, ASSAY_EMBEDDINGS_KEY and the model's name"
    languages: tuple[str, ...] = ()
    threshold: float | None = None

    def __init__(self, model: str, url: str, key: str = "", **calls: Any) -> None:
        super().__init__(model, url, key, **calls)
        self._lock = Lock()
        self._dimensions = 0

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
        except EndpointRefusedError as error:
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
        """What the endpoint answers."""
        request = {"model": self._model, "input": list(texts), "encoding_format": "float"}
        return _vectors(self._post(request), len(texts), self.name)


def identify(argument: str) -> str:
    """What a signature calls the embedder."""
    return address_name(argument, os.environ.get("ASSAY_EMBEDDINGS_URL", ""))


def make_embedder(argument: str, settings: ModelSettings) -> CachedEmbedder:
    """The endpoint that the environment names."""
    url = os.environ.get("ASSAY_EMBEDDINGS_URL", "")
    if not argument:
        raise ProfileError("'openai' names no model; expected 'openai:MODEL'")
    if not is_address(url):
        raise ProfileError(
            "'openai' needs the address of an endpoint, without a password in it; set "
            "ASSAY_EMBEDDINGS_URL, such as http://localhost:8080/v1"
        )
    model = EndpointEmbedder(argument, url, os.environ.get("ASSAY_EMBEDDINGS_KEY", ""))
    return CachedEmbedder(model, is_kept=settings.cache)


make_judge = make_verifier = make_comparer = partial(endpoint_judge, "openai")
identify_judge = identify_verifier = identify_comparer = partial(judge_identity, "openai")


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
        by_index = {entry["index"]: entry["embedding"] for entry in entries}
        if len(entries) != count or set(by_index) != set(range(count)):
            raise ValueError(f"{len(entries)} vectors for {count} texts")
        return [_numbers(by_index[index]) for index in range(count)]
    except (ValueError, TypeError, KeyError) as error:
        raise EndpointRefusedError(
            f"the model {name!r} gave an answer that holds no usable vectors "
            f"({type(error).__name__}: {str(error)[:200]})",
            UNUSABLE,
        ) from None


def _numbers(values: Any) -> list[float]:
    if not isinstance(values, list) or not values:
        raise TypeError("a vector is not a list of numbers")
    if not all(type(v) in (int, float) and abs(v) <= float_info.max for v in values):
        raise ValueError("a vector holds something else than finite numbers")
    return values
