"""Numbers, amounts and dates in a text, in one form however they are written.

"₹50 crore", "Rs. 500 million" and "five hundred million rupees" are the same amount; "12 March
2019" and "2019-03-12" the same day. Two amounts of which only one names its unit may be equal.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

from assay.data.quantities import Limit, wordings

ROUGH = 0.1
"""How far, as a share, a number called rough ("about 50") may lie from the true one."""
FAR = 10
"""A number is no limit of one that is so many times larger or smaller."""
SMALL = 10
"""Written numbers up to this ("two offices") are often counts that no text spells out."""
MAX_DIGITS = 15
"""Longer runs of digits are identifiers; they are compared by their first digits."""
YEARS = range(1000, 2200)
_ITEM = re.compile(r"\d+(?:,\d+)*(?:\.\d+)?|(?:[^\W\d_]|[\u0900-\u0963])+|[%٪₹$€£]")
_ASCII_ITEM = re.compile(r"[0-9]+(?:,[0-9]+)*(?:\.[0-9]+)?|[A-Za-z]+|[%$]")
"""What `_ITEM` finds in ASCII, at half the cost; so do the next two patterns."""
_ASCII_DIGIT = re.compile(r"[0-9]")
_ASCII_DATE = re.compile(r"[0-9][-./][0-9]{1,2}[-./][0-9]")
"""What every date in digits holds."""
_DIGIT = re.compile(r"\d")
_ISO = re.compile(r"\b(\d{4})[-./](\d{1,2})[-./](\d{1,2})\b")
_SLASHED = re.compile(r"\b(\d{1,2})[/.](\d{1,2})[/.](\d{4})\b")


class Quantity(NamedTuple):
    """A number with what it is of, and its place."""

    value: float
    unit: str
    """The unit's name; empty where none was said."""
    start: int
    end: int
    limit: Limit = ""
    is_small_word: bool = False
    """Whether it is a small number in words."""

    def equals(self, other: Quantity) -> bool:
        """Whether the other one, which is taken for exact, is the same or within the limit."""
        if self.unit and other.unit and self.unit != other.unit:
            return False
        if self.limit == "least":
            return self.value <= other.value <= FAR * self.value
        if self.limit == "most":
            return self.value / FAR <= other.value <= self.value
        allowed = ROUGH if self.limit == "about" else 1e-9
        return abs(self.value - other.value) <= allowed * max(abs(self.value), abs(other.value))


class Date(NamedTuple):
    """A decade, a year, a month of a year, or a day; 0 stands for what was not said."""

    year: int
    month: int
    day: int
    start: int
    end: int
    is_decade: bool = False

    def equals(self, other: Date) -> bool:
        """Whether the two agree on something, and differ in nothing that both say."""
        if self.is_decade:
            return self.year == other.year - other.year % 10
        pairs = [(a, b) for a, b in zip(self[:3], other[:3], strict=True) if a and b]
        return bool(pairs) and all(a == b for a, b in pairs)

    def differs(self, other: Date) -> bool:
        """Whether there is a part that both say, and say otherwise."""
        pairs = zip(self[:3], other[:3], strict=True)
        return not self.equals(other) and any(a and b for a, b in pairs)


class Figures(NamedTuple):
    """The quantities and dates of a text."""

    quantities: tuple[Quantity, ...]
    dates: tuple[Date, ...]

    @property
    def places(self) -> list[tuple[int, int]]:
        """Where they stand; small numbers in words left out."""
        places = [(one.start, one.end) for one in self.quantities if not one.is_small_word]
        return [*places, *((date.start, date.end) for date in self.dates)]


class KnownFigures:
    """The quantities and dates of many texts, in a form in which equal ones are found quickly."""

    def __init__(self, texts: Iterable[Figures]) -> None:
        values: dict[str, set[float]] = defaultdict(set)
        self._dates: set[tuple[_Parts, _Parts]] = set()
        self._decades: set[int] = set()
        for figures in texts:
            for quantity in figures.quantities:
                values[quantity.unit].add(quantity.value)
            for date in figures.dates:
                self._decades.add(date.year - date.year % 10)
                self._dates |= {(_kind(date), _masked(date, mask)) for mask in _MASKS}
        self._values = {unit: sorted(own) for unit, own in values.items()}

    def has_quantity(self, one: Quantity) -> bool:
        """Whether one of them equals this one; if any does, the next smaller or larger one does."""
        for unit in (one.unit, "") if one.unit else self._values:
            values = self._values.get(unit, [])
            place = bisect_left(values, one.value)
            near = values[max(0, place - 1) : place + 1]
            if any(one.equals(Quantity(value, unit, 0, 0)) for value in near):
                return True
        return False

    def has_date(self, date: Date) -> bool:
        """Whether one of them equals this one."""
        if date.is_decade:
            return date.year in self._decades
        forms = ((kind, _masked(date, kind)) for kind in _MASKS)
        return any(any(parts) and (kind, parts) in self._dates for kind, parts in forms)


