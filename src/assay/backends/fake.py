"""A model for tests: deterministic, instant, and alike for texts that share words."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from assay.backends.protocols import Tokens, Vector
from assay.core.extras import require

DIMENSIONS = 64


class FakeModel:
    """Stands in for every back-end: hashed words are its vectors, word lists its labels."""

    name = "fake"
    threshold: float | None = None

    def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        return [_unit(sum((_vector(word) for word in text.split()), _zeros())) for text in texts]

    def embed_tokens(self, texts: Sequence[str]) -> Sequence[Tokens]:
        numpy = require("numpy", "models")
        found = []
        for text in texts:
            words = text.split()
            vectors = [_unit(_vector(word)) for word in words] or [_zeros()]
            found.append(Tokens(words, numpy.stack(vectors)[: len(words)]))
        return found

    def classify(self, texts: Sequence[str]) -> Sequence[Mapping[str, float]]:
        return [{"toxic": 1.0 if "hate" in text.lower() else 0.0} for text in texts]

    def translate(self, texts: Sequence[str], source: str, target: str) -> Sequence[str]:
        return list(texts)


def make_fake(argument: str) -> FakeModel:
    """The fake; it takes no argument."""
    return FakeModel()


def _vector(word: str) -> Vector:
    """A vector that depends on the word alone."""
    numpy = require("numpy", "models")
    digest = hashlib.blake2b(word.lower().encode("utf-8", "surrogatepass"), digest_size=DIMENSIONS)
    return numpy.frombuffer(digest.digest(), numpy.uint8).astype(numpy.float32) - 127.5


def _zeros() -> Vector:
    return require("numpy", "models").zeros(DIMENSIONS, "float32")


def _unit(vector: Vector) -> Vector:
    length = float((vector @ vector) ** 0.5)
    return vector / length if length else vector
