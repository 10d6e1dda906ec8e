"""The weights by which measures of a claim against its contexts become a support from 0 to 1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp

from assay.data.bundled_files import read_toml


@dataclass(frozen=True, slots=True)
class Weights:
    """A logistic combination of measures."""

    bias: float
    weights: Mapping[str, float]
    """Measure → what it adds per unit."""

    def support(self, measures: Mapping[str, float]) -> float:
        """The combination, from 0 to 1."""
        total = self.bias + sum(w * measures[name] for name, w in self.weights.items())
        return 1.0 / (1.0 + exp(-max(-60.0, min(60.0, total))))


@cache
def verifier_weights(kind: str) -> Weights:
    """The bundled weights: `lexical` for words alone, `semantic` with an embedder's cosine."""
    text = (files("assay") / "data" / "verifier.toml").read_text(encoding="utf-8")
    table = read_toml(text, "verifier.toml")[kind]
    return Weights(float(table["bias"]), {name: float(w) for name, w in table["weights"].items()})
