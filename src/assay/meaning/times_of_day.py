"""Times of day in digits and in words: 9:30, 2 pm, half past six, التاسعة والنصف صباحا."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from assay.data.meaning import meaning_words
from assay.meaning.figures import Figure
from assay.meaning.number_words import ordinal_value, small_number
from assay.meaning.words import Word

_ARABIC_HALVES = "صباحا?|مساء|ظهرا?|فجرا?|عصرا?|ليلا"
_CLOCK = re.compile(
    rf"(?:الساع[ةه]\s)?\b(\d{{1,2}})[:.](\d{{2}})(?::\d{{2}})?(?:\s*([ap]m\b|{_ARABIC_HALVES}|uhr))?"
)
_HOUR = re.compile(rf"(?:الساع[ةه]\s)?\b(\d{{1,2}})\s*([ap]m\b|o'clock|{_ARABIC_HALVES})")
_HALF_DAYS = ("صباح", "فجر", "مساء", "ظهر", "عصر", "ليلا")
_BEFORE_NOON, _AFTERNOON = ("a", "ص", "ف"), ("p", "م", "ظ", "ع")
_ONE = "واحده"
"""One o'clock in Arabic, the only hour that is no ordinal."""
_NAMED_HOURS = {"noon": "pm", "midday": "pm", "midnight": "am"}
HOURS = range(1, 13)
"""Hours that ordinals name."""
_NIGHT = "night"
SMALL_HOURS = 4
"""Up to this hour, and at twelve, "at night" is behind midnight."""
_ARABIC_PAST = {"والنصف": 30.0, "ونصف": 30.0, "والربع": 15.0, "وربع": 15.0, "والثلث": 20.0}
_ARABIC_TO = {"ربعا": -15.0, "ربع": -15.0, "الربع": -15.0, "ثلثا": -20.0}


def clock_times(lower: str) -> list[Figure]:
    """The times in digits: 9:30, 2 pm. Beside 22:00, 7:00 is in the morning, and so is 07:00."""
    times = []
    matches = [*_CLOCK.finditer(lower)]
    has_24_hours = any(":" in match.group() and 13 <= int(match[1]) < 25 for match in matches)
    for match in matches:
        hour, minute, half = int(match[1]), int(match[2]), match[3]
        is_time = ":" in match.group() or half
        if is_time and hour < 25 and minute < 60:
            start, end = match.span()
            if not half:
                half, end = _half_behind(lower, end)
            value, is_loose = _of_day(hour, half)
            is_loose = is_loose and not has_24_hours and match[1][0] != "0"
            times.append(Figure("time", value + minute, start, end, is_loose=is_loose))
    for match in _HOUR.finditer(lower):
        if int(match[1]) < 25:
            value, is_loose = _of_day(int(match[1]), match[2])
            times.append(Figure("time", value, *match.span(), is_loose=is_loose))
    return times


def _half_behind(lower: str, end: int) -> tuple[str | None, int]:
    """Which half of the day the words behind a time say: "in the morning"; and where they end."""
    rest = lower[end : end + 24].lstrip()
    for phrase, half in meaning_words().half_days.items():
        if rest.startswith(phrase):
            return half, lower.index(phrase, end) + len(phrase)
    return None, end


def _of_day(hour: int, half: str | None) -> tuple[float, bool]:
    """Minutes since midnight, and whether the half of the day is open."""
    letter = (half or "")[:1]
    if letter == "ل":  # "at night"
        letter = "a" if hour == 12 or hour <= SMALL_HOURS else "p"
    if letter in _AFTERNOON and hour < 12:
        hour += 12
    if letter in _BEFORE_NOON and hour == 12:
        hour = 0
    is_said = letter in (*_BEFORE_NOON, *_AFTERNOON)
    return 60.0 * (hour % 24), not is_said and 1 <= hour <= 12


