"""Numbers in digits and in words."""

from __future__ import annotations

from collections.abc import Sequence

from assay.data.meaning import meaning_words
from assay.meaning.words import Word

_ARABIC_TENS = {"عشر": 10, "عشره": 10, "عشرون": 20, "عشرين": 20, "ثلاثون": 30, "ثلاثين": 30}
"""What stands behind an Arabic ordinal of more than one word: الثالث عشر, الحادي والعشرين."""


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
    total, value, after = 0.0, float(table.numbers[number_key(words[place])]), place + 1
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
