"""Models behind small protocols, loaded when a feature first asks them."""

from assay.backends.choice import Backends
from assay.backends.protocols import (
    Classifier,
    Embedder,
    TokenEmbedder,
    Tokens,
    Translator,
    Vector,
)

__all__ = [
    "Backends",
    "Classifier",
    "Embedder",
    "TokenEmbedder",
    "Tokens",
    "Translator",
    "Vector",
]
