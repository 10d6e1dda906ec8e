"""Models behind small protocols, loaded when a feature first asks them."""

from assay.backends.choice import Backends
from assay.backends.judge_settings import JudgeSettings
from assay.backends.protocols import (
    Classifier,
    Comparer,
    Embedder,
    Encoder,
    Judge,
    TokenEmbedder,
    TokenVectors,
    Vector,
    Verifier,
)

__all__ = [
    "Backends",
    "Classifier",
    "Comparer",
    "Embedder",
    "Encoder",
    "Judge",
    "JudgeSettings",
    "TokenEmbedder",
    "TokenVectors",
    "Vector",
    "Verifier",
]
