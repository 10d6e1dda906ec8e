"""Examples as token ids in one file: a machine with a GPU then needs no tokenizer and no texts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from training.encoder.examples import FOLDS, HEADS, Example, examples, sources_of

PAIR_TOKENS, TAIL = 320, 62
"""Tokens of a text that are kept, and how many of them are its last."""


def pack(
    data: Path,
    evidence: Path,
    base: Path,
    tokenizer: Path,
    out: Path,
    exams: Sequence[Path] = (),
) -> None:
    """Write `data.npz` and `prepared.json` to the folder OUT."""
    from tokenizers import Tokenizer

    out.mkdir(parents=True, exist_ok=True)
    found = [*examples(data, evidence, exams)]
    reader = Tokenizer.from_file(str(tokenizer))
    reader.no_truncation()
    reader.no_padding()
    texts = sorted({text for one in found for text in (one.first, one.second)})
    number = {text: place for place, text in enumerate(texts)}
    kept: list[Any] = []
    for start in range(0, len(texts), 4096):
        rows = reader.encode_batch(texts[start : start + 4096], add_special_tokens=False)
        kept.extend(_shortened(row.ids) for row in rows)
    lengths = np.array([len(ids) for ids in kept])
    sources = sources_of(found)
    np.savez_compressed(
        out / "data.npz",
        tokens=np.concatenate(kept).astype(np.uint16),
        ends=np.cumsum(lengths).astype(np.int64),
        first=np.array([number[one.first] for one in found], np.int32),
        second=np.array([number[one.second] for one in found], np.int32),
        head=np.array([HEADS.index(one.head) for one in found], np.int8),
        label=np.array([one.label for one in found], np.int8),
        weight=np.array([one.weight for one in found], np.float32),
        fold=np.array([one.fold for one in found], np.int8),
        source=np.array([sources.index(_name(one)) for one in found], np.int16),
    )
    table = {
        "examples": len(found),
        "folds": FOLDS,
        "heads": list(HEADS),
        "sources": sources,
        "sha256": {
            path.name: hashlib.sha256(path.read_bytes()).hexdigest()
            for path in (base, tokenizer, out / "data.npz")
        },
    }
    (out / "prepared.json").write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    print(f"{len(found):,} examples, {len(texts):,} texts, {int(lengths.sum()):,} tokens")


def _name(one: Example) -> str:
    return f"{one.head}:{one.source}"


def _shortened(ids: list[int]) -> list[int]:
    """Beginning and end of a text that is too long for every head."""
    if len(ids) <= PAIR_TOKENS:
        return ids
    return ids[: PAIR_TOKENS - TAIL] + ids[-TAIL:]