_Parts = tuple[int, int, int]
_MASKS: Sequence[_Parts] = [*product((0, 1), (0, 1), (0, 1))]
"""Which of year, month and day are looked at."""


def _kind(date: Date) -> _Parts:
    """Which parts a date says."""
    return int(date.year > 0), int(date.month > 0), int(date.day > 0)


def _masked(date: Date, mask: _Parts) -> _Parts:
    """The date with 0 for the parts that are not looked at."""
    return date.year * mask[0], date.month * mask[1], date.day * mask[2]


NO_FIGURES = Figures((), ())


_new = tuple.__new__
"""Makes a named tuple out of a row in half the time that its own constructor takes."""


class _Item(NamedTuple):
    text: str
    start: int
    end: int

    @property
    def is_number(self) -> bool:
        return self.text[0].isdecimal()


def figures(lower: str, words: Sequence[str] | None = None) -> Figures:
    """The quantities and dates of a normalised text in lower case.

    Who knows its words, as `plain_text` parts them, may give them; it saves a search.
    """
    has_digits = bool((_ASCII_DIGIT if lower.isascii() else _DIGIT).search(lower))
    if words is None or not lower.isascii() or "_" in lower:
        words = _ITEM.findall(lower)
    starting = _starting_words()
    if not has_digits and starting.isdisjoint(words):
        return NO_FIGURES
    dates = [*_written(lower)] if has_digits else []
    taken = [(date.start, date.end) for date in dates]
    items = _items(_blanked(lower, taken) if taken else lower)
    quantities: list[Quantity] = []
    place = 0
    while place < len(items):
        text = items[place].text
        if text in starting or text[0].isdecimal():
            place = _read(items, place, lower, quantities, dates)
        else:
            place += 1
    return Figures(tuple(quantities), tuple(sorted(dates, key=lambda date: date.start)))


def _items(lower: str) -> list[_Item]:
    """The numbers, words and signs of a text with their places."""
    result: list[_Item] = []
    end = 0
    for text in (_ASCII_ITEM if lower.isascii() else _ITEM).findall(lower):
        start = lower.index(text, end)
        end = start + len(text)
        result.append(_new(_Item, (text, start, end)))
    return result


@cache
def _starting_words() -> frozenset[str]:
    """Words that a number or a date may begin with."""
    words = wordings()
    return frozenset((*words.months, *words.ordinals, *words.numbers))


def _written(lower: str) -> Iterator[Date]:
    """Dates in digits: 2019-03-12, 12/03/2019."""
    if lower.isascii() and not _ASCII_DATE.search(lower):
        return
    for match in _ISO.finditer(lower):
        year, month, day = map(int, match.groups())
        if month in range(1, 13) and day in range(1, 32):
            yield Date(year, month, day, *match.span())
    for match in _SLASHED.finditer(lower):
        day, month, year = map(int, match.groups())
        if month > 12:
            day, month = month, day
        if month in range(1, 13) and day in range(1, 32):
            yield Date(year, month, day, *match.span())


def _blanked(lower: str, taken: list[tuple[int, int]]) -> str:
    """The text with blanks for some stretches that do not overlap."""
    pieces, done = [], 0
    for start, end in sorted(taken):
        pieces += [lower[done:start], " " * (end - start)]
        done = end
    return "".join([*pieces, lower[done:]])


def _read(
    items: list[_Item], place: int, lower: str, quantities: list[Quantity], dates: list[Date]
) -> int:
    """Read what begins at an item; where to go on."""
    item, words = items[place], wordings()
    if item.text in words.months and (month := _month(items, place, dates)):
        return month
    if item.is_number and _is_glued(lower, item.start):
        return place + 1
    if item.is_number:
        if (month := _year(items, place, lower, dates)) or (month := _day(items, place, dates)):
            return month
        digits = item.text.replace(",", "")
        value = float(digits[:MAX_DIGITS] if "." not in digits else digits[: MAX_DIGITS + 10])
        return _quantity(items, place, place + 1, value, quantities)
    if item.text in words.ordinals:
        value = float(words.ordinals[item.text])
        quantities.append(Quantity(value, "", item.start, item.end, is_small_word=True))
        return place + 1
    if item.text in words.numbers:
        value, after = _in_words(items, place)
        return _quantity(items, place, after, value, quantities)
    return place + 1


