"""The encoder: BERT with a linear head for each question on the mean of its states."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

WIDTH, PARTS, VOCABULARY, PLACES = 384, 12, 30522, 512
EPSILON = 1e-12
DROPOUT = 0.1
SMALL = 10_000
"""Numbers up to which a matrix is kept as it is."""


class Tower(NamedTuple):
    """One stack of layers, and what its heads give."""

    layers: int
    outputs: dict[str, int]
    """Head → how many numbers."""


TOWERS = {
    "pairs": Tower(9, {"support": 3, "correctness": 1, "relevance": 1, "refusal": 1}),
    "texts": Tower(6, {"toxicity": 1, "injection": 1, "bias": 1, "harm": 1}),
}
"""Two towers over the same word vectors; the layers are the lowest of the base."""


class Layer(nn.Module):
    """Attention and a wide step, each added to what came in."""

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(WIDTH, WIDTH) for _ in range(3))
        self.joined = nn.Linear(WIDTH, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=EPSILON)
        self.wide, self.narrow = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
        self.last_norm = nn.LayerNorm(WIDTH, eps=EPSILON)
        self.dropout = dropout

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        batch, length, _ = x.shape
        q, k, v = (
            part(x).view(batch, length, PARTS, WIDTH // PARTS).transpose(1, 2)
            for part in (self.query, self.key, self.value)
        )
        read = functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        read = self.joined(read.transpose(1, 2).reshape(batch, length, WIDTH))
        x = self.norm(x + functional.dropout(read, self.dropout, self.training))
        made = self.narrow(functional.gelu(self.wide(x)))
        return self.last_norm(x + functional.dropout(made, self.dropout, self.training))


class Encoder(nn.Module):
    """Token ids to the logits of every head of a tower."""

    def __init__(self, tower: Tower) -> None:
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, WIDTH)
        self.places = nn.Embedding(PLACES, WIDTH)
        self.types = nn.Embedding(2, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=EPSILON)
        self.layers = nn.ModuleList(Layer(DROPOUT) for _ in range(tower.layers))
        self.heads = nn.ModuleDict(
            {name: nn.Linear(WIDTH, count) for name, count in tower.outputs.items()}
        )
        for head in self.heads.values():  # alike in every training, so that results can be averaged
            nn.init.zeros_(head.weight)
            nn.init.zeros_(head.bias)
        self.dropout = DROPOUT

    def forward(self, ids: Tensor, mask: Tensor, types: Tensor) -> Tensor:
        """The mean state of each text."""
        return self.read(self.words(ids), mask, types)

    def read(self, vectors: Tensor, mask: Tensor, types: Tensor) -> Tensor:
        """The mean state of each text, given the vectors of its words."""
        at = torch.arange(vectors.shape[1], device=vectors.device)
        x = self.norm(vectors + self.places(at)[None] + self.types(types))
        x = functional.dropout(x, self.dropout, self.training)
        seen = mask[:, None, None, :].bool()
        for layer in self.layers:
            x = layer(x, seen)
        weights = mask[:, :, None].to(x.dtype)
        return (x * weights).sum(1) / weights.sum(1)


NAMES = {
    "attention.self.query": "query",
    "attention.self.key": "key",
    "attention.self.value": "value",
    "attention.output.dense": "joined",
    "attention.output.LayerNorm": "norm",
    "intermediate.dense": "wide",
    "output.dense": "narrow",
    "output.LayerNorm": "last_norm",
}
OUTSIDE = {
    "words.weight": "embeddings.word_embeddings.weight",
    "places.weight": "embeddings.position_embeddings.weight",
    "types.weight": "embeddings.token_type_embeddings.weight",
    "norm.weight": "embeddings.LayerNorm.weight",
    "norm.bias": "embeddings.LayerNorm.bias",
}


def base_state(path: str, layers: int) -> dict[str, Any]:
    """The parameters of a base encoder, whole or in bytes, under our names."""
    with np.load(path, allow_pickle=False) as file:
        given = unpacked({name: file[name] for name in file.files})
    state = {ours: torch.from_numpy(given[theirs]) for ours, theirs in OUTSIDE.items()}
    for number in range(layers):
        for theirs, ours in NAMES.items():
            for kind in ("weight", "bias"):
                value = given[f"encoder.layer.{number}.{theirs}.{kind}"]
                state[f"layers.{number}.{ours}.{kind}"] = torch.from_numpy(np.array(value))
    return state


def packed(arrays: dict[str, Any]) -> dict[str, Any]:
    """Matrices as bytes with a scale a row, the rest as it is."""
    found = {}
    for name, value in arrays.items():
        if value.ndim == 2 and value.size > SMALL:
            scale = np.abs(value).max(1, keepdims=True) / 127
            scale[scale == 0] = 1
            found[f"{name}#q"] = np.clip(np.round(value / scale), -127, 127).astype(np.int8)
            found[f"{name}#s"] = scale.astype(np.float32)
        else:
            found[name] = value.astype(np.float32)
    return found


def unpacked(arrays: dict[str, Any]) -> dict[str, Any]:
    """The reverse of `packed`."""
    found = {name: value for name, value in arrays.items() if "#" not in name}
    for name in arrays:
        if name.endswith("#q"):
            key = name.removesuffix("#q")
            found[key] = arrays[name].astype(np.float32) * arrays[f"{key}#s"]
    return found
