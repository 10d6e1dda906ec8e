"""What applies on a day, where a passage says what applies from a date on and what before it."""

from __future__ import annotations

from collections.abc import Sequence

from assay.meaning.claim_difference import ClaimDifference
from assay.meaning.figures import Figure, measure_of
from assay.meaning.parts import Part, passage_parts
from assay.meaning.reading import TextReading

MOST_WORDS = 30
"""Longer statements are not read."""


def applied_on(
    claim: TextReading, sentences: Sequence[TextReading]
) -> ClaimDifference | bool | None:
    """Whether the amount of a statement applies on its date; None where that is open.

    "From 1 July it will be 12 euros; until then it is 10" says that it is 10 euros in May.
    """
    days = [figure for figure in claim.figures if figure.kind == "date"]
    if len(days) != 1 or not days[0].date[1] or days[0].limit or claim.denies:
        return None
    amounts = [f for f in claim.figures if f.kind == "number" and f.unit.dimension]
    if len(amounts) != 1 or amounts[0].limit or len(claim.words) > MOST_WORDS:
        return None
    parts = passage_parts(sentences)
    changes = [(part, day, new) for part in parts for day, new in _changes(part, amounts[0])]
    if len(changes) != 1:
        return None
    part, day, new = changes[0]
    others = [f for one in parts for f in _alike(one, amounts[0]) if not f.equals(new)]
    is_later = _is_later(days[0].date, day.date)
    if is_later is None or len({f.value * f.unit.factor for f in others}) != 1:
        return None
    if amounts[0].equals(new) == is_later:
        return True if is_later or amounts[0].equals(others[0]) else None
    if not amounts[0].equals(others[0]) and not amounts[0].equals(new):
        return None
    sentence = sentences[part.sentence]
    spans = (amounts[0].start, amounts[0].end, part.start, part.end)
    return ClaimDifference("number", claim.quote(*spans[:2]), sentence.quote(*spans[2:]), *spans)


def _changes(part: Part, amount: Figure) -> list[tuple[Figure, Figure]]:
    """The date of a part with the amount that applies from it on."""
    days = [f for f in part.figures if f.kind == "date" and f.date[1] and f.limit != "most"]
    alike = _alike(part, amount)
    return [(days[0], alike[-1])] if len(days) == 1 and alike else []


def _alike(part: Part, amount: Figure) -> list[Figure]:
    """The amounts of a part in the measure of another one."""
    measure = measure_of(amount.unit.dimension)
    numbers = [f for f in part.figures if f.kind == "number"]
    return [f for f in numbers if measure_of(f.unit.dimension) == measure]


def _is_later(date: tuple[int, int, int], start: tuple[int, int, int]) -> bool | None:
    """Whether a date, which may be a month, is not before another one; None where it is both."""
    if date[0] and start[0] and date[0] != start[0]:
        return date[0] > start[0]
    if date[1] != start[1]:
        return date[1] > start[1]
    if not date[2]:
        return True if start[2] <= 1 else None
    return date[2] >= start[2]
