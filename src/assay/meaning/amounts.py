"""Amounts: a number with its scale, unit and limit, and fractions of a unit."""

from __future__ import annotations

from collections.abc import Sequence

from assay.data.meaning import Unit, meaning_words
from assay.meaning.figures import NO_UNIT, Figure
from assay.meaning.words import Word


def amount(
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
    unit, end_place = currency or NO_UNIT, after
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
    return NO_UNIT, after


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


def fraction(words: Sequence[Word], place: int, result: list[Figure]) -> int:
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
