"""Amounts, times and ranges as people write them, read by the reader of free text.

`value_kinds` reads the plain forms exactly. What it cannot read, such as "half past two", "a
quarter", "5 ft 11 in" or "9 am to 5 pm", is read here: as one figure that is all of the text, or as
a range between two.
"""

from __future__ import annotations

import re

from assay.data.meaning import meaning_words
from assay.meaning.figures import Figure
from assay.meaning.reading import read
from assay.textproc.normal import normalise

MAX_LENGTH = 60
"""Longer texts hold more than one amount."""
_RANGE = re.compile(
    r"^(?:between |from |من |بين )?(.{1,24}?)\s*"
    r"(?:-|–|—|\bto\b|\buntil\b|\btill\b|\band\b|\bthrough\b|إلى|الى|حتى|(?<=\d) و(?=\d))"
    r"\s*(.{1,24})$"
)
_MINUS = re.compile(r"^(?:minus |negative |ناقص |سالب |-)(?=\d)")
_FEET = re.compile(r"^(\d+)\s*'\s*(\d+)\s*(?:\"|'')?$")
_SHORT_TIME = re.compile(r"^(\d+) ?h(?:ours?|rs?)? ?(\d+) ?m(?:in(?:ute)?s?)?$")
_HOURS = re.compile(r"^(\d+) ?h ?([0-5]\d)$")
"""A length of time, or a time of day: "1 h 30"."""
_FRACTION = re.compile(r"^(\d{1,6}) ?(?:/|out of|of|من) ?(\d{1,6})$")
_PER = re.compile(r"^([\d.,]+) ?(\D+?) ?(?:/|per) ?(\D+)$")
_SPEEDS = {("km", "h"): "kmh", ("mi", "h"): "mph"}
_SQUARE = re.compile(
    r"(?:\bsq(?:uare)?\.? ?(m|k?m|ft|feet|foot|met(?:er|re)s?)\b|\b(k?m|ft) ?[2²])"
)
_AREA = re.compile(r"^([\d.,]+) ?(sq[mkf])$")
_MONEY = re.compile(r"^(us ?\$|[$€£])\s?([\d.,]+) ?(k|m|mn|mio|bn|b)$")
_SCALES = {"k": "thousand", "m": "million", "mn": "million", "mio": "million"}
_ADJECTIVES = re.compile(
    r"(?<=ريال) سعودي|(?<=ريالا) سعوديا|(?<=درهم) [إا]ماراتي|(?<=درهما) [إا]ماراتيا"
    r"|(?<=جنيه) مصري|(?<=جنيها) مصريا|(?<=دولار) [أا]مريكي|(?<=دولارا) [أا]مريكيا"
)
"""The countries of the currencies that the words mean by themselves."""
_HALF = re.compile(r"^(\S+) و(نصف|ربع|ثلث)$")
_PARTS = {"نصف": "1.5", "ربع": "1.25", "ثلث": "1.33"}
_PARTS_OF_DAY = {"morning": 0, "afternoon": 720, "evening": 720, "night": 720}


def figure_of(text: str) -> Figure | None:
    """The amount, time, date or rate that the whole text is; None where it says more or less."""
    if len(text) > MAX_LENGTH:
        return None
    normal = normalise(_written_out(text))
    reading = read(normal.text, normal.lower)
    if len(reading.figures) != 1:
        return None
    figure = reading.figures[0]
    rest = {w.text for w in reading.words if not (figure.start <= w.start < figure.end)}
    half = next((part for word, part in _PARTS_OF_DAY.items() if word in rest), None)
    if not {w for w in rest if w not in _PARTS_OF_DAY} <= meaning_words().lists["empty_in_amounts"]:
        return None
    if half is not None and figure.kind == "time":
        shift = half if figure.value < 720 else 0
        figure = figure._replace(value=figure.value + shift, is_loose=False)
    return figure._replace(value=-figure.value) if _MINUS.match(text) else figure


