"""Numbers in digits and in words."""

from __future__ import annotations

from collections.abc import Sequence

from assay.data.meaning import meaning_words
from assay.meaning.words import Word

_ARABIC_TENS = {"عشر": 10, "عشره": 10, "عشرون": 20, "عشرين": 20, "ثلاثون": 30, "ثلاثين": 30}
"""What stands behind an Arabic ordinal of more than one word: الثالث عشر, الحادي والعشرين."""

_TWO_OR_ONE = frozenset(("الفا", "مليونا", "مليارا"))
"""Two before what is counted; elsewhere one in the accusative."""


def decimal_value(text: str) -> float:
    """The value of digits with commas and points."""
    if "," in text and "." not in text and len(text.rpartition(",")[2]) != 3:
        text = text.replace(",", ".", 1) if text.count(",") == 1 else text
    text = text.replace(",", "")
    if text.count(".") > 1:
        text = text.replace(".", "")
    return float(text[:25])


def number_in_words(words: Sequence[Word], place: int) -> tuple[float, int]:
    """A number in words: twenty five, two hundred and five, خمسة وعشرون."""
    table = meaning_words()
    total, value, after = 0.0, _first_number(words, place), place + 1
    if value >= 1000 and not words[place].text.isascii():
        total, value = value, 0.0
    while after < len(words) and words[after].start - words[after - 1].end <= 4:
        word = words[after]
        key = number_key(word)
        if (
            word.text == "and"
            and after + 1 < len(words)
            and value >= 100
            and (number_key(words[after + 1]) in table.numbers)
        ):
            after += 1
            continue
        if key in table.scales and not (key in table.numbers and word.text.startswith("و")):
            scale = table.scales[key]
            if not value:
                total *= scale
            value *= scale
            if value >= 1000:
                total, value = total + value, 0.0
            after += 1
        elif key in table.numbers and word.text not in ("احد", "واحد"):
            following = table.numbers[key]
            is_arabic = not word.text.isascii()
            is_english = (value >= 20 and following < 10) or value >= 100 or not value
            if not (_is_added(word, value, following) if is_arabic else is_english):
                break
            if is_arabic and following >= 1000:
                total += following
            else:
                value += following
            after += 1
        else:
            break
    return total + value, after


def _first_number(words: Sequence[Word], place: int) -> float:
    """The number of one word; "ألفا دينار" are two thousand, "ألفا ومئتين" is one and a part."""
    key = number_key(words[place])
    value = float(meaning_words().numbers[key])
    after = words[place + 1].text if place + 1 < len(words) else ""
    is_one = key in _TWO_OR_ONE and (not after or after.startswith("و"))
    return value / 2 if is_one else value


def _is_added(word: Word, value: float, following: float) -> bool:
    """Whether an Arabic number adds to the one before: مئة و + خمسة و + عشرون, خمسة + عشر."""
    if not word.text.startswith("و"):
        return following == 10 and 0 < value % 100 < 10
    if following < 20:
        return value % 100 == 0
    return value % 100 < 10 if following < 100 else not value


def number_key(word: Word) -> str:
    """The form of a word under which the table of numbers may list it."""
    return word.text if word.text in meaning_words().numbers else word.bare


def small_number(word: Word) -> float:
    """A whole number up to 59, in digits or words; 0 for another word."""
    if word.is_number:
        return float(word.text) if word.text.isdecimal() and len(word.text) < 3 else 0.0
    value = meaning_words().numbers.get(word.text, 0) if word.text.isascii() else 0
    return float(value) if value < 60 else 0.0


def whole_number(words: Sequence[Word], place: int, allowed: range) -> int:
    """The whole number in digits at a place if it is allowed, else 0."""
    text = words[place].text if 0 <= place < len(words) else ""
    return int(text) if text.isdecimal() and len(text) < 5 and int(text) in allowed else 0


def ordinal_value(words: Sequence[Word], place: int) -> tuple[float, int]:
    """The number of an ordinal in words, Arabic tens behind it included, and the place behind."""
    value, after = meaning_words().ordinals[words[place].bare], place + 1
    tens = _ARABIC_TENS.get(words[after].bare, 0) if after < len(words) else 0
    return (value + tens, after + 1) if tens else (value, after)