def arabic_hour(words: Sequence[Word], place: int, result: list[Figure]) -> int:
    """An Arabic hour in words: التاسعة صباحا, الواحدة ظهرا; 0 where there is none."""
    word = words[place]
    is_one = word.bare == _ONE and word.has_article
    if word.text.isascii() or not (is_one or word.bare in meaning_words().ordinals):
        return 0
    hour, after = (1, place + 1) if is_one else ordinal_value(words, place)
    if hour not in HOURS:
        return 0
    minutes, after = _arabic_minutes(words, after)
    following = words[after].bare if after < len(words) else ""
    is_half = following.startswith(_HALF_DAYS)
    is_hour = place > 0 and words[place - 1].bare == "ساعه"
    if not is_half and not is_hour and not (minutes and word.has_article):
        return 0
    value, is_loose = _of_day(int(hour), following if is_half else None)
    start = words[place - 1].start if is_hour else word.start
    end = words[after - 1 + is_half].end
    result.append(Figure("time", (value + minutes) % 1440, start, end, is_loose=is_loose))
    return after + is_half


def _arabic_minutes(words: Sequence[Word], place: int) -> tuple[float, int]:
    """Minutes of والنصف, والربع and إلا ربعا behind an hour, and the place behind; else 0."""
    texts = [word.text for word in words[place : place + 2]]
    if texts and (minutes := _ARABIC_PAST.get(texts[0])):
        return minutes, place + 1
    if texts and texts[0] == "الا" and (minutes := _ARABIC_TO.get(texts[-1])):
        return minutes, place + 2
    return 0.0, place


def spoken_time(words: Sequence[Word], place: int, result: list[Figure]) -> int:
    """Nine in the morning, half past six, a quarter to midnight; 0 where there is none."""
    if place + 1 >= len(words) or words[place + 1].text not in _behind_hours():
        return 0
    minutes, after = _past_or_to(words, place)
    hour = _hour(words, after)
    half, end = _half_day(words, after + 1)
    if minutes and after < len(words) and words[after].text in _NAMED_HOURS:
        hour, half = 12, _NAMED_HOURS[words[after].text]
    if not hour or not (after > place or half) or (after == place and _is_date_part(words, place)):
        return 0
    if half and words[end - 1].text == _NIGHT and (hour == 12 or hour <= SMALL_HOURS):
        half = "am"
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
    minutes = share * 0.6 if share else small_number(word)
    if not minutes or (follows == "to" and not share and not _is_spoken_to(words, place)):
        return 0.0, place
    return (minutes if follows == "past" else -minutes), place + 2


def _is_spoken_to(words: Sequence[Word], place: int) -> bool:
    """Whether "ten to" is before an hour and no range: "at ten to nine", "ten to midnight"."""
    is_at = place > 0 and words[place - 1].text == "at" and not words[place].is_number
    return is_at or (place + 2 < len(words) and words[place + 2].text in _NAMED_HOURS)


def _hour(words: Sequence[Word], place: int) -> int:
    hour = small_number(words[place]) if place < len(words) else 0
    return int(hour) if 1 <= hour <= 12 and hour == int(hour) else 0


def _half_day(words: Sequence[Word], place: int) -> tuple[str | None, int]:
    """Which half of the day the words at a place say, and the place behind them."""
    if place < len(words) and words[place].text in ("am", "pm"):
        return words[place].text, place + 1
    if place + 1 < len(words) and words[place].text == "o'clock":
        return _half_day(words, place + 1)
    if place >= len(words) or words[place].text not in _half_day_starts():
        return None, place
    for count in (3, 2):
        own = words[place : place + count]
        if half := meaning_words().half_days.get(" ".join([word.text for word in own])):
            return half, place + len(own)
    return None, place


@cache
def _behind_hours() -> frozenset[str]:
    """Words of which one stands behind the first word of every time in words."""
    return _half_day_starts() | {"past", "to", "am", "pm", "o'clock"}


@cache
def _half_day_starts() -> frozenset[str]:
    """The first words of phrases for a half of the day."""
    return frozenset(phrase.split()[0] for phrase in meaning_words().half_days)


def _is_date_part(words: Sequence[Word], place: int) -> bool:
    """Whether a number stands behind a month: "on May 5 in the morning"."""
    return place > 0 and words[place - 1].bare in meaning_words().months
