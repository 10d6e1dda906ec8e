"""Finds the figures of a text: each word that may begin one is asked what it begins."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from itertools import pairwise

from assay.data.meaning import meaning_words
from assay.meaning.amounts import DURATIONS, HALVED, amount, dual, fraction, ratio, single, third
from assay.meaning.dates import (
    YEARS,
    day_first,
    digit_dates,
    month_first,
    ordinal_day,
)
from assay.meaning.figures import Figure
from assay.meaning.number_words import decimal_value, number_in_words, ordinal_value
from assay.meaning.rates import monthly_day, price_period, rate
from assay.meaning.times_of_day import arabic_hour, clock_times, spoken_time
from assay.meaning.words import Word

MOST = 300
"""Figures of one text that are compared; further ones are left out, so that time stays linear."""
LIKE_SIZE = 20
"""Both ends of a range have one scale where neither is then more than so many times the other: 900
is no 900,000 in "from 900 to 2 thousand"."""
HALF_DAY = range(1, 13)
"""Hours that a number may be beside another one with am or pm."""
BOUNDED = ("time", "date", "weekday")
_TO = frozenset(("to", "through", "until", "till", "-", "–", "إلى", "الى", "حتى"))
"""What stands between the two ends of a range."""
_LIMITS = {"before": "most", "after": "least"}
_DIGIT = re.compile(r"\d")
_ASCII_DIGIT = re.compile(r"[0-9]")
_MARKED = re.compile(r"\d(?:[-./:]\d|\s*(?:[ap]\.?m|o'clock|صباح|مساء|ظهر|فجر|عصر|ليلا))")
"""What every date and time in digits holds."""


def may_have_figures(lower: str, spellings: Iterable[str]) -> bool:
    """Whether a text in lower case has a digit or a word that a figure may begin with."""
    if not _starting_words().isdisjoint(spellings):
        return True
    return (_ASCII_DIGIT if lower.isascii() else _DIGIT).search(lower) is not None


def figures_of(lower: str, words: Sequence[Word]) -> tuple[Figure, ...]:
    """The figures of a text in lower case whose words are given, in order."""
    apart: list[Figure] = []
    skipped: set[int] = set()
    starting = _starting_words()
    if _MARKED.search(lower):
        apart = _apart([*digit_dates(lower), *clock_times(lower)])
        skipped = _inside(apart, words)
    firsts = [
        place
        for place, word in enumerate(words)
        if word[0] in starting or word[4] in starting or word[0][0].isdecimal()  # text, bare
    ]
    after = 0
    for place in firsts:
        if place >= after and place not in skipped:
            after = _read(words, place, lower, apart)
    in_order = sorted(apart, key=lambda figure: figure.start)[:MOST]
    return tuple(_bounded(_ranged(in_order, lower), words))


def _ranged(figures: Sequence[Figure], lower: str) -> list[Figure]:
    """The figures; the first end of a range has scale and unit of the second.

    "From 40 to 52 million euros" is from 40 million euros on, and in "to 3.2 million euros from 2.5
    million" both are euros.
    """
    result = [*figures]
    for place, (one, two) in enumerate(pairwise(figures)):
        if one.kind != "number" or two.kind not in ("number", "time", "date"):
            continue
        if one.unit.dimension or one.is_ordinal:
            continue
        between = lower[one.end : two.start].strip()
        if between in _TO or (between == "and" and lower[: one.start].endswith("between ")):
            if two.kind == "time":
                result[place] = _first_hour(one, two)
                continue
            if two.kind == "date":
                result[place] = _first_day(one, two)
                continue
            value = one.value * _shared_scale(one, two, lower)
            if two.unit.dimension or value != one.value:
                result[place] = one._replace(value=value, unit=two.unit, is_word=False)
    numbers = [place for place, figure in enumerate(result) if figure.kind == "number"]
    for before, place in pairwise(numbers):
        one, two = result[before], result[place]
        is_back = lower[: one.start].endswith("to ") and lower[: two.start].endswith("from ")
        if is_back and one.unit.dimension and not two.unit.dimension:
            result[place] = two._replace(unit=one.unit, is_word=False)
    return result


def _first_hour(one: Figure, two: Figure) -> Figure:
    """The first end of a range of hours, in the half of the day of the second: from 3 to 6 pm.

    It is in the other half where it would be later than that: 9 to 5 pm.
    """
    if one.value not in HALF_DAY:
        return one
    value = 60.0 * (one.value % 12) + 720 * (two.value >= 720)
    if value >= two.value:
        value -= 720
    return two._replace(start=one.start, end=one.end, value=value % 1440)


def _first_day(one: Figure, two: Figure) -> Figure:
    """The first end of a range of days, in the month of the second: from 3 to 10 April."""
    year, month, last = two.date
    if not (1 <= one.value < last and one.value.is_integer()):
        return one
    return two._replace(start=one.start, end=one.end, date=(year, month, int(one.value)))


def _shared_scale(one: Figure, two: Figure, lower: str) -> float:
    """The scale of the second end of a range, where the first one is of like size with it."""
    if not lower[one.start : one.end].isdecimal():
        return 1.0
    scales = meaning_words().scales
    written = (scales[word] for word in lower[two.start : two.end].split() if word in scales)
    scale = next(written, 1.0)
    is_alike = two.value and 1 / LIKE_SIZE <= abs(one.value * scale / two.value) <= LIKE_SIZE
    return scale if is_alike else 1.0


def _bounded(figures: Sequence[Figure], words: Sequence[Word]) -> Iterator[Figure]:
    """The figures; a time or date behind "before" or "after" is a limit."""
    known = meaning_words().classes
    place = 0
    for figure in figures:
        if figure.kind not in BOUNDED:
            yield figure
            continue
        while place < len(words) and words[place].start < figure.start:
            place += 1
        before = words[place - 1] if place else None
        if before is None:
            yield figure
            continue
        order = dict(known.get(before.text, ())).get("time_order")
        limit = _LIMITS.get(order or "", "")
        yield figure._replace(limit=limit, start=before.start) if limit else figure


def _apart(figures: list[Figure]) -> list[Figure]:
    """The figures without those that begin inside another one; of two equal starts the longer."""
    kept: list[Figure] = []
    for figure in sorted(figures, key=lambda one: (one.start, -one.end)):
        if not kept or figure.start >= kept[-1].end:
            kept.append(figure)
    return kept


def _inside(figures: Sequence[Figure], words: Sequence[Word]) -> set[int]:
    """The places of the words that begin inside figures, which stand in order."""
    result: set[int] = set()
    place = 0
    for figure in figures:
        while place < len(words) and words[place].start < figure.end:
            if words[place].start >= figure.start:
                result.add(place)
            place += 1
    return result


@cache
def _starting_words() -> frozenset[str]:
    """Words that a figure may begin with."""
    table = meaning_words()
    tables = (table.months, table.weekdays, table.duals, table.fractions, table.ordinals)
    known = (*tables, table.numbers, table.rates, table.times, _halved())
    others = ("every", "each", "كل", "noon", "midday", "midnight")
    return frozenset((*others, *(word.split()[0] for own in known for word in own)))


@cache
def _month_starts() -> frozenset[str]:
    """First words of months: مارس, كانون الثاني."""
    return frozenset(word.split()[0] for word in meaning_words().months)


@cache
def _periods() -> frozenset[str]:
    """Words for one unit of time, its single letters left out."""
    return _units_of(DURATIONS)


@cache
def _halved() -> frozenset[str]:
    """Words for one unit to which "and a half" may be added, its single letters left out."""
    return _units_of(HALVED)


def _units_of(dimensions: AbstractSet[str]) -> frozenset[str]:
    units = meaning_words().units.items()
    return frozenset(w for w, unit in units if unit.dimension in dimensions and len(w) > 1)


def _read(words: Sequence[Word], place: int, lower: str, result: list[Figure]) -> int:
    """Read what begins at a word; the place to go on from."""
    table, word = meaning_words(), words[place]
    if (after := rate(words, place, result)) or (after := spoken_time(words, place, result)):
        return after
    if after := ratio(words, place, result):
        return after
    if word.bare in _halved() and (after := single(words, place, result)):
        return after
    if word.bare in _periods() and (
        (after := price_period(words, place, result))
        or (after := monthly_day(words, place, result))
    ):
        return after
    if word.bare in _month_starts() and (after := month_first(words, place, result)):
        return after
    if word.is_number:
        if after := day_first(words, place, result):
            return after
        value = decimal_value(word.text)
        if len(word.text) == 4 and word.text.isdecimal() and int(value) in YEARS:
            following = words[place + 1].bare if place + 1 < len(words) else ""
            before = words[place - 1].text if place else ""
            if table.units.keys().isdisjoint((following, before)) and (
                table.scales.keys().isdisjoint((following, before))
            ):
                result.append(Figure("date", 0, word.start, word.end, date=(int(value), 0, 0)))
                return place + 1
        if place + 1 < len(words) and words[place + 1].text in ("st", "nd", "rd", "th"):
            end = words[place + 1].end
            result.append(Figure("number", value, word.start, end, is_ordinal=True))
            return place + 2
        return amount(words, place, place + 1, value, lower, result)
    if word.bare in table.weekdays and _is_weekday(words, place):
        day = Figure("weekday", table.weekdays[word.bare], word.start, word.end)
        result += [*_days_between(day, lower, result), day]
        return place + 1
    if word.bare in table.duals:
        return dual(words, place, result)
    if word.bare in table.fractions:
        return fraction(words, place, result)
    may_be_day = word.has_article and word.bare in table.numbers
    if (word.bare in table.ordinals or may_be_day) and (
        (after := arabic_hour(words, place, result)) or (after := ordinal_day(words, place, result))
    ):
        return after
    if word.text in table.numbers or (word.bare in table.numbers and not word.text.isascii()):
        value, after = number_in_words(words, place)
        return amount(words, place, after, value, lower, result)
    if word.text == "third" and (after := third(words, place, result)):
        return after
    if word.bare in table.ordinals and not (word.text == "second" and _is_unit_use(words, place)):
        value, after = ordinal_value(words, place)
        end = words[after - 1].end
        result.append(Figure("number", value, word.start, end, is_ordinal=True, is_word=True))
        return after
    if word.text in ("noon", "midday", "midnight"):
        result.append(Figure("time", 0 if word.text == "midnight" else 720, word.start, word.end))
    return place + 1


def _is_weekday(words: Sequence[Word], place: int) -> bool:
    word = words[place]
    if word.text.isascii():
        return len(word.text) > 4 or word.is_capital
    return word.has_article or (place > 0 and words[place - 1].bare == "يوم")


def _days_between(day: Figure, lower: str, result: Sequence[Figure]) -> Iterator[Figure]:
    """The days between two that stand as a range: Monday to Thursday."""
    first = result[-1] if result else day
    if first.kind == "weekday" and lower[first.end : day.start].strip() in _TO:
        for number in range(1, int(day.value - first.value) % 7):
            yield day._replace(value=(first.value + number - 1) % 7 + 1)


def _is_unit_use(words: Sequence[Word], place: int) -> bool:
    return place > 0 and (
        words[place - 1].text in ("a", "per", "each") or words[place - 1].is_number
    )
