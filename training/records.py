"""Reads the labelled records, and splits them so that no group stands on both sides."""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import numpy as np

from assay.evidence.folds import fold_of
from assay.evidence.labelled_records import group_of

Array = Any
"""A numpy array."""
FOLDS = 5
inner_folds: ContextVar[int] = ContextVar("inner_folds", default=FOLDS)
"""In how many folds a model is measured while it is fitted."""


def read_records(folder: Path, name: str) -> list[dict[str, Any]]:
    """The training records of `NAME.jsonl.gz`."""
    return _lines(folder / f"{name}.jsonl.gz")


def read_set(folder: Path, name: str) -> list[dict[str, Any]]:
    """The development half of a labelled set."""
    return _lines(folder / f"{name}.dev.jsonl.gz")


def _lines(path: Path) -> list[dict[str, Any]]:
    if not path.is_file():
        raise SystemExit(f"no such file: {path}; expected a folder of labelled data")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def folds(groups: Sequence[str]) -> Array:
    """The fold of each record; records of one group share it, on any machine."""
    return np.array([fold_of(group, inner_folds.get()) for group in groups])


def write_without(evidence: Path, number: int, count: int, folder: Path) -> None:
    """Write the labelled sets to a folder without the groups of a fold."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for path in sorted(evidence.glob("*.dev.jsonl.gz")):
        kept = [r for r in _lines(path) if fold_of(group_of(r, r["id"]), count) != number]
        with gzip.open(folder / path.name, "wt", encoding="utf-8") as lines:
            lines.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in kept)


def held_out(fold: Array) -> Iterator[tuple[Array, Array]]:
    """For each fold, which records to fit on and which to measure on."""
    for number in np.unique(fold):
        yield np.flatnonzero(fold != number), np.flatnonzero(fold == number)


def fingerprint(*paths: Path) -> dict[str, str]:
    """File name → its hash, for the manifest of a model."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest()[:16] for path in paths}
