"""The BERTScore of unrelated texts, by token model."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from assay.data.bundled_files import read_bundled_toml


class Baseline(NamedTuple):
    """The mean score of unrelated texts."""

    precision: float
    recall: float
    f1: float


@cache
def bertscore_baseline(model: str) -> Baseline | None:
    """The baseline of a token model; None where it was not measured."""
    table = read_bundled_toml("bertscore_baselines.toml")["baselines"]
    return Baseline(**table[model]) if model in table else None
