"""Single cases under a rule with a limit: a dog of 25 kg, where dogs over 20 kg need a muzzle."""

from __future__ import annotations

from assay.data.meaning import meaning_words
from assay.meaning.figures import SPAN, Figure, days_of, measure_of
from assay.meaning.reading import TextReading

BEFORE = 5
"""So many words before a figure the word stands that makes a single case of it: "a stay of"."""


def is_case_of(figure: Figure, claim: TextReading, limit: Figure) -> bool:
    """Whether a figure of a single case lies within a limit."""
    if figure.limit or not limit.limit or figure.kind != "number" or limit.kind != "number":
        return False
    one, two = _amount(figure, limit), _amount(limit, figure)
    if one is None or two is None or not _is_single(figure, claim):
        return False
    return one >= two if limit.limit == "least" else one <= two


def _amount(figure: Figure, other: Figure) -> float | None:
    """The amount in a unit that both have; None where they measure different things."""
    measure = measure_of(figure.unit.dimension)
    if measure != measure_of(other.unit.dimension):
        return None
    return days_of(figure) if measure == SPAN else figure.value * figure.unit.factor


def _is_single(figure: Figure, claim: TextReading) -> bool:
    before = [word.text for word in claim.words if word.end <= figure.start][-BEFORE:]
    return not meaning_words().lists["single_case"].isdisjoint(before)
