"""Opening hours: the days of the week with their hours, as in "Mon-Fri 8am-6pm, Sat 9-13"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise

from assay.data.bundled_files import read_bundled_toml
from assay.data.meaning import ARABIC_FOLDED, meaning_words
from assay.meaning.foreign_dates import foreign_weekdays
from assay.meaning.value_kinds import TABLE, unaccented

Hours = frozenset[tuple[int, int]]
"""From and to, in minutes after midnight."""
MAX_LENGTH = 200
"""Longer texts are no opening hours."""
EVERY_DAY = range(1, 8)
SEVERAL = {"working_days": range(1, 6), "weekend_days": range(6, 8), "daily_words": EVERY_DAY}
"""List of words → the days that they mean, from 1 for Monday."""
_TOKEN = re.compile(r"[^\W\d_]+|-|–")
_SHORT = {"am": "ص", "pm": "م"}
"""Halves of a day, as they are abbreviated in Arabic."""
_HALF_DAY = 12 * 60


def schedule(text: str) -> Mapping[int, Hours] | None:
    """Day of the week → its hours, of a normalised lower-case text; None where it says more."""
    if len(text) > MAX_LENGTH:
        return None
    parts = re.split(r"([,;،؛])", text.translate(ARABIC_FOLDED))
    text = "".join("" if _is_closed(part) else part for part in parts)
    result: dict[int, Hours] = {}
    days: list[int] = []
    end = 0
    for match in _hours_pattern().finditer(text):
        named, hours = _days(text[end : match.start()]), _hours(match)
        if named is None or hours is None or not (named or days):
            return None
        days = named or days
        for day in days:
            result[day] = result.get(day, frozenset()) | {hours}
        end = match.end()
    return result if result and not text[end:].strip(" .;,،؛") else None


def _is_closed(part: str) -> bool:
    """Whether a part of opening hours names days on which all is closed: "Sun closed"."""
    words = _TOKEN.findall(part)
    closed = meaning_words().lists["closed"]
    rest = " ".join(word for word in words if word not in closed)
    return len(rest.split()) < len(words) and not any(map(str.isdigit, part)) and bool(_days(rest))


def _hours(match: re.Match[str]) -> tuple[int, int] | None:
    """From and to; "9-5" ends in the afternoon, and "1-5pm" begins in it."""
    from_hour, from_minute, from_half, to_hour, to_minute, to_half = match.groups()
    start, end = _minutes(from_hour, from_minute, from_half), _minutes(to_hour, to_minute, to_half)
    if not to_half and end < start <= _HALF_DAY:
        end += _HALF_DAY
    if to_half and not from_half and start + _HALF_DAY < end:
        start += _HALF_DAY
    is_past = max(int(from_minute or 0), int(to_minute or 0)) > 59 or max(start, end) > 24 * 60
    return None if is_past else (start, end)


def _minutes(hour: str, minute: str | None, half: str | None) -> int:
    total = int(hour) * 60 + int(minute or 0)
    if not half:
        return total
    is_late = half[0] == "p" or half in _halves()["pm"]
    return total % _HALF_DAY + (_HALF_DAY if is_late else 0)


@cache
def _halves() -> Mapping[str, tuple[str, ...]]:
    """The words for the halves of a day behind an hour, as Arabic texts have them."""
    clock = read_bundled_toml(TABLE)["rewritten"]["clock"]
    words = {half: tuple(word.translate(ARABIC_FOLDED) for word in clock[half]) for half in _SHORT}
    return {half: (*own, _SHORT[half]) for half, own in words.items()}


@cache
def _hours_pattern() -> re.Pattern[str]:
    """Finds "9:00-17:00", "8am to 6pm" and the like."""
    halves = "|".join((r"[ap]\.?m\.?", *_halves()["am"], *_halves()["pm"]))
    time = rf"(\d{{1,2}})(?:[:.h](\d{{2}}))?[ ]?({halves})?(?!\w)"
    joints = "|".join(sorted(meaning_words().lists["range_joints"]))
    return re.compile(rf"(?<![\w:.]){time}[ ]?(?:{joints})[ ]?{time}")


def _days(text: str) -> list[int] | None:
    """The days that words name, one by one or from one to another; None where they say more."""
    table = meaning_words()
    lists = table.lists
    weekdays = {**foreign_weekdays(), **table.weekdays, **table.short_weekdays}
    result: list[int] = []
    is_range = False
    for token in _joined(_TOKEN.findall(text)):
        several = next((own for name, own in SEVERAL.items() if token in lists[name]), None)
        day = weekdays.get(unaccented(token).removeprefix("ال"))
        if several is not None:
            result += several
        elif day is not None and is_range and result:
            result += _until(result[-1], int(day))
        elif day is not None:
            result.append(int(day))
        elif token not in lists["range_joints"] and token not in lists["beside_days"]:
            return None
        is_range = token in lists["range_joints"]
    return result


def _joined(tokens: list[str]) -> Iterator[str]:
    """The words, "every day" as one."""
    skipped = False
    for one, following in pairwise([*tokens, ""]):
        pair = f"{one} {following}"
        if skipped:
            skipped = False
        elif pair in meaning_words().lists["daily_words"]:
            skipped = True
            yield pair
        else:
            yield one


def _until(first: int, last: int) -> Iterator[int]:
    """The days behind one, up to another, over the end of the week if need be."""
    for distance in range(1, (last - first) % 7 + 1):
        yield (first + distance - 1) % 7 + 1
