"""The labels of toxicity classifiers and what each counts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from assay.data.bundled_files import read_toml

_BETWEEN = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class ToxicityLabels:
    """What `toxicity_labels.toml` says."""

    weights: Mapping[str, float]
    """Label → weight, other models' names for the same thing among them."""
    harmless: frozenset[str]
    """Labels that say that a text is not toxic."""
    negations: frozenset[str]
    """First words that turn a label into a harmless one."""
    min_part: int
    """A label that is only part of a known one must have this many characters."""

    def is_harmless(self, label: str) -> bool:
        """Whether the label says that a text is not toxic."""
        name = label_name(label)
        return name in self.harmless or name.partition("_")[0] in self.negations

    def weight(self, label: str) -> float | None:
        """The weight of the known label that is this one, part of it, or that it is part of."""
        name = label_name(label)
        if self.is_harmless(name):
            return None
        if name in self.weights:
            return self.weights[name]
        inside = [known for known in self.weights if known in name]
        around = [known for known in self.weights if len(name) >= self.min_part and name in known]
        if inside:
            return self.weights[max(inside, key=len)]
        return self.weights[min(around, key=len)] if around else None


def label_name(label: str) -> str:
    """The label in lower case with `_` between its words: `Severe Toxic` is `severe_toxic`."""
    return _BETWEEN.sub("_", label.lower()).strip("_")


@cache
def toxicity_labels() -> ToxicityLabels:
    """The bundled table."""
    text = (files("assay") / "data" / "toxicity_labels.toml").read_text(encoding="utf-8")
    table = read_toml(text, "toxicity_labels.toml")
    weights = {name: float(weight) for name, weight in table["weights"].items()}
    aliases = {alias: weights[name] for alias, name in table["aliases"].items()}
    return ToxicityLabels(
        weights | aliases,
        frozenset(table["harmless"]),
        frozenset(table["negations"]),
        int(table["min_part"]),
    )
