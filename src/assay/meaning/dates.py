"""Dates in digits and in words: 2019-03-12, 12th of March 2019, ١٢ مارس."""

from __future__ import annotations

import re
from collections.abc import Sequence

from assay.data.meaning import meaning_words
from assay.meaning.figures import Figure
from assay.meaning.number_words import number_in_words, ordinal_value, whole_number
from assay.meaning.words import Word

YEARS = range(1000, 2200)
_ISO = re.compile(r"\b(\d{4})[-./](\d{1,2})[-./](\d{1,2})\b")
_SLASHED = re.compile(r"\b(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})\b")
_YEAR_FILLERS = frozenset(("of", "عام", "سنه", "لعام", "لسنه"))
_FILLERS = frozenset(("of", "st", "nd", "rd", "th", "the", "من", "شهر"))


def digit_dates(lower: str) -> list[Figure]:
    """The dates in digits: 2019-03-12, 12/03/2019."""
    dates = []
    for match in _ISO.finditer(lower):
        year, month, day = map(int, match.groups())
        if 1 <= month <= 12 and 1 <= day <= 31:
            dates.append(Figure("date", 0, *match.span(), date=(year, month, day)))
    for match in _SLASHED.finditer(lower):
        day, month, year = map(int, match.groups())
        year += 2000 if year < 50 else 1900 if year < 100 else 0
        if month > 12:
            day, month = month, day
        if 1 <= month <= 12 and 1 <= day <= 31:
            loose = day <= 12
            figure = Figure("date", 0, *match.span(), date=(year, month, day), is_loose=loose)
            dates.append(figure)
    return dates


def day_first(words: Sequence[Word], place: int, result: list[Figure]) -> int:
    """12 March, 12th of March 2019, ١٢ مارس; 0 where there is none."""
    day = whole_number(words, place, range(1, 32))
    after = place + 1
    while after < len(words) and after < place + 3 and words[after].text in _FILLERS:
        after += 1
    month, after = _month_at(words, after)
    if not day or not month:
        return 0
    year, after = _year_at(words, after)
    end = words[after - 1].end
    result.append(Figure("date", 0, words[place].start, end, date=(year, month, day)))
    return after


def ordinal_day(words: Sequence[Word], place: int, result: list[Figure]) -> int:
    """الثالث من مارس, الثالث عشر من شهر مارس, العشرين من مارس; 0 where there is none."""
    is_ordinal = words[place].bare in meaning_words().ordinals
    day, after = (ordinal_value if is_ordinal else number_in_words)(words, place)
    if after + 1 >= len(words) or words[after].text != "من" or day not in range(1, 32):
        return 0
    month, after = _month_at(words, after + 1 + (words[after + 1].text == "شهر"))
    if not month:
        return 0
    year, after = _year_at(words, after)
    end = words[after - 1].end
    result.append(Figure("date", 0, words[place].start, end, date=(year, month, int(day))))
    return after


def _month_at(words: Sequence[Word], place: int) -> tuple[int, int]:
    """The month that begins at a place, and the place behind: مارس, كانون الثاني, آذار/مارس."""
    months = meaning_words().months
    names = [word.bare for word in words[place : place + 2]]
    of_two = months.get(" ".join(names), 0) if len(names) == 2 else 0
    month = of_two or (months.get(names[0], 0) if names else 0)
    after = place + (2 if of_two else 1)
    is_named_twice = 0 < month == (months.get(words[after].bare) if after < len(words) else 0)
    return month, after + is_named_twice


def _year_at(words: Sequence[Word], place: int) -> tuple[int, int]:
    """The year behind a month, and the place behind it; the place itself where there is none."""
    after = place
    while after < len(words) and words[after].text in _YEAR_FILLERS:
        after += 1
    year = whole_number(words, after, YEARS)
    return year, after + 1 if year else place


def month_first(words: Sequence[Word], place: int, result: list[Figure]) -> int:
    """March 12, 2019; March 2019; a month alone where it is no other word; 0 for none."""
    word = words[place]
    month, after = _month_at(words, place)
    if not month:
        return 0
    day = whole_number(words, after, range(1, 32))
    last = after - 1 + bool(day)
    after = last + 1
    while day and after < len(words) and words[after].text in _FILLERS:
        after += 1
    year, after = _year_at(words, after)
    last = after - 1 if year else last
    is_other_word = word.text in ("may", "march", "mar", "jan", "sep", "dec", "اب", "jun", "sept")
    if not day and not year and (is_other_word and not (word.is_capital and word.start)):
        return 0
    result.append(Figure("date", 0, word.start, words[last].end, date=(year, month, day)))
    return last + 1
