"""A larger network that learns first, and from whose answers the towers learn: MPNet.

It never ships. Its base is any Hugging Face folder with MPNet's parameters over the uncased
vocabulary of BERT, such as all-mpnet-base-v2; `pack_base` keeps them as bytes.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from training.encoder.network import DROPOUT, TOWERS, packed, unpacked

WIDTH, LAYERS, PARTS, VOCABULARY, PLACES = 768, 12, 12, 30527, 514
EPSILON = 1e-5
FIRST_PLACE = 2
"""Places are counted from here."""
BUCKETS, FARTHEST = 32, 128
"""How many distances between words are told apart, and from where on none are."""
CLS, SEP, PAD, SHIFT = 101, 102, 0, 4
"""Special tokens of the packed examples; any other has a number that is so much higher here."""
SPECIAL = {CLS: 0, SEP: 2, PAD: 1}


class Layer(nn.Module):
    """Attention that also sees how far words are apart, and a wide step."""

    def __init__(self) -> None:
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.norm = nn.LayerNorm(WIDTH, eps=EPSILON)
        self.wide, self.narrow = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
        self.last_norm = nn.LayerNorm(WIDTH, eps=EPSILON)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        batch, length, _ = x.shape
        q, k, v = (
            part(x).view(batch, length, PARTS, WIDTH // PARTS).transpose(1, 2)
            for part in (self.q, self.k, self.v)
        )
        read = functional.scaled_dot_product_attention(q, k, v, attn_mask=bias.to(q.dtype))
        read = self.o(read.transpose(1, 2).reshape(batch, length, WIDTH))
        x = self.norm(x + functional.dropout(read, DROPOUT, self.training))
        made = self.narrow(functional.gelu(self.wide(x)))
        return self.last_norm(x + functional.dropout(made, DROPOUT, self.training))


class Teacher(nn.Module):
    """Token ids to the logits of the heads of all towers."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, WIDTH)
        self.places = nn.Embedding(PLACES, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=EPSILON)
        self.distances = nn.Embedding(BUCKETS, PARTS)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.heads = nn.ModuleDict(
            {
                name: nn.Linear(WIDTH, count)
                for tower in TOWERS.values()
                for name, count in tower.outputs.items()
            }
        )

    def forward(self, ids: Tensor, mask: Tensor, types: Tensor) -> Tensor:
        """The mean state of each text; the parts of a pair are told apart by what parts them."""
        del types
        own = ids + SHIFT
        for theirs, ours in SPECIAL.items():
            own = torch.where(ids == theirs, ours, own)
        at = torch.arange(ids.shape[1], device=ids.device)
        x = self.norm(self.words(own) + self.places(at + FIRST_PLACE)[None])
        x = functional.dropout(x, DROPOUT, self.training)
        near = self.distances(_bucket(at[None, :] - at[:, None])).permute(2, 0, 1)[None]
        bias = near.masked_fill(mask[:, None, None, :] == 0, float("-inf"))
        for layer in self.layers:
            x = layer(x, bias)
        weights = mask[:, :, None].to(x.dtype)
        return (x * weights).sum(1) / weights.sum(1)


def _bucket(distance: Tensor) -> Tensor:
    """The number of a distance: near ones have one each, far ones share."""
    half = BUCKETS // 2
    exact = half // 2
    size = distance.abs()
    far = torch.log(size.clamp(min=1).float() / exact) / math.log(FARTHEST / exact)
    shared = (exact + (far * (half - exact)).long()).clamp(max=half - 1)
    return torch.where(size < exact, size, shared) + half * (distance > 0)


NAMES = {
    "attention.attn.q": "q",
    "attention.attn.k": "k",
    "attention.attn.v": "v",
    "attention.attn.o": "o",
    "attention.LayerNorm": "norm",
    "intermediate.dense": "wide",
    "output.dense": "narrow",
    "output.LayerNorm": "last_norm",
}
OUTSIDE = {
    "words.weight": "embeddings.word_embeddings.weight",
    "places.weight": "embeddings.position_embeddings.weight",
    "norm.weight": "embeddings.LayerNorm.weight",
    "norm.bias": "embeddings.LayerNorm.bias",
    "distances.weight": "encoder.relative_attention_bias.weight",
}


def pack_base(folder: Path, out: Path) -> None:
    """Write the parameters of `model.safetensors` in bytes, under our names."""
    from safetensors.numpy import load_file

    given = load_file(str(folder / "model.safetensors"))
    state = {ours: given[theirs] for ours, theirs in OUTSIDE.items()}
    for number in range(LAYERS):
        for theirs, ours in NAMES.items():
            for kind in ("weight", "bias"):
                value = given[f"encoder.layer.{number}.{theirs}.{kind}"]
                state[f"layers.{number}.{ours}.{kind}"] = value
    np.savez_compressed(out, **packed(state))


def teacher_state(path: str) -> dict[str, Any]:
    """What `pack_base` wrote, as parameters."""
    with np.load(path, allow_pickle=False) as file:
        given = unpacked({name: file[name] for name in file.files})
    return {name: torch.from_numpy(value) for name, value in given.items()}
