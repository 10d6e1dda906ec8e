"""Models behind small protocols, loaded when a feature first asks them."""

from assay.backends.choice import Backends
from assay.backends.protocols import (
    Classifier,
    Embedder,
    Judge,
    TokenEmbedder,
    Tokens,
    Translator,
    Vector,
    Verifier,
)

__all__ = [
    "Backends",
    "Classifier",
    "Embedder",
    "Judge",
    "TokenEmbedder",
    "Tokens",
    "Translator",
    "Vector",
    "Verifier",
]
