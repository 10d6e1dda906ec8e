"""Numbers with units, dates, weekdays, times of day and rates, in one form however written.

"1.5 million" is 1,500,000, "٣٠ يومًا" is "thirty days", "half" is 50 %, "2 pm" is 14:00 and
"every second Friday" is once in 14 days.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Literal, NamedTuple

from assay.data.meaning import Unit, meaning_words
from assay.meaning.words import Word

Kind = Literal["number", "date", "weekday", "time", "rate"]
ROUNDING = 0.006
"""How far, as a share, amounts in different units may lie apart: 26.2 miles are 42.195 km."""
DEGREES = 0.6
"""How many degrees Celsius temperatures on different scales may lie apart."""
MOST = 300
"""Figures of one text that are compared; further ones are left out, so that time stays linear."""
YEARS = range(1000, 2200)
_NONE = Unit("", 1.0)
_ISO = re.compile(r"\b(\d{4})[-./](\d{1,2})[-./](\d{1,2})\b")
_SLASHED = re.compile(r"\b(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})\b")
_CLOCK = re.compile(
    r"\b(\d{1,2})[:.](\d{2})(?::\d{2})?\s*(am\b|a\.m\.|pm\b|p\.m\.|صباح|مساء|ظهر|uhr)?"
)
_HOUR = re.compile(r"\b(\d{1,2})\s*(am\b|a\.m\.|pm\b|p\.m\.|o'clock|صباح|مساء)")
_DIGIT = re.compile(r"\d")
_EVERY = frozenset(("every", "each", "per", "a", "an", "كل", "في"))
_PERIODS = {"duration": 86_400.0, "calendar": 1 / 30}
"""Dimension → what makes days of its base."""
_OTHER = frozenset(("other", "second", "alternate"))
_HALF_DAYS = ("صباح", "مساء", "ظهر")
_DAY = "يوم"
"""Stands before an Arabic weekday and says nothing there."""
_ARABIC_PAST = {"والنصف": 30.0, "ونصف": 30.0, "والربع": 15.0, "وربع": 15.0, "والثلث": 20.0}
_ARABIC_TO = {"ربعا": -15.0, "ربع": -15.0, "الربع": -15.0, "ثلثا": -20.0}
_FILLERS = frozenset(("of", "st", "nd", "rd", "th", "the", "من", "شهر"))


class Figure(NamedTuple):
    """A number, date, weekday, time of day or rate with its place in the normalised text."""

    kind: Kind
    value: float
    """A number in its own unit; minutes since midnight; days between two events; 1 for Monday."""
    start: int
    end: int
    unit: Unit = _NONE
    limit: str = ""
    """`least` or `most` where the words before say so."""
    date: tuple[int, int, int] = (0, 0, 0)
    """Year, month and day; 0 for what is not said."""
    is_ordinal: bool = False
    is_word: bool = False
    """A small number in words without a unit: often a mere article ("one of them")."""
    is_loose: bool = False
    """A time without am or pm, a date whose day and month may be the other way round."""

    def equals(self, other: Figure) -> bool:
        """Whether the two say the same; what only one of them says does not count."""
        if self.kind != other.kind:
            return _year_number(self, other) or _year_number(other, self)
        if self.kind == "date":
            return _same_date(self, other)
        if self.kind == "time":
            loose = self.is_loose or other.is_loose
            return (self.value - other.value) % (720 if loose else 1440) == 0
        if self.kind == "rate":
            return abs(self.value - other.value) <= 0.12 * max(self.value, other.value)
        if self.kind == "weekday":
            return self.value == other.value
        return self._same_amount(other)

    def _same_amount(self, other: Figure) -> bool:
        if {self.limit, other.limit} == {"least", "most"}:
            return False
        one, two = self.unit.dimension, other.unit.dimension
        if one and two and one != two:
            degrees = _celsius(self), _celsius(other)
            return None not in degrees and abs(degrees[0] - degrees[1]) <= DEGREES  # type: ignore[operator] # neither is None
        if self.unit == other.unit or not one or not two:
            if abs(self.value - other.value) <= 1e-9 * max(abs(self.value), abs(other.value)):
                return True
            if {one, two} == {"", "%"}:
                return abs(self.value - other.value * 100) < 1e-6 or (
                    abs(self.value * 100 - other.value) < 1e-6
                )
            return False
        a, b = self.value * self.unit.factor, other.value * other.unit.factor
        return abs(a - b) <= ROUNDING * max(abs(a), abs(b))

    def rivals(self, other: Figure) -> bool:
        """Whether the two answer the same question, so that one excludes the other."""
        if self.kind != other.kind:
            return False
        if self.kind == "number":
            one, two = self.unit.dimension, other.unit.dimension
            return (one == two or not one or not two) or _is_measure(one) == _is_measure(two)
        if self.kind == "date":
            return any(a and b for a, b in zip(self.date, other.date, strict=True))
        return True


_MEASURES = frozenset(
    ("usd", "eur", "gbp", "inr", "jpy", "sar", "aed", "egp", "dinar", "chf", "cny")
)


def _is_measure(dimension: str) -> str:
    """One name for all currencies and one for all temperatures; else the dimension."""
    if dimension in _MEASURES:
        return "money"
    return "temperature" if dimension in ("celsius", "fahrenheit", "kelvin") else dimension


def _celsius(figure: Figure) -> float | None:
    """A temperature in degrees Celsius; None for another amount."""
    to_celsius = {
        "celsius": lambda value: value,
        "fahrenheit": lambda value: (value - 32) / 1.8,
        "kelvin": lambda value: value - 273.15,
    }
    convert = to_celsius.get(figure.unit.dimension)
    return convert(figure.value) if convert else None


def _year_number(one: Figure, other: Figure) -> bool:
    """Whether a plain number is a year that the other one says."""
    return one.kind == "number" and other.kind == "date" and one.value == other.date[0] > 0


def _same_date(one: Figure, other: Figure) -> bool:
    swapped = (one.date[0], one.date[2], one.date[1])
    own = [one.date, swapped] if one.is_loose != other.is_loose else [one.date]
    for date in own:
        pairs = [(a, b) for a, b in zip(date, other.date, strict=True) if a and b]
        if pairs and all(a == b for a, b in pairs):
            return True
    return False


def figures_of(lower: str, words: Sequence[Word]) -> tuple[Figure, ...]:
    """The figures of a text in lower case whose words are given, in order."""
    apart: list[Figure] = []
    skipped: set[int] = set()
    if _DIGIT.search(lower):
        apart = _apart([*_digits_dates(lower), *_clock_times(lower)])
        skipped = _inside(apart, words)
    starting = _starting_words()
    place = 0
    while place < len(words):
        word = words[place]
        is_start = word.text in starting or word.bare in starting or word.text[0].isdecimal()
        if is_start and place not in skipped:
            place = _read(words, place, lower, apart)
        else:
            place += 1
    return tuple(sorted(apart, key=lambda figure: figure.start)[:MOST])


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
    known = (*tables, table.numbers, table.rates, table.times)
    others = ("every", "each", "كل", "noon", "midday", "midnight")
    return frozenset((*others, *(word for own in known for word in own)))


def _digits_dates(lower: str) -> list[Figure]:
    digits_dates = []
    for match in _ISO.finditer(lower):
        year, month, day = map(int, match.groups())
        if 1 <= month <= 12 and 1 <= day <= 31:
            digits_dates.append(Figure("date", 0, *match.span(), date=(year, month, day)))
    for match in _SLASHED.finditer(lower):
        day, month, year = map(int, match.groups())
        year += 2000 if year < 50 else 1900 if year < 100 else 0
        if month > 12:
            day, month = month, day
        if 1 <= month <= 12 and 1 <= day <= 31:
            loose = day <= 12
            figure = Figure("date", 0, *match.span(), date=(year, month, day), is_loose=loose)
            digits_dates.append(figure)
    return digits_dates


def _clock_times(lower: str) -> list[Figure]:
    clock_times = []
    for match in _CLOCK.finditer(lower):
        hour, minute, half = int(match[1]), int(match[2]), match[3]
        is_time = ":" in match.group() or half
        if is_time and hour < 25 and minute < 60:
            value, is_loose = _of_day(hour, half)
            clock_times.append(Figure("time", value + minute, *match.span(), is_loose=is_loose))
    for match in _HOUR.finditer(lower):
        if int(match[1]) < 25:
            value, is_loose = _of_day(int(match[1]), match[2])
            clock_times.append(Figure("time", value, *match.span(), is_loose=is_loose))
    return clock_times


def _of_day(hour: int, half: str | None) -> tuple[float, bool]:
    """Minutes since midnight, and whether the half of the day is open."""
    letter = (half or "")[:1]
    if letter in ("p", "م", "ظ") and hour < 12:
        hour += 12
    if letter in ("a", "ص") and hour == 12:
        hour = 0
    is_said = letter in ("a", "p", "ص", "م", "ظ")
    return 60.0 * (hour % 24), not is_said and 1 <= hour <= 12


def _read(words: Sequence[Word], place: int, lower: str, result: list[Figure]) -> int:
    """Read what begins at a word; the place to go on from."""
    table, word = meaning_words(), words[place]
    if (after := _rate(words, place, result)) or (after := _spoken_time(words, place, result)):
        return after
    if (word.bare in table.months) and (after := _month_first(words, place, result)):
        return after
    if word.is_number:
        if after := _day_first(words, place, result):
            return after
        value = _decimal(word.text)
        if len(word.text) == 4 and word.text.isdecimal() and int(value) in YEARS:
            following = words[place + 1].bare if place + 1 < len(words) else ""
            before = words[place - 1].text if place else ""
            if not ({following, before} & (table.units.keys() | table.scales.keys())):
                result.append(Figure("date", 0, word.start, word.end, date=(int(value), 0, 0)))
                return place + 1
        if place + 1 < len(words) and words[place + 1].text in ("st", "nd", "rd", "th"):
            end = words[place + 1].end
            result.append(Figure("number", value, word.start, end, is_ordinal=True))
            return place + 2
        return _amount(words, place, place + 1, value, lower, result)
    if word.bare in table.weekdays and _is_weekday(words, place):
        result.append(Figure("weekday", table.weekdays[word.bare], word.start, word.end))
        return place + 1
    if word.bare in table.duals:
        result.append(Figure("number", 2, word.start, word.end, table.duals[word.bare]))
        return place + 1
    if word.bare in table.fractions:
        return _fraction(words, place, result)
    if word.bare in table.ordinals and (after := _hour_word(words, place, result)):
        return after
    if word.text in table.numbers or (word.bare in table.numbers and not word.text.isascii()):
        value, after = _in_words(words, place)
        return _amount(words, place, after, value, lower, result)
    if word.bare in table.ordinals and not (word.text == "second" and _is_unit_use(words, place)):
        value = table.ordinals[word.bare]
        result.append(Figure("number", value, word.start, word.end, is_ordinal=True, is_word=True))
        return place + 1
    if word.text in ("noon", "midday", "midnight"):
        result.append(Figure("time", 0 if word.text == "midnight" else 720, word.start, word.end))
    return place + 1


def _is_weekday(words: Sequence[Word], place: int) -> bool:
    word = words[place]
    if word.text.isascii():
        return len(word.text) > 4 or word.is_capital
    return word.has_article or (place > 0 and words[place - 1].bare == "يوم")


def _is_unit_use(words: Sequence[Word], place: int) -> bool:
    return place > 0 and (
        words[place - 1].text in ("a", "per", "each") or words[place - 1].is_number
    )


def _hour_word(words: Sequence[Word], place: int, result: list[Figure]) -> int:
    """An Arabic hour in words: التاسعة صباحا; 0 where there is none."""
    word = words[place]
    if word.text.isascii():
        return 0
    minutes, after = _arabic_minutes(words, place + 1)
    following = words[after].bare if after < len(words) else ""
    is_half = following.startswith(_HALF_DAYS)
    is_hour = place > 0 and words[place - 1].bare == "ساعه"
    if not is_half and not is_hour and not (minutes and word.has_article):
        return 0
    hour = meaning_words().ordinals[word.bare]
    value, is_loose = _of_day(hour, following if is_half else None)
    end = words[after - 1 + is_half].end
    result.append(Figure("time", (value + minutes) % 1440, word.start, end, is_loose=is_loose))
    return after + is_half


def _arabic_minutes(words: Sequence[Word], place: int) -> tuple[float, int]:
    """Minutes of والنصف, والربع and إلا ربعا behind an hour, and the place behind; else 0."""
    texts = [word.text for word in words[place : place + 2]]
    if texts and (minutes := _ARABIC_PAST.get(texts[0])):
        return minutes, place + 1
    if texts and texts[0] == "الا" and (minutes := _ARABIC_TO.get(texts[-1])):
        return minutes, place + 2
    return 0.0, place


def _spoken_time(words: Sequence[Word], place: int, result: list[Figure]) -> int:
    """Nine in the morning, half past six, a quarter to five pm; 0 where there is none."""
    minutes, after = _past_or_to(words, place)
    hour = _hour(words, after)
    half, end = _half_day(words, after + 1)
    if not hour or not (after > place or half) or (after == place and _is_date_part(words, place)):
        return 0
    value, is_loose = _of_day(hour, half)
    start = words[place].start
    result.append(
        Figure("time", (value + minutes) % 1440, start, words[end - 1].end, is_loose=is_loose)
    )
    return end


def _past_or_to(words: Sequence[Word], place: int) -> tuple[float, int]:
    """Minutes of "half past", "a quarter to", "ten past", and the place behind; else 0."""
    word = words[place]
    follows = words[place + 1].text if place + 1 < len(words) else ""
    if follows not in ("past", "to") or not word.text.isascii():
        return 0.0, place
    share = meaning_words().fractions.get(word.text)
    minutes = share * 0.6 if share else _small(word)
    if not minutes or (follows == "to" and not share):
        return 0.0, place
    return (minutes if follows == "past" else -minutes), place + 2


def _small(word: Word) -> float:
    """A whole number up to 59, in digits or words; 0 for another word."""
    if word.is_number:
        return float(word.text) if word.text.isdecimal() and len(word.text) < 3 else 0.0
    value = meaning_words().numbers.get(word.text, 0) if word.text.isascii() else 0
    return float(value) if value < 60 else 0.0


def _hour(words: Sequence[Word], place: int) -> int:
    hour = _small(words[place]) if place < len(words) else 0
    return int(hour) if 1 <= hour <= 12 and hour == int(hour) else 0


def _half_day(words: Sequence[Word], place: int) -> tuple[str | None, int]:
    """Which half of the day the words at a place say, and the place behind them."""
    if place < len(words) and words[place].text in ("am", "pm"):
        return words[place].text, place + 1
    if place + 1 < len(words) and words[place].text == "o'clock":
        return _half_day(words, place + 1)
    for count in (3, 2):
        own = words[place : place + count]
        if half := meaning_words().half_days.get(" ".join(word.text for word in own)):
            return half, place + len(own)
    return None, place


def _is_date_part(words: Sequence[Word], place: int) -> bool:
    """Whether a number stands behind a month: "on May 5 in the morning"."""
    return place > 0 and words[place - 1].bare in meaning_words().months


def _decimal(text: str) -> float:
    """The value of digits with commas and points."""
    if "," in text and "." not in text and len(text.rpartition(",")[2]) != 3:
        text = text.replace(",", ".", 1) if text.count(",") == 1 else text
    text = text.replace(",", "")
    if text.count(".") > 1:
        text = text.replace(".", "")
    return float(text[:25])


def _in_words(words: Sequence[Word], place: int) -> tuple[float, int]:
    """A number in words: twenty five, two hundred and five, خمسة وعشرون."""
    table = meaning_words()
    total, value, after = 0.0, float(table.numbers[_number_key(words[place])]), place + 1
    while after < len(words) and words[after].start - words[after - 1].end <= 4:
        word = words[after]
        key = _number_key(word)
        if (
            word.text == "and"
            and after + 1 < len(words)
            and value >= 100
            and (_number_key(words[after + 1]) in table.numbers)
        ):
            after += 1
            continue
        if key in table.scales and not (key in table.numbers and word.text.startswith("و")):
            value *= table.scales[key]
            if value >= 1000:
                total, value = total + value, 0.0
            after += 1
        elif key in table.numbers and key not in ("احد", "واحد"):
            following = table.numbers[key]
            is_arabic = not word.text.isascii()
            joins = is_arabic and (word.text.startswith("و") or following == 10)
            if joins or (value >= 20 and following < 10) or value >= 100 or not value:
                value += following
                after += 1
            else:
                break
        else:
            break
    return total + value, after


def _number_key(word: Word) -> str:
    return word.text if word.text in meaning_words().numbers else word.bare


def _amount(
    words: Sequence[Word], place: int, after: int, value: float, lower: str, result: list[Figure]
) -> int:
    """Add the number between two words with the scale and unit around it."""
    table, first = meaning_words(), words[place]
    is_word = not first.is_number and after == place + 1 and value <= 10
    before = words[place - 1].text if place else ""
    currency = (
        table.units.get(before)
        if before in "$€£₹¥" or before in ("usd", "eur", "gbp", "rs", "aed", "sar")
        else None
    )
    if first.is_number and after < len(words) and words[after].start == words[after - 1].end:
        glued = words[after].text
        if glued in ("m", "b") and currency:
            value *= 1e6 if glued == "m" else 1e9
            after += 1
    while after < len(words) and _is_scale(words, after):
        value *= table.scales[_scale_key(words[after])]
        is_word = False
        after += 1
    start = words[place - 1].start if currency and place else first.start
    unit, end_place = currency or _NONE, after
    if not currency:
        unit, end_place = _unit_behind(words, after)
    limit, limit_start = _limit(words, place)
    start = limit_start if limit else start
    is_word = is_word and not unit.dimension
    end = words[end_place - 1].end
    result.append(Figure("number", value, start, end, unit, limit, is_word=is_word))
    return end_place


def _is_scale(words: Sequence[Word], place: int) -> bool:
    word = words[place]
    if word.text == "k" and word.start != words[place - 1].end:
        return False
    return _scale_key(word) in meaning_words().scales


def _scale_key(word: Word) -> str:
    return word.text if word.text in meaning_words().scales else word.bare


def _unit_behind(words: Sequence[Word], after: int) -> tuple[Unit, int]:
    units = meaning_words().units
    place = after
    while place < len(words) and place < after + 3:
        word = words[place]
        if word.text in (
            "°",
            "degrees",
            "degree",
            "درجه",
            "درجات",
            "square",
            "us",
            "في",
            "per",
            "sq",
        ):
            if (
                word.text == "في"
                and place + 1 < len(words)
                and words[place + 1].bare not in ("مئه", "مائه")
            ):
                break
            if word.text == "per" and not (
                place + 1 < len(words) and words[place + 1].text == "cent"
            ):
                break
            place += 1
            continue
        if word.text == "cent" and words[place - 1].text == "per":
            return units["%"], place + 1
        if word.bare in ("مئه", "مائه") and place > after:
            return units["%"], place + 1
        key = word.text if word.text in units else word.bare
        if key in units and not (
            len(key) == 1 and key.isalpha() and place == after and not _may_be_unit(words, place)
        ):
            return units[key], place + 1
        break
    return _NONE, after


def _may_be_unit(words: Sequence[Word], place: int) -> bool:
    """Whether a single letter behind a number is a unit: it stands right behind it."""
    return words[place].start - words[place - 1].end <= 1


def _limit(words: Sequence[Word], place: int) -> tuple[str, int]:
    """What the words before a number make of it, and where they begin."""
    limits = meaning_words().limits
    before = [word.text for word in words[max(0, place - 4) : place]]
    first = place
    while before and before[-1] in ("$", "€", "£", "a"):
        before.pop()
        first -= 1
    for count in (4, 3, 2, 1):
        if len(before) >= count and (message := limits.get(" ".join(before[-count:]))):
            return message, words[first - count].start
    return "", -1


def _fraction(words: Sequence[Word], place: int, result: list[Figure]) -> int:
    """Half, a quarter, three quarters, half an hour."""
    table, word = meaning_words(), words[place]
    share, start = table.fractions[word.bare], word.start
    if result and result[-1].is_word and result[-1].end >= word.start - 2 and result[-1].value < 10:
        start, share = result[-1].start, share * result[-1].value
        result.pop()
    after = place + 1
    while after < len(words) and words[after].text in ("a", "an", "of"):
        after += 1
    key = words[after].bare if after < len(words) else ""
    unit = table.units.get(key)
    if unit and unit.dimension != "%" and after - place <= 2:
        result.append(Figure("number", share / 100, start, words[after].end, unit))
        return after + 1
    result.append(Figure("number", share, start, word.end, table.units["%"]))
    return place + 1


def _whole(words: Sequence[Word], place: int, allowed: range) -> int:
    text = words[place].text if 0 <= place < len(words) else ""
    return int(text) if text.isdecimal() and len(text) < 5 and int(text) in allowed else 0


def _day_first(words: Sequence[Word], place: int, result: list[Figure]) -> int:
    """12 March, 12th of March 2019, ١٢ مارس; 0 where there is none."""
    day = _whole(words, place, range(1, 32))
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
    year = _whole(words, year_at, YEARS)
    last = year_at if year else after
    result.append(Figure("date", 0, words[place].start, words[last].end, date=(year, month, day)))
    return last + 1


def _month_first(words: Sequence[Word], place: int, result: list[Figure]) -> int:
    """March 12, 2019; March 2019; a month alone where it is no other word; 0 for none."""
    word = words[place]
    month = meaning_words().months[word.bare]
    day = _whole(words, place + 1, range(1, 32))
    after = place + 1 + bool(day)
    while day and after < len(words) and words[after].text in _FILLERS:
        after += 1
    year = _whole(words, after, YEARS)
    last = after if year else place + bool(day)
    is_other_word = word.text in ("may", "march", "mar", "jan", "sep", "dec", "اب", "jun", "sept")
    if not day and not year and (is_other_word and not (word.is_capital and word.start)):
        return 0
    result.append(Figure("date", 0, word.start, words[last].end, date=(year, month, day)))
    return last + 1


def _rate(words: Sequence[Word], place: int, result: list[Figure]) -> int:
    """Twice a week, every second Friday, once every two weeks, weekly; 0 where there is none."""
    table, word = meaning_words(), words[place]
    if word.bare in table.rates:
        result.append(Figure("rate", table.rates[word.bare], word.start, word.end))
        return place + 1
    times, after = 1.0, place
    if word.text in table.times or word.bare in table.times:
        times, after = table.times.get(word.text, table.times.get(word.bare, 1)), place + 1
    elif (word.is_number or word.text in table.numbers or word.bare in table.numbers) and (
        place + 1 < len(words) and words[place + 1].bare in ("times", "مرات")
    ):
        times = _decimal(word.text) if word.is_number else table.numbers[_number_key(word)]
        after = place + 2
    elif word.text not in ("every", "each", "كل"):
        return 0
    if after > place:
        if after < len(words) and (days := table.rates.get(words[after].bare)):
            result.append(Figure("rate", days / times, word.start, words[after].end))
            return after + 1
        while after < len(words) and words[after].text in ("on",):
            after += 1
    if after >= len(words) or words[after].text not in _EVERY or not times:
        return 0
    after += 1
    period = 1.0
    if after + 1 < len(words) and words[after].text == _DAY:
        after += words[after + 1].bare in table.weekdays
    if after < len(words) and words[after].text in _OTHER:
        period, after = 2.0, after + 1
    elif after < len(words) and words[after].is_number:
        period, after = _decimal(words[after].text), after + 1
    elif after < len(words) and words[after].bare in table.ordinals:
        period, after = table.ordinals[words[after].bare], after + 1
    elif (
        after < len(words)
        and _number_key(words[after]) in table.numbers
        and words[after].bare not in table.weekdays
    ):
        period, after = table.numbers[_number_key(words[after])], after + 1
    if after >= len(words):
        return 0
    days = _period(words[after])
    if not days:
        return 0
    value = period * days / times
    result.append(Figure("rate", value, word.start, words[after].end))
    if words[after].bare in table.weekdays:
        result.append(
            Figure(
                "weekday", table.weekdays[words[after].bare], words[after].start, words[after].end
            )
        )
    return after + 1


def _period(word: Word) -> float:
    """Days of a period: 7 for a week or a weekday; 0 for another word."""
    table = meaning_words()
    if word.bare in table.weekdays:
        return 7.0
    if word.bare in table.duals:
        unit = table.duals[word.bare]
        return 2 * (unit.factor / 86_400 if unit.dimension == "duration" else unit.factor * 30.4)
    unit_found = table.units.get(word.bare)
    if unit_found is None or unit_found.dimension not in _PERIODS:
        return 0.0
    if unit_found.dimension == "duration":
        return unit_found.factor / 86_400
    return unit_found.factor * 30.4
