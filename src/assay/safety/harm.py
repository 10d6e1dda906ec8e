"""Dangerous instructions, as measures of a text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assay.linear import measure_model
from assay.safety.marks import Mark
from assay.safety.wording import clipped

LEXICON = "dangerous_instructions"
TOPICS = ("weapon", "drug", "cyber crime", "violence", "self-harm", "crime", "harm")
LARGEST = 2.0
"""The wording's logit is cut at this size."""
UNKNOWN = -1.5
"""The wording's logit of scripts that the model does not know: most texts are harmless."""


def kind_of(mark: Mark) -> str:
    """The kind that a pattern stands for, whatever its language."""
    return mark.name.partition(" (")[0]


def topics(marks: Sequence[Mark]) -> list[Mark]:
    """The hits that name a dangerous topic."""
    return [mark for mark in marks if kind_of(mark) in TOPICS]


def measures(text: str, marks: Sequence[Mark], logit: float) -> dict[str, float]:
    """What the fitted model reads: topics, instructions, refusal, prevention, and the wording."""
    kinds = [kind_of(mark) for mark in marks]
    dangerous = len({m.start for m in topics(marks)})
    instructs = kinds.count("steps")
    is_refused = "refused" in kinds
    return {
        "topic": float(dangerous > 0),
        "topics": min(dangerous, 4) / 4,
        "instructed_topic": float(dangerous > 0 and instructs > 0 and not is_refused),
        "refused": float(is_refused),
        "prevention": float(kinds.count("prevention") > 0),
        "ngrams": clipped(text, logit, LARGEST, UNKNOWN),
    }


def probability(row: Mapping[str, float]) -> float:
    """The probability of the fitted model `harm_measures`."""
    return measure_model("harm_measures").probability(row)
