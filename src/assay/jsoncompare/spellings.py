"""Values that say the same in other words: "2x daily" and "twice a day", "Q3" and "third quarter".

The comparison by kind (`meaning/same_value.py`) speaks first. Where it finds a difference between
two short values, both are rewritten by the table `rewritten` of `field_values.toml` and by the
plain letters of Arabic, and compared once more: rewriting can only make values the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from assay.data.bundled_files import read_bundled_toml
from assay.data.meaning import ARABIC_FOLDED
from assay.meaning.same_value import ValueMatch, compare_values
from assay.meaning.value_kinds import TABLE, hints
from assay.textproc.normal import normalise

LONGEST = 80
"""Characters of a value up to which it is rewritten: longer ones are free text."""
MAX_DEPTH = 5
"""Objects inside more objects than this are compared once."""
_FULL_HOURS = re.compile(r"(\d{1,2}) ?- ?(\d{1,2})")
_MINUTES = re.compile(r"\d{1,2}:\d{2} ?- ?\d{1,2}:\d{2}")
_PER = re.compile(r"(?<=\d)\s*/\s*(?=[a-z])")
_OUT_OF = re.compile(r"(?<=\d)\s+(?:out of|من)\s+(?=\d)")
_SIGNED = re.compile(r"(?<=[a-z])\s+(?=[+-]\d)")
_DOTTED = re.compile(r"(?<=\b[^\W\d_])\.\s?")
_SLASHED = re.compile(r"[^\W\d_]{2,}(?:/[^\W\d_]{2,}){2,}")
_FEMININE = re.compile(r"(?<=[\u0621-\u064a]{3})ه\b")


def compare_spellings(field: str, expected: Any, actual: Any, *, depth: int = 0) -> ValueMatch:
    """Compare two values of a field, and once more in other words where they differ."""
    match = compare_values(field, expected, actual)
    if match.is_same:
        return match
    if isinstance(expected, Mapping) and isinstance(actual, Mapping) and depth < MAX_DEPTH:
        return _objects(match, expected, actual, depth + 1)
    if not (_is_short(expected) and _is_short(actual)):
        return match
    one, other = _hours(rewritten(str(expected)), rewritten(str(actual)))
    is_label = "label" in hints(field)
    if one and _letters(one, is_label=is_label) == _letters(other, is_label=is_label):
        return match._replace(is_same=True, reason="", is_open=False)
    again = compare_values(field, one, other)
    return again._replace(kind=match.kind) if again.is_same else match


def _objects(
    match: ValueMatch, expected: Mapping[str, Any], actual: Mapping[str, Any], depth: int
) -> ValueMatch:
    """Two objects that differ, compared part by part in other words."""
    is_same = expected.keys() == actual.keys() and all(
        compare_spellings(str(key), own, actual[key], depth=depth).is_same
        for key, own in expected.items()
    )
    return match._replace(is_same=True, reason="", is_open=False) if is_same else match


def _hours(one: str, other: str) -> tuple[str, str]:
    """Two values, "9-17" written as "9:00-17:00" where the other one has minutes."""
    if _FULL_HOURS.fullmatch(one) and _MINUTES.fullmatch(other):
        return _FULL_HOURS.sub(r"\1:00-\2:00", one), other
    if _FULL_HOURS.fullmatch(other) and _MINUTES.fullmatch(one):
        return one, _FULL_HOURS.sub(r"\1:00-\2:00", other)
    return one, other


def _is_short(value: Any) -> bool:
    is_plain = isinstance(value, str | int | float) and not isinstance(value, bool)
    return is_plain and len(str(value)) <= LONGEST


def rewritten(text: str) -> str:
    """A short value in the words that are compared."""
    text = _clock().sub(_clock_time, normalise(text).lower)
    if _SLASHED.fullmatch(text):
        text = text.replace("/", ", ")
    text = _SIGNED.sub("", text)
    text = _DOTTED.sub("", _OUT_OF.sub("/", _PER.sub(" per ", text)))
    forms, counted = _forms(), _counted()
    text = counted.sub("", _pattern().sub(lambda found: forms[found.group()], text))
    return " ".join(text.split()).strip(" .,;")


def _letters(text: str, *, is_label: bool) -> str:
    """The text in plain letters of Arabic; labels without the ending of the feminine."""
    text = text.translate(ARABIC_FOLDED)
    return _FEMININE.sub("", text) if is_label else text


@cache
def _forms() -> Mapping[str, str]:
    """Every listed wording → the form that is compared."""
    listed = read_bundled_toml(TABLE)["rewritten"]
    return {word: group[0] for group in listed["words"] for word in group}


@cache
def _pattern() -> re.Pattern[str]:
    words = sorted(_forms(), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, words))})(?!\w)")


@cache
def _counted() -> re.Pattern[str]:
    listed = read_bundled_toml(TABLE)["rewritten"]["counted"]
    return re.compile(rf"(?<=\d)\s?(?:{'|'.join(map(re.escape, listed))})(?!\w)")


@cache
def _clock() -> re.Pattern[str]:
    """A time of day in Arabic words: الساعة الثالثة والنصف عصرا."""
    clock = read_bundled_toml(TABLE)["rewritten"]["clock"]
    hours = "|".join(sorted(clock["hours"], key=len, reverse=True))
    halves = "|".join(sorted((*clock["am"], *clock["pm"]), key=len, reverse=True))
    return re.compile(
        rf"(?<!\w)(?:الساعة )?({hours})(?: ({'|'.join(clock['parts'])}))? ({halves})(?!\w)"
    )


def _clock_time(match: re.Match[str]) -> str:
    clock = read_bundled_toml(TABLE)["rewritten"]["clock"]
    hour, part, half = match.groups()
    number = clock["hours"].index(hour) + 1
    minutes = clock["parts"][part] if part else 0
    return f"{number}:{minutes:02} {'am' if half in clock['am'] else 'pm'}"
