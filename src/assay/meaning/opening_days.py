"""On which days, and when on them: what is open from Monday to Saturday is closed on Sundays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from assay.data.meaning import meaning_words
from assay.meaning.claim_difference import ClaimDifference
from assay.meaning.exceptions import exception_marks
from assay.meaning.figures import Figure
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
    if any(excepted and excepted <= claim.keys for excepted in map(_excepted, sentences)):
        return None
    has_hours = bool(_times(claim.stated_figures))
    own = claim.content.keys() - light_keys() - list_keys("opening", "closing")
    for sentence in sentences:
        told = _is_open(sentence)
        if told is None or (own and own.isdisjoint(sentence.keys)):
            continue
        if not (known := _days(sentence)):
            continue
        if (is_open == told and days <= known) or (is_open != told and days.isdisjoint(known)):
            return None if has_hours else True
        if is_open != told or days.isdisjoint(known):
            spans = (0, len(claim.text), 0, len(sentence.text))
            return ClaimDifference("weekday", claim.text, sentence.text, *spans)
    return None


def other_hours(claim: TextReading, sentences: Sequence[TextReading]) -> ClaimDifference | None:
    """A day of the statement to which a sentence gives another time than the statement does.

    "Until 6 pm from Tuesday to Sunday, and until 9 pm on Thursdays" is against "until 9 pm on
    Fridays".
    """
    days, times = _named_days(claim.stated_figures), _times(claim.stated_figures)
    if not days or not times or claim.scopes:
        return None
    for sentence in sentences:
        hours = _hours(sentence)
        if not any(days.keys() <= part.days.keys() for part in hours):
            continue
        for time in times:
            told = [part for part in hours if any(map(time.equals, part.times))]
            if told and all(p.days and p.days.keys().isdisjoint(days) for p in told):
                own, other = next(iter(days.values())), next(iter(told[0].days.values()))
                spans = (own.start, own.end, other.start, other.end)
                quoted = claim.quote(*spans[:2]), sentence.quote(*spans[2:])
                return ClaimDifference("weekday", *quoted, *spans)
    return None


class _Hours(NamedTuple):
    """What a part of a sentence says of opening hours."""

    days: dict[float, Figure]
    times: list[Figure]

    def __add__(self, other: object) -> _Hours:
        assert isinstance(other, _Hours)
        return _Hours(self.days | other.days, self.times + other.times)


def _hours(sentence: TextReading) -> list[_Hours]:
    """The times of day in a sentence, each with the days before or beside it.

    Where times come first, the days that belong to them follow: "10 to 6, Monday to Friday".
    """
    joining = meaning_words().lists["and"]
    starts = [two.start for one, two in pairwise(sentence.words) if two.clause != one.clause]
    starts += [word.start for word in sentence.words if word.text in joining]
    result: list[_Hours] = []
    is_late = False
    for start, end in pairwise((0, *sorted(starts), len(sentence.text))):
        own = [figure for figure in sentence.stated_figures if start <= figure.start < end]
        part = _Hours(_named_days(own), _times(own))
        if not any(part):
            continue
        is_late = is_late or (not result and not part.days)
        is_more = bool(result) and (
            not result[-1].times
            or (not part.days and not is_late)
            or (not part.times and not result[-1].days)
        )
        result.append(result.pop() + part if is_more else part)
    return result


def _named_days(figures: Iterable[Figure]) -> dict[float, Figure]:
    return {figure.value: figure for figure in figures if figure.kind == "weekday"}


def _times(figures: Iterable[Figure]) -> list[Figure]:
    return [figure for figure in figures if figure.kind == "time"]


def _excepted(sentence: TextReading) -> frozenset[str]:
    """What else than days is an exception in a sentence: "except on public holidays"."""
    marks = exception_marks(sentence)
    if marks.isdisjoint(sentence.texts):
        return frozenset()
    first = next(place for place, word in enumerate(sentence.words) if word.text in marks)
    behind = sentence.words[first + 1 :]
    if behind and any(
        day.start >= behind[0].start for day in _named_days(sentence.figures).values()
    ):
        return frozenset()
    return frozenset(word.key for word in behind if not word.is_empty)


def _is_open(reading: TextReading) -> bool | None:
    """Whether a text says that something is open, or closed; None for both or none."""
    lists = meaning_words().lists
    opens, closes = (
        not lists[name].isdisjoint(reading.spellings) for name in ("opening", "closing")
    )
    if opens == closes or len(reading.scopes) > 1:
        return None
    for scope in reading.scopes:
        denied = next((w for w in reading.words[scope.first : scope.last] if not w.is_empty), None)
        if denied is None or (lists["opening"] | lists["closing"]).isdisjoint(
            (denied.text, denied.bare)
        ):
            return None  # "I don't know when it opens"
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
