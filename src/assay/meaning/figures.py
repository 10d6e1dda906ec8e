"""Numbers with units, dates, weekdays, times of day and rates, in one form however written.

"1.5 million" is 1,500,000, "٣٠ يومًا" is "thirty days", "half" is 50 %, "2 pm" is 14:00 and
"every second Friday" is once in 14 days.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from assay.data.meaning import Unit

Kind = Literal["number", "date", "weekday", "time", "rate"]
ROUNDING = 0.006
"""How far, as a share, amounts in different units may lie apart: 26.2 miles are 42.195 km."""
DEGREES = 0.6
"""How many degrees Celsius temperatures on different scales may lie apart."""
MONEY = "money"
"""The measure of all currencies."""
SPAN = "span"
"""The measure of hours and days, and of months and years."""
CALENDAR = 0.02
"""How far, as a share, days and months may lie apart: 30 days are a month, 365 a year."""
HALF_PERCENT = 0.5
"""How far a fraction may lie from its percentage: a third is 33 %."""
WITH_CENTS = frozenset(("cent", "eur", "usd"))
"""The currencies whose hundredth is a cent."""
HOURS = range(7, 25)
"""Plain numbers that may be hours of the day."""
NO_UNIT = Unit("", 1.0)
_MEASURES = frozenset(
    (
        *("usd", "eur", "cent", "gbp", "inr", "jpy", "chf", "cny"),
        *("sar", "aed", "egp", "dinar", "qar", "omr", "kwd", "bhd", "jod", "iqd", "tnd", "dzd"),
    )
)


NEAR_LIMIT, NEAR_MEASURE = 1.5, 4.0
"""Counted things or shares, and amounts, say nothing of a limit so many times as large or small."""


class Figure(NamedTuple):
    """A number, date, weekday, time of day or rate with its place in the normalised text."""

    kind: Kind
    value: float
    """A number in its own unit; minutes since midnight; days between two events; 1 for Monday."""
    start: int
    end: int
    unit: Unit = NO_UNIT
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
            return any(
                _year_number(*pair) or _hour_number(*pair)
                for pair in ((self, other), (other, self))
            )
        if self.limit and other.limit and self.limit != other.limit:
            return False
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
        one, two = self.unit.dimension, other.unit.dimension
        if one and two and one != two:
            if measure_of(one) == measure_of(two) == SPAN:
                a, b = days_of(self), days_of(other)
                return abs(a - b) <= CALENDAR * max(a, b)
            if "cent" in (one, two):
                own, its = self.value * self.unit.factor, other.value * other.unit.factor
                return {one, two} <= WITH_CENTS and abs(own - its) < 1e-9
            degrees = _celsius(self), _celsius(other)
            return None not in degrees and abs(degrees[0] - degrees[1]) <= DEGREES  # type: ignore[operator] # neither is None
        if self.unit == other.unit or not one or not two:
            if abs(self.value - other.value) <= 1e-9 * max(abs(self.value), abs(other.value)):
                return True
            if one == two == "%" and not (self.value.is_integer() and other.value.is_integer()):
                return abs(self.value - other.value) <= HALF_PERCENT
            if {one, two} == {"", "%"}:
                return abs(self.value - other.value * 100) < 1e-6 or (
                    abs(self.value * 100 - other.value) < 1e-6
                )
            return False
        a, b = self.value * self.unit.factor, other.value * other.unit.factor
        return abs(a - b) <= ROUNDING * max(abs(a), abs(b))

    def holds_for(self, exact: Figure) -> bool:
        """Whether an exact amount lies within this limit: 340 people are more than 300."""
        if not self.limit or exact.limit or {self.kind, exact.kind} != {"number"}:
            return False
        if self.unit.dimension != exact.unit.dimension:
            return False
        own, its = self.value * self.unit.factor, exact.value * exact.unit.factor
        most = NEAR_LIMIT if self.unit.dimension in ("", "%") else NEAR_MEASURE
        is_near = max(own, its) <= most * min(own, its)
        return is_near and (its > own if self.limit == "least" else its < own)

    def rivals(self, other: Figure) -> bool:
        """Whether the two answer the same question, so that one excludes the other."""
        if self.kind != other.kind:
            return False
        if self.kind == "number":
            one, two = self.unit.dimension, other.unit.dimension
            is_alike = one == two or not one or not two or measure_of(one) == measure_of(two)
            return is_alike or self.value == other.value
        if self.kind == "date":
            return any(a and b for a, b in zip(self.date, other.date, strict=True))
        return True


def measure_of(dimension: str) -> str:
    """One name for all currencies, temperatures and lengths of time; else the dimension."""
    if dimension in _MEASURES:
        return MONEY
    if dimension in ("duration", "calendar"):
        return SPAN
    return "temperature" if dimension in ("celsius", "fahrenheit", "kelvin") else dimension


def amount_measure(figure: Figure) -> str:
    """What a figure is an amount of; empty for a bare number."""
    return figure.kind if figure.kind == "weekday" else measure_of(figure.unit.dimension)


def days_of(figure: Figure) -> float:
    """A length of time in days; months have 30.44."""
    own = figure.value * figure.unit.factor
    return own / 86_400 if figure.unit.dimension == "duration" else own * 30.44


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


def _hour_number(one: Figure, other: Figure) -> bool:
    """Whether a plain number is an hour that the other one says: "open 13 to 18" is from 1 pm."""
    if one.kind != "number" or other.kind != "time" or one.unit.dimension:
        return False
    is_hour = one.value in HOURS and not (one.is_word or one.is_ordinal)
    return is_hour and one.value * 60 % 1440 == other.value


def _same_date(one: Figure, other: Figure) -> bool:
    swapped = (one.date[0], one.date[2], one.date[1])
    own = [one.date, swapped] if one.is_loose != other.is_loose else [one.date]
    for date in own:
        pairs = [(a, b) for a, b in zip(date, other.date, strict=True) if a and b]
        if pairs and all(a == b for a, b in pairs):
            return True
    return False
