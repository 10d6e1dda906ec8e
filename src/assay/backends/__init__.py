"""Models behind small protocols, loaded when a feature first asks them."""

from assay.backends.choice import Backends
from assay.backends.judging import Judging
from assay.backends.protocols import (
    Classifier,
    Comparer,
    Embedder,
    Judge,
    TokenEmbedder,
    Tokens,
    Vector,
    Verifier,
)

__all__ = [
    "Backends",
    "Classifier",
    "Comparer",
    "Embedder",
    "Judge",
    "Judging",
    "TokenEmbedder",
    "Tokens",
    "Vector",
    "Verifier",
]
