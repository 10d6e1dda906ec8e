"""The fitted models: how their files are read, checked and applied.

`data/models/NAME.npz` holds the weights of hashed n-grams as bytes, `data/models/NAME.json` the
weights of named measures. `data/models/sha256.json` names the hash of each; a file that does not
fit its hash is refused. Evidence reads models from another folder for a while (`models_from`):
those that were fitted without the records that it measures.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from io import BytesIO
from math import exp, sqrt
from operator import mul
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from assay.core.errors import DataError
from assay.linear.ngrams import Ngrams, hashed_ngrams

Array = Any
"""A numpy array."""
HASHES = "sha256.json"


class ModelPlace(NamedTuple):
    """A folder of models, and whether one that is not there is the bundled one."""

    folder: Path
    falls_back: bool


_folder: ContextVar[ModelPlace | None] = ContextVar("models_folder", default=None)
"""Where models are read from; None for the bundled ones."""


def logistic(logit: float) -> float:
    """The probability of a logit, from 0 to 1."""
    return 1.0 / (1.0 + exp(-max(-60.0, min(60.0, logit))))


@dataclass(frozen=True, slots=True)
class Contribution:
    """How much a stretch of a text adds to the logit."""

    start: int
    end: int
    weight: float


@dataclass(frozen=True, slots=True)
class NgramModel:
    """A logistic model over the hashed n-grams of a text.

        logit = bias + scale · Σ weight(n-gram) / √(distinct n-grams)

    Every n-gram counts once, however often it occurs.
    """

    name: str
    weights: Array
    """One byte a bucket."""
    scale: float
    bias: float

    def logit(self, text: str) -> float:
        """The logit of a lower-cased normalised text."""
        return self._logit(hashed_ngrams(text))

    def probability(self, text: str) -> float:
        """The probability of a lower-cased normalised text."""
        return logistic(self.logit(text))

    def logit_of(self, ngrams: Ngrams) -> float:
        """The logit of a text whose n-grams are known."""
        return self._logit(ngrams)

    def contributions(
        self, text: str, limit: int, ngrams: Ngrams | None = None
    ) -> Sequence[Contribution]:
        """The words that raise the logit most, the strongest first, at most `limit`.

        A word gets the weight of the n-grams that lie inside it. `ngrams` saves hashing the text
        again.
        """
        result = hashed_ngrams(text) if ngrams is None else ngrams
        if not len(result.buckets):
            return ()
        factor = self.scale / sqrt(len(result.distinct))
        weights = self.weights[result.buckets].astype(float) * factor
        sums = np.zeros(len(text) + 1)
        np.add.at(sums, result.starts, weights)
        words = _words(text)
        inside = [Contribution(start, end, float(sums[start:end].sum())) for start, end in words]
        strongest = sorted(inside, key=lambda part: (-part.weight, part.start))
        return [part for part in strongest if part.weight > 0][:limit]

    def _logit(self, ngrams: Ngrams) -> float:
        if not len(ngrams.buckets):
            return self.bias
        distinct = ngrams.distinct
        total = int(self.weights[distinct].sum(dtype=np.int64))
        return self.bias + self.scale * total / sqrt(len(distinct))


@dataclass(frozen=True, slots=True)
class MeasureModel:
    """A logistic model over named measures.

    logit = bias + Σ weight · measure
    """

    name: str
    bias: float
    weights: Mapping[str, float]
    """Measure → what it adds per unit; those that add nothing are left out."""

    def logit(self, measures: Mapping[str, float]) -> float:
        """The logit; every measure that has a weight must be given."""
        given = map(measures.__getitem__, self.weights)
        total: float = sum(map(mul, self.weights.values(), given))
        return self.bias + total

    def probability(self, measures: Mapping[str, float]) -> float:
        """The probability, from 0 to 1."""
        return logistic(self.logit(measures))


def ngram_model(name: str) -> NgramModel:
    """The n-gram model of that name."""
    return _ngram_model(name, _folder.get())


def measure_model(name: str) -> MeasureModel:
    """The model over measures of that name."""
    return _measure_model(name, _folder.get())


@contextmanager
def models_from(folder: Path, *, falls_back: bool = False) -> Iterator[None]:
    """Read models from a folder inside; with `falls_back` the bundled one where it lacks one."""
    token = _folder.set(ModelPlace(folder, falls_back))
    try:
        yield
    finally:
        _folder.reset(token)


def models_place() -> ModelPlace | None:
    """Where models are read from now; None for the bundled ones."""
    return _folder.get()


@cache
def _ngram_model(name: str, place: ModelPlace | None) -> NgramModel:
    with np.load(BytesIO(checked_file(f"{name}.npz", place)), allow_pickle=False) as arrays:
        return NgramModel(name, arrays["weights"], float(arrays["scale"]), float(arrays["bias"]))


@cache
def _measure_model(name: str, place: ModelPlace | None) -> MeasureModel:
    table = json.loads(checked_file(f"{name}.json", place))
    used = {measure: weight for measure, weight in table["weights"].items() if weight}
    return MeasureModel(name, float(table["bias"]), used)


def checked_file(name: str, place: ModelPlace | None) -> bytes:
    """The bytes of a model's file; one that was changed is refused."""
    folder: Traversable = files("assay") / "data" / "models"
    if place and (place.folder / name).is_file():
        folder = place.folder
    elif place and not place.falls_back:
        raise DataError(
            f"no model {name!r} in {str(place.folder)!r}; expected one fitted without the records "
            "that are scored: python -m training --folds DIR"
        )
    content = (folder / name).read_bytes()
    expected = json.loads((folder / HASHES).read_text(encoding="utf-8")).get(name)
    if hashlib.sha256(content).hexdigest() != expected:
        raise DataError(
            f"the model file {name!r} does not have the hash that {HASHES} states; "
            "install Assay again, or train the model again with: make train"
        )
    return content


def _words(text: str) -> list[tuple[int, int]]:
    places: list[tuple[int, int]] = []
    start = 0
    for part in text.split(" "):
        if part:
            places.append((start, start + len(part)))
        start += len(part) + 1
    return places
