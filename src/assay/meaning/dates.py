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
    month = meaning_words().months.get(words[after].bare, 0) if after < len(words) else 0
    if not day or not month:
        return 0
    last = after
    year_at = after + 1
    while year_at < len(words) and words[year_at].text in ("of", "عام", "سنه"):
        year_at += 1
    year = whole_number(words, year_at, YEARS)
    last = year_at if year else after
    result.append(Figure("date", 0, words[place].start, words[last].end, date=(year, month, day)))
    return last + 1


def ordinal_day(words: Sequence[Word], place: int, result: list[Figure]) -> int:
    """الثالث من مارس, الثالث عشر من مارس, العشرين من مارس; 0 where there is none."""
    table = meaning_words()
    is_ordinal = words[place].bare in table.ordinals
    day, after = (ordinal_value if is_ordinal else number_in_words)(words, place)
    if after + 1 >= len(words) or words[after].text != "من" or day not in range(1, 32):
        return 0
    month = table.months.get(words[after + 1].bare, 0)
    if not month:
        return 0
    year = whole_number(words, after + 2, YEARS)
    end = words[after + 1 + bool(year)].end
    result.append(Figure("date", 0, words[place].start, end, date=(year, month, int(day))))
    return after + 2 + bool(year)


def month_first(words: Sequence[Word], place: int, result: list[Figure]) -> int:
    """March 12, 2019; March 2019; a month alone where it is no other word; 0 for none."""
    word = words[place]
    month = meaning_words().months[word.bare]
    day = whole_number(words, place + 1, range(1, 32))
    after = place + 1 + bool(day)
    while day and after < len(words) and words[after].text in _FILLERS:
        after += 1
    year = whole_number(words, after, YEARS)
    last = after if year else place + bool(day)
    is_other_word = word.text in ("may", "march", "mar", "jan", "sep", "dec", "اب", "jun", "sept")
    if not day and not year and (is_other_word and not (word.is_capital and word.start)):
        return 0
    result.append(Figure("date", 0, word.start, words[last].end, date=(year, month, day)))
    return last + 1
