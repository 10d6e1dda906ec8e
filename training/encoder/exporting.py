"""Writes trained towers as ONNX files of bytes, with a tokenizer and a manifest.

Matrices are quantised to seven bits: the products of eight-bit weights and activations overflow on
processors without VNNI. The tower of pairs multiplies them with activations that are not rounded,
so that the same text gets the same value on any processor; the tower of texts rounds those to
bytes, which is twice as fast.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from training.encoder.graph import with_float_products, without_mask
from training.encoder.learning import ANSWERS, learnt_of, mean_weights
from training.encoder.network import (
    TOWERS,
    VOCABULARY,
    WIDTH,
    Encoder,
    base_state,
    packed,
)
from training.encoder.temperatures import temperatures

NAME, VERSION = "assay-encoder", "5"
OPSET = 17
WORDS = "embeddings.word_embeddings.weight"
MAX_TOKENS = {"support": 320, "correctness": 192, "relevance": 192, "refusal": 192}
TEXT_TOKENS = 192
LONGEST = {"pairs": 320, "texts": 192}
"""Tower → tokens that it can read at most."""
EXACT = ("pairs",)
"""Towers whose activations are not rounded."""
WORD_FILE = "words.bin"
"""The word vectors in bytes, which both towers read."""
FILES = ("pairs.onnx", "texts.onnx", WORD_FILE, "tokenizer.json")
LABELS = {"support": ["entailed", "open", "contradicted"]}


class Rows(nn.Module):
    """A table of vectors in bytes, with a scale a row."""

    def __init__(self, values: Any, scales: Any) -> None:
        super().__init__()
        self.register_buffer("values", torch.from_numpy(values))
        self.register_buffer("scales", torch.from_numpy(scales))

    def forward(self, rows: Tensor) -> Tensor:
        return self.values[rows].float() * self.scales[rows]


class Towered(nn.Module):
    """A tower over the shared table of word vectors."""

    def __init__(self, name: str, words: Rows, base: Path, weights: Sequence[Path]) -> None:
        super().__init__()
        tower = TOWERS[name]
        model = Encoder(tower)
        model.load_state_dict(base_state(str(base), tower.layers), strict=False)
        unknown = model.load_state_dict(mean_weights(weights), strict=False).unexpected_keys
        if unknown:
            raise SystemExit(f"{weights[0]} has parameters of another network: {unknown[:3]}")
        places = packed({"places": model.places.weight.detach().numpy()[: LONGEST[name]]})
        model.places = Rows(places["places#q"], places["places#s"])
        self.words, self.tower = words, model.eval()

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Any:
        state = self.tower.read(self.words(input_ids), attention_mask, token_type_ids)
        return tuple(head(state) for head in self.tower.heads.values())


def export(
    work: Path,
    base: Path,
    weights: Mapping[str, Sequence[Path]],
    tokenizer: Path,
    out: Path,
    held: Sequence[Path] = (),
    teacher: Path | None = None,
) -> None:
    """Write the towers, their word vectors, `tokenizer.json` and `manifest.json` to OUT.

    `weights` are the results of each tower's trainings, which are averaged; `held` those of
    trainings that left records out: they give the temperatures. `teacher` is the result of the
    network whose answers the towers learnt from.
    """
    out.mkdir(parents=True, exist_ok=True)
    with np.load(base, allow_pickle=False) as file:
        words = Rows(file[f"{WORDS}#q"], file[f"{WORDS}#s"])
    table = words.values.numpy().tobytes() + words.scales.numpy().tobytes()
    (out / WORD_FILE).write_bytes(table)
    for name, paths in weights.items():
        _write_tower(name, Towered(name, words, base, paths).eval(), out / f"{name}.onnx")
    table = json.loads(tokenizer.read_text(encoding="utf-8"))
    table["truncation"] = table["padding"] = None
    text = json.dumps(table, ensure_ascii=False, separators=(",", ":"))
    (out / "tokenizer.json").write_text(text + "\n", encoding="utf-8")
    learnt = {name: [learnt_of(path) for path in paths] for name, paths in weights.items()}
    if teacher:
        learnt["teacher"] = [learnt_of(teacher / ANSWERS)]
    warmth = temperatures(work, held) if held else {}
    prepared = json.loads((work / "prepared.json").read_text(encoding="utf-8"))
    manifest = {
        "model": NAME,
        "version": VERSION,
        "sha256": {name: _hash(out / name) for name in FILES},
        "heads": {
            head: _head(head, name, warmth.get(head, 1.0))
            for name, tower in TOWERS.items()
            for head in tower.outputs
        },
        "base": "e5-small (MIT), word vectors kept",
        "teacher": "all-mpnet-base-v2 (Apache-2.0)" if teacher else None,
        "data": prepared["sha256"],
        "examples": prepared["examples"],
        "learnt": learnt,
    }
    (out / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    size = sum(path.stat().st_size for path in out.iterdir())
    print(f"wrote {size:,} bytes to {out}")


def _write_tower(name: str, model: Towered, path: Path) -> None:
    import onnx
    from onnx.external_data_helper import set_external_data
    from onnxruntime.quantization import QuantType, quantize_dynamic

    heads = list(model.tower.heads)
    inputs = ["input_ids", "attention_mask", "token_type_ids"]
    sample = tuple(torch.ones(2, 8, dtype=torch.int64) for _ in inputs)
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder, "whole.onnx")
        torch.onnx.export(
            model,
            sample,
            str(whole),
            input_names=inputs,
            output_names=heads,
            dynamic_axes={name: {0: "batch", 1: "length"} for name in inputs}
            | {name: {0: "batch"} for name in heads},
            opset_version=OPSET,
            dynamo=False,
        )
        quantize_dynamic(
            whole,
            path,
            op_types_to_quantize=["MatMul"],
            per_channel=True,
            reduce_range=True,
            weight_type=QuantType.QInt8,
        )
    made = onnx.load(path)
    without_mask(made)
    if name in EXACT:
        with_float_products(made)
    at = 0
    for shape in ([VOCABULARY, WIDTH], [VOCABULARY, 1]):
        table = next(t for t in made.graph.initializer if list(t.dims) == shape)
        size = len(table.raw_data)
        set_external_data(table, location=WORD_FILE, offset=at, length=size)
        table.ClearField("raw_data")
        at += size
    path.write_bytes(made.SerializeToString())


def _head(name: str, tower: str, temperature: float) -> dict[str, Any]:
    template = "pair" if name in MAX_TOKENS else "text"
    return {
        "file": f"{tower}.onnx",
        "outputs": LABELS.get(name, [name]),
        "max_tokens": MAX_TOKENS.get(name, TEXT_TOKENS),
        "template": template,
        "temperature": {"en": temperature},
    }


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