def _is_glued(lower: str, place: int) -> bool:
    """Whether a number is part of a word, as in T2 or Uranium-235."""
    if lower[place - 1 : place] == "-":
        place -= 1
    return place > 0 and lower[place - 1].isalpha() and lower[place - 1].isascii()


def _in_words(items: list[_Item], place: int) -> tuple[float, int]:
    """A number word, with a second one behind tens: twenty five."""
    numbers = wordings().numbers
    value = float(numbers[items[place].text])
    after = place + 1
    follows = items[after].text if after < len(items) else ""
    if value >= 20 and 0 < numbers.get(follows, 0) < 10:
        return value + numbers[follows], after + 1
    return value, after


def _is_scale(items: list[_Item], place: int) -> bool:
    return place < len(items) and items[place].text in wordings().scales


def _quantity(
    items: list[_Item], place: int, after: int, value: float, quantities: list[Quantity]
) -> int:
    """Add the number between two items with the scale and unit around it."""
    words = wordings()
    is_plain_word = not items[place].is_number and after == place + 1
    while _is_scale(items, after):
        value *= words.scales[items[after].text]
        is_plain_word = False
        after += 1
    before = [item.text for item in items[max(0, place - 2) : place]]
    unit = words.units.get(before[-1], "") if before else ""
    start = items[place - 1].start if unit and unit != "%" else items[place].start
    if not unit or unit == "%":
        unit, after = _unit_behind(items, after)
        start = items[place].start
    quantities.append(
        Quantity(
            value,
            unit,
            start,
            items[after - 1].end,
            _limit(before),
            is_plain_word and value <= SMALL and not unit,
        )
    )
    return after


def _limit(before: Sequence[str]) -> Limit:
    """What the words before a number make of it."""
    limits = wordings().limits
    message = [limits[text] for text in (" ".join(before), *reversed(before)) if text in limits]
    return message[0] if message else ""


def _unit_behind(items: list[_Item], after: int) -> tuple[str, int]:
    follows = [item.text for item in items[after : after + 2]]
    if follows == ["per", "cent"]:
        return "%", after + 2
    unit = wordings().units.get(follows[0], "") if follows else ""
    return unit, after + bool(unit)


def _number(items: list[_Item], place: int, allowed: range) -> int:
    """The plain whole number at a place if it is allowed, else 0."""
    text = items[place].text if 0 <= place < len(items) else ""
    return int(text) if text.isdecimal() and len(text) < 5 and int(text) in allowed else 0


def _year(items: list[_Item], place: int, lower: str, dates: list[Date]) -> int:
    """Read a year, or a range of years such as 2019-20; 0 where there is none."""
    year = _number(items, place, YEARS)
    follows = items[place + 1].text if place + 1 < len(items) else ""
    before = items[place - 1].text if place else ""
    words = wordings()
    if len(items[place].text) != 4 or not year:
        return 0
    if follows in words.scales or follows in words.units or before in words.units:
        return 0
    is_decade = follows == "s" and not year % 10
    dates.append(Date(year, 0, 0, items[place].start, items[place].end, is_decade))
    second = _number(items, place + 1, range(100))
    if second and lower[items[place].end : items[place + 1].start] in ("-", "/"):
        end = year - year % 100 + second
        dates.append(Date(end, 0, 0, items[place + 1].start, items[place + 1].end))
        return place + 2
    return place + 1


def _day(items: list[_Item], place: int, dates: list[Date]) -> int:
    """Read a day with its month behind it: 12 March, 12th of March 2019; 0 where there is none."""
    day = _number(items, place, range(1, 32))
    after = place + 1
    while after < len(items) and after < place + 3 and items[after].text in _BETWEEN:
        after += 1
    month = wordings().months.get(items[after].text, 0) if after < len(items) else 0
    if not day or not month:
        return 0
    year = _number(items, after + 1, YEARS)
    last = after + bool(year)
    dates.append(Date(year, month, day, items[place].start, items[last].end))
    return last + 1


def _month(items: list[_Item], place: int, dates: list[Date]) -> int:
    """Read a month with day or year behind it: March 12, 2019; March 2019; 0 where there is none.

    A month without either is no date: "may" and "march" are also other words.
    """
    month = wordings().months[items[place].text]
    day = _number(items, place + 1, range(1, 32))
    after = place + 1 + bool(day)
    while day and after < len(items) and items[after].text in _BETWEEN:
        after += 1
    year = _number(items, after, YEARS)
    if not day and not year:
        return 0
    last = after if year else place + 1
    dates.append(Date(year, month, day, items[place].start, items[last].end))
    return last + 1


_BETWEEN = frozenset(("st", "nd", "rd", "th", "of"))
