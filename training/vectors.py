"""Cosines of pairs of texts by the bundled embedder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from assay.backends.use import UseEmbedder

Array = Any
"""A numpy array."""


def cosines(pairs: Sequence[tuple[str, str]]) -> Array:
    """The cosine of each pair of normalised texts, from 0 to 1."""
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    vectors = dict(zip(texts, UseEmbedder().embed(texts), strict=True))
    return np.array([min(1.0, max(0.0, float(vectors[a] @ vectors[b]))) for a, b in pairs])