def same_figure(one: str, other: str) -> bool | None:
    """Whether two texts are the same amount; None where one of them is no single amount."""
    if areas := [match for text in (one, other) if (match := _AREA.match(square_metres(text)))]:
        return len(areas) == 2 and areas[0].groups() == areas[1].groups()
    ours, theirs = figure_of(one), figure_of(other)
    if ours and ours.kind == "number":
        theirs = figure_of(_HOURS.sub(r"\1 h \2 min", other))
    elif theirs and theirs.kind == "number":
        ours = figure_of(_HOURS.sub(r"\1 h \2 min", one))
    if ours is None or theirs is None:
        return None
    if ours.kind != theirs.kind:
        return False
    if ours.unit.dimension not in ("", "%") and not theirs.unit.dimension:
        return False  # the output may add a unit, but not leave it out
    return ours.equals(theirs)


def same_figures(one: str, other: str) -> bool:
    """Whether two texts are the same figures in a row and nothing else.

    "500 mg twice daily" is "0.5 g two times a day", and "between 2 and 4 pm" is "14:00-16:00".
    """
    ours, theirs = _figures_alone(one), _figures_alone(other)
    if len(ours) < 2 or len(ours) != len(theirs):
        return False
    return all(
        a.kind == b.kind and bool(a.unit.dimension) == bool(b.unit.dimension) and a.equals(b)
        for a, b in zip(ours, theirs, strict=True)
    )


def _figures_alone(text: str) -> tuple[Figure, ...]:
    """The figures of a text that says nothing else; none for other texts."""
    if len(text) > MAX_LENGTH:
        return ()
    normal = normalise(_written_out(text))
    reading = read(normal.text, normal.lower)
    spans = [(figure.start, figure.end) for figure in reading.figures]
    lists = meaning_words().lists
    rest = {w.text for w in reading.words if not any(s <= w.start < e for s, e in spans)}
    is_alone = rest <= lists["empty_in_amounts"] | lists["between_ends"]
    return reading.figures if is_alone else ()


def range_of(text: str) -> tuple[str, str] | None:
    """The two ends of a range, each with the unit that only one of them has; None for others."""
    if len(text) > MAX_LENGTH or not (match := _RANGE.match(text)):
        return None
    low, high = match[1].strip(), match[2].strip()
    if not all(any(c.isdigit() for c in end) for end in (low, high)) or text.count("-") > 1:
        return None
    if low[-1].isdigit() and not any(c.isalpha() for c in low):
        unit = re.sub(r"^[\d.,:\s]+", "", high)
        is_half_day = re.fullmatch(r"[ap]\.?m\.?", unit)
        low = f"{low} {unit}".strip() if unit and not is_half_day else low
    return low, high


def fraction_of(text: str) -> tuple[int, int] | None:
    """Numerator and denominator of "8/10" and "8 out of 10"."""
    match = _FRACTION.match(text)
    return (int(match[1]), int(match[2])) if match and int(match[2]) else None


def _written_out(text: str) -> str:
    """The text with short forms of amounts in words that the reader knows."""
    text = _MINUS.sub("", text)
    text = _ADJECTIVES.sub("", text)
    text = _FEET.sub(r"\1 ft \2 inches", text)
    text = _SHORT_TIME.sub(r"\1 hours \2 minutes", text)
    text = re.sub(r"(?<=\d) ?in$", " inches", text)
    if match := _MONEY.match(text):
        scale = _SCALES.get(match[3], "billion")
        return f"{match[1].replace('us', '').strip()}{match[2]} {scale}"
    if (match := _PER.match(text)) and (speed := _speed(match[2], match[3])):
        return f"{match[1]} {speed}"
    if match := _HALF.match(text):
        return f"{_PARTS[match[2]]} {match[1]}"
    text = re.sub(r"(?<=\d)\.(?=\d\d ?[ap]\.?m)", ":", text)
    return re.sub(r"^us ?\$", "$", text)


def _speed(length: str, time: str) -> str:
    """The short name of a speed, of the words on either side of "per"."""
    long = {"kilometer": "km", "kilometre": "km", "mile": "mi"}
    unit = long.get(length.strip().rstrip("s"), length.strip())
    return _SPEEDS.get((unit, time.strip()[:1]), "")


def square_metres(text: str) -> str:
    """An area with its unit in one form: "50 m2" and "50 square metres" are alike."""
    return _SQUARE.sub(lambda match: f"sq{(match[1] or match[2])[:1]}", text)
