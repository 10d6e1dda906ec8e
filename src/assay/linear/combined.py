"""Rules and encoder as one verdict: a logistic model over what each of them says.

`data/models/combined.json` holds one for each question and language, fitted by
`training/combine.py` with weights whose signs are fixed: more of either never lowers the value. A
language without one is judged by the rules alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import log
from typing import Any

from assay.linear.models import ModelPlace, checked_file, logistic, models_place

FILE = "combined.json"
LIMIT = 6.0
"""Logits are kept within this of 0: nothing is surer than 1 in 400."""


@dataclass(frozen=True, slots=True)
class Combiner:
    """How much rules and encoder weigh, and where their verdict is sure enough."""

    bias: float
    weights: Mapping[str, float]
    """Measure → what it adds per unit; `rules` is the logit of the rules' probability."""
    threshold: float
    unsure: tuple[float, float] | None
    """Between these values too many decisions on cases new to the encoder were wrong."""
    most: float = LIMIT
    """The encoder's logit counts within this of 0: it is overconfident on look-alikes."""
    rules_most: float = LIMIT
    """The rules' logit counts within this of 0: they are overconfident on wordings that are new to
    them."""
    sure: float | None = None
    """Rules that lie more than this above their own threshold, in logits, stand: the encoder takes
    nothing from them. None where it always may."""
    is_calibrated: bool = False
    """Whether values on held-out records were close to the share of positive ones among them."""

    def probability(self, measures: Mapping[str, float]) -> float:
        """The combined probability; every measure that has a weight must be given."""
        logit = self.bias + sum(w * measures[name] for name, w in self.weights.items())
        return logistic(logit)


def combiner(question: str, language: str) -> Combiner | None:
    """The combiner of a question for texts of a language; None where none was fitted."""
    return _combiners(models_place()).get((question, language))


def bounded_logit(probability: float) -> float:
    """The logit of a probability, within `LIMIT` of 0."""
    edge = logistic(-LIMIT)
    inside = max(edge, min(1.0 - edge, probability))
    return log(inside / (1.0 - inside))


def bounded(logit: float, most: float = LIMIT) -> float:
    """A logit, within so much of 0."""
    return max(-most, min(most, logit))


@cache
def _combiners(place: ModelPlace | None) -> dict[tuple[str, str], Combiner]:
    table = json.loads(checked_file(FILE, place))
    return {
        (question, language): _combiner(entry)
        for question, languages in table["combiners"].items()
        for language, entry in languages.items()
    }


def _combiner(entry: Mapping[str, Any]) -> Combiner:
    unsure = entry.get("unsure")
    return Combiner(
        float(entry["bias"]),
        entry["weights"],
        float(entry["threshold"]),
        (float(unsure[0]), float(unsure[1])) if unsure else None,
        float(entry.get("most", LIMIT)),
        float(entry.get("rules_most", LIMIT)),
        float(entry["sure"]) if "sure" in entry else None,
        bool(entry.get("calibrated")),
    )
