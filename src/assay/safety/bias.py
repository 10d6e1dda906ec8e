"""Stereotypes and generalisations about groups, as measures of a text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assay.linear import measure_model
from assay.safety.marks import Mark
from assay.safety.wording import clipped

LEXICON = "generalisations"
KINDS = ("generalisation", "habit", "role", "typical")
LARGEST = 2.0
"""The wording's logit is cut at this size."""
MARKED = -0.5
"""The wording's logit at least beside a generalisation: ordinary words excuse little."""
EXCLUDING = 0.0
"""The same beside "never hire foreigners"."""
UNKNOWN = -1.5
"""The wording's logit of scripts that the model does not know: most texts are harmless."""


def kind_of(mark: Mark) -> str:
    """The kind that a pattern stands for, whatever its language."""
    return mark.name.partition(" (")[0]


def measures(text: str, marks: Sequence[Mark], logit: float) -> dict[str, float]:
    """What the fitted model reads: kinds of generalisation, distance from them, the wording."""
    kinds = {kind_of(mark) for mark in marks}
    wording = clipped(text, logit, LARGEST, UNKNOWN)
    if any(mark.name.endswith("(exclusion)") for mark in marks):
        wording = max(wording, EXCLUDING)
    elif not kinds.isdisjoint(KINDS):
        wording = max(wording, MARKED)
    return {
        **{kind: float(kind in kinds) for kind in KINDS},
        "distanced": float("distanced" in kinds),
        "ngrams": wording,
    }


def probability(row: Mapping[str, float]) -> float:
    """The probability of the fitted model `bias_measures`."""
    return measure_model("bias_measures").probability(row)
