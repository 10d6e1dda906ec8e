"""On which days something is open: what is open from Monday to Saturday is closed on Sundays."""

from __future__ import annotations

from collections.abc import Sequence

from assay.data.meaning import meaning_words
from assay.meaning.claim_difference import ClaimDifference
from assay.meaning.exceptions import exception_marks
from assay.meaning.reading import TextReading
from assay.meaning.word_coverage import light_keys
from assay.meaning.word_relations import list_keys

SEVERAL = {"working_days": (1.0, 2.0, 3.0, 4.0, 5.0), "weekend_days": (6.0, 7.0)}
"""List of words → the days that they mean, from 1 for Monday."""
ALL_DAYS = frozenset(day for days in SEVERAL.values() for day in days)


def other_days(
    claim: TextReading, sentences: Sequence[TextReading]
) -> ClaimDifference | bool | None:
    """Whether something is open or closed on the days that a statement names.

    None where it names none, or no sentence about it says when it is open or closed.
    """
    is_open = _is_open(claim)
    if is_open is None or not (days := _days(claim)):
        return None
    own = claim.content.keys() - light_keys() - list_keys("opening", "closing")
    for sentence in sentences:
        told = _is_open(sentence)
        if told is None or (own and own.isdisjoint(sentence.keys)):
            continue
        if not (known := _days(sentence)):
            continue
        if (is_open == told and days <= known) or (is_open != told and days.isdisjoint(known)):
            return True
        if is_open != told or days.isdisjoint(known):
            spans = (0, len(claim.text), 0, len(sentence.text))
            return ClaimDifference("weekday", claim.text, sentence.text, *spans)
    return None


def _is_open(reading: TextReading) -> bool | None:
    """Whether a text says that something is open, or closed; None for both or none."""
    lists = meaning_words().lists
    opens, closes = (
        not lists[name].isdisjoint(reading.spellings) for name in ("opening", "closing")
    )
    if opens == closes or len(reading.scopes) > 1:
        return None
    return opens != bool(reading.scopes)


def _days(reading: TextReading) -> frozenset[float] | None:
    """The days that a text names; "daily except Mondays" names all others.

    None where something else than days is an exception.
    """
    lists = meaning_words().lists
    marks = exception_marks(reading) | {"but"}
    first = next((w.start for w in reading.words if w.text in marks), len(reading.text))
    days = [(f.start, f.value) for f in reading.figures if f.kind == "weekday"]
    for name, meant in SEVERAL.items():
        days += [(w.start, day) for w in reading.words if w.text in lists[name] for day in meant]
    excepted = frozenset(day for start, day in days if start > first)
    if first < len(reading.text) and not excepted:
        return None
    named = frozenset(day for start, day in days if start < first)
    return (named or ALL_DAYS) - excepted if excepted else named
