"""How often something happens, in days between two events: weekly, twice a month."""

from __future__ import annotations

from collections.abc import Sequence

from assay.data.meaning import Unit, meaning_words
from assay.meaning.figures import SPAN, Figure, measure_of
from assay.meaning.number_words import decimal_value, number_in_words, number_key
from assay.meaning.words import Word

_EVERY = frozenset(("every", "each", "per", "a", "an", "كل", "في"))
_PERIODS = {"duration": 86_400.0, "calendar": 1 / 30}
"""Dimension → what makes days of its base."""
_OTHER = frozenset(("other", "second", "alternate"))
DAY = Unit("duration", 86_400.0)
NEAR_PRICE = 2
"""So many words may stand between a price and its period: 5 euros for adults per day."""
OF_THE = 4
"""Words before the period of "the first Monday of the month"."""
_PER = frozenset(("per", "a", "an", "في"))
_FOR_THE = "لل"
"""Begins an Arabic period behind a price: 70 درهما لليلة."""
_HOW_MANY = "كم"
_DAY = "يوم"
"""Stands before an Arabic weekday and says nothing there."""


def rate(words: Sequence[Word], place: int, result: list[Figure]) -> int:
    """Twice a week, every second Friday, once every two weeks, weekly; 0 where there is none."""
    table, word = meaning_words(), words[place]
    if word.bare in table.rates:
        period = table.rates[word.bare]
        if place and result and result[-1].end == words[place - 1].end:
            period = _between_days(result[-1], period)
        result.append(Figure("rate", period, word.start, word.end))
        return place + 1
    if place and words[place - 1].text == _HOW_MANY:
        return 0
    times, after = 1.0, place
    if word.text in table.times or word.bare in table.times:
        times, after = table.times.get(word.text, table.times.get(word.bare, 1)), place + 1
    elif (word.is_number or word.text in table.numbers or word.bare in table.numbers) and (
        place + 1 < len(words) and words[place + 1].bare in ("times", "مرات")
    ):
        times = decimal_value(word.text) if word.is_number else table.numbers[number_key(word)]
        after = place + 2
    elif word.text not in ("every", "each", "كل"):
        return 0
    if after > place:
        if after < len(words) and (days := table.rates.get(words[after].bare)):
            result.append(Figure("rate", days / times, word.start, words[after].end))
            return after + 1
        while after < len(words) and words[after].text in ("on", "واحده"):
            after += 1
    if after >= len(words) or words[after].text not in _EVERY or not times:
        return 0
    after += 1
    period = 1.0
    if after + 1 < len(words) and words[after].bare in table.fractions:
        period, after = table.fractions[words[after].bare] / 100, after + 1
        while after + 1 < len(words) and words[after].text in ("of", "a", "an"):
            after += 1
    if after + 1 < len(words) and words[after].text == _DAY:
        after += words[after + 1].bare in table.weekdays
    if after < len(words) and words[after].text in _OTHER:
        period, after = 2.0, after + 1
    elif after < len(words) and words[after].is_number:
        period, after = decimal_value(words[after].text), after + 1
    elif after < len(words) and words[after].bare in table.ordinals:
        period, after = table.ordinals[words[after].bare], after + 1
    elif (
        after < len(words)
        and number_key(words[after]) in table.numbers
        and words[after].bare not in table.weekdays
    ):
        period, after = number_in_words(words, after)
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


def monthly_day(words: Sequence[Word], place: int, result: list[Figure]) -> int:
    """How often the first Monday of the month comes; 0 where no such day stands before a period."""
    if place < OF_THE or [word.text for word in words[place - 2 : place]] != ["of", "the"]:
        return 0
    day, number = words[place - 3], words[place - 4]
    table = meaning_words()
    is_day = day.bare in table.weekdays or day.text == "day"
    if not is_day or (number.bare not in table.ordinals and number.text != "last"):
        return 0
    result.append(Figure("rate", _period(words[place]), words[place - 2].start, words[place].end))
    return place + 1


def price_period(words: Sequence[Word], place: int, result: list[Figure]) -> int:
    """The period of a price or a time: 5 euros a week, two days a week; 0 where there is none."""
    first = place - (3 if place > 2 and words[place - 1].text == "and" else 1)
    if words[place].text.startswith(_FOR_THE):
        first = place
    elif first < 1 or words[first].text not in _PER:
        return 0
    price = result[-1] if result else None
    measure = measure_of(price.unit.dimension) if price else ""
    if price is None or measure not in ("money", SPAN):
        return 0
    between = [word.bare for word in words[:first] if word.start >= price.end]
    most = NEAR_PRICE if measure == "money" else 0  # "two days a week", but "a day of two weeks"
    if len(between) > most or not meaning_words().fractions.keys().isdisjoint(between):
        return 0
    days = _between_days(price, _period(words[place]))
    result.append(Figure("rate", days, words[first].start, words[place].end))
    return place + 1


def _between_days(amount: Figure, period: float) -> float:
    """Days of a period for each day that an amount names: "two days a week" is twice in 7 days."""
    is_days = amount.unit == DAY and amount.value > 0
    return period / amount.value if is_days else period


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
