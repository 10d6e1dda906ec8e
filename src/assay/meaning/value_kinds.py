"""What a short value is, and the form in which two values of its kind are compared.

A reader takes the normalised lower-case text of a value and gives a comparable form, or None where
the text is no value of that kind.
"""

from __future__ import annotations

import re
import unicodedata
from calendar import monthrange
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime
from fractions import Fraction
from functools import cache
from itertools import permutations
from typing import Any, Literal, NamedTuple

from assay.data.bundled_files import read_bundled_toml
from assay.data.meaning import ARABIC_FOLDED, Unit, meaning_words
from assay.meaning.foreign_dates import foreign_months, foreign_weekdays, in_digits
from assay.textproc.normal import normalise

Kind = Literal[
    "yes or no",
    "number",
    "quantity",
    "date",
    "time",
    "weekday",
    "opening hours",
    "identifier",
    "version",
    "e-mail or web address",
    "phone number",
    "address",
    "name",
    "label",
    "text",
    "object",
    "list",
]
"""What a value is recognised as."""
TABLE = "field_values.toml"
MAX_LENGTH = 200
"""Longer texts are free text; nothing else is looked for in them."""
MIN_PHONE_DIGITS = 7
_WORD = re.compile(r"[^\W_]+")
_INNER_APOSTROPHE = re.compile(r"(?<=[^\W\d_])'(?=[^\W\d_])")
"""That of "King's Road", which may be "Kings Road" too."""
_BY_HEAD = ("name", "label", "address", "text")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def plain(value: Any) -> str:
    """The text of a scalar, in one form whatever its script, case, blanks and quotes."""
    if isinstance(value, bool):
        return "true" if value else "false"
    lower = normalise(str(value)).lower
    return " ".join(lower.replace("٫", ".").replace("٬", ",").split())


def hints(name: str) -> frozenset[str]:
    """What the words of a field's name say about its value.

    Names, labels, addresses and free text go by the word that the others describe: the last one in
    `customer_comment`, the first one in Arabic.
    """
    words = name_words(name)
    if not words:
        return frozenset()
    head = words[0] if "\u0600" <= words[0][0] <= "\u06ff" else words[-1]
    table = _hint_words()
    return frozenset(
        kind
        for kind, listed in table.items()
        if (head in listed if kind in _BY_HEAD else not listed.isdisjoint(words))
    )


@cache
def _hint_words() -> dict[str, frozenset[str]]:
    table = read_bundled_toml(TABLE)["hints"]
    return {kind: frozenset(map(plain, listed)) for kind, listed in table.items()}


def name_words(name: str) -> list[str]:
    """The words of a field's name: "payment", "method" of `paymentMethod`."""
    return _WORD.findall(plain(_CAMEL.sub(" ", name)))


def yes_no(text: str) -> bool | None:
    """Yes or no."""
    return meaning_words().answers.get(_folded(text.rstrip(".!")))


_DENYING = ("non-", "non", "un")
"""What a word begins with that denies the rest of it."""


def yes_no_in_name(name: str, text: str) -> bool | None:
    """Whether a text says a field's name or denies it: "not insured" in `is_insured`."""
    named = frozenset(name_words(name))
    words = text.rstrip(".!").split()
    denied = [word for word in words if word in meaning_words().negations]
    said = frozenset(words).difference(denied)
    if len(denied) < 2 and said and said <= named:
        return not denied
    prefix = next((one for one in _DENYING if len(words) == 1 and words[0].startswith(one)), None)
    return False if prefix and words[0].removeprefix(prefix) in named else None


def _folded(text: str) -> str:
    """Arabic letters as the tables of words have them."""
    return text.translate(ARABIC_FOLDED)


# Numbers and quantities

_NUMBER = re.compile(r"[-+]?\d[\d.,' \u00a0\u202f]*(?:e[-+]?\d{1,3})?")
_GROUPS = re.compile(r"[-+]?\d{1,3}(?:([,' .\u00a0\u202f])\d{3})(?:\1\d{3})*(?:[.,]\d+)?")
_CUBIC = re.compile(r"\bm3\b|\bcubic met(?:er|re)s?\b")
_PLAIN = re.compile(r"[-+]?\d+(?:[.,]\d+)?(?:e[-+]?\d{1,3})?")


class UnitQuantity(NamedTuple):
    """A number, its unit (None where none was said), and how many decimals were written."""

    number: Fraction
    unit: Unit | None
    decimals: int
    scale: int = 1
    """What the number was multiplied with, such as 1,000,000."""

    @property
    def dimension(self) -> str:
        """What it is of; empty where no unit was said."""
        return self.unit.dimension if self.unit else ""

    @property
    def value(self) -> Fraction:
        """The number in the base unit of its dimension."""
        return self.number * Fraction(str(self.unit.factor)) if self.unit else self.number

    @property
    def resolution(self) -> Fraction:
        """The step between two numbers that are written like this one: 0.1 for 42.2."""
        step = Fraction(self.scale, 10**self.decimals)
        while self.decimals == 0 and self.number and self.number % (step * 10) == 0:
            step *= 10
        return step


def quantity(text: str) -> UnitQuantity | None:
    """A number, alone or with a unit or currency before or behind it."""
    text = re.sub(r"(?<=\d)[.,]-+", "", text)  # "120.-"
    text = _CUBIC.sub("cubicmetres", text).replace("cm3", "ml")
    match = _NUMBER.search(text)
    if match is None or any(c.isdigit() for c in text[match.end() :]):
        return _in_words(text)
    digits = match.group().rstrip(" .,'\u00a0\u202f")
    result = number(digits)
    rest = f"{text[: match.start()]} {text[match.start() + len(digits) :]}".strip(" .:~≈")
    return None if result is None else _with_unit(result, rest.split(), _decimals(digits))


def _in_words(text: str) -> UnitQuantity | None:
    """A small number in words, alone or before a unit: "two", "twenty-five kg"."""
    words = text.replace("-", " ").split()
    known = meaning_words().numbers
    if len(words) == 1 and (unit := meaning_words().duals.get(_folded(words[0]))):
        return UnitQuantity(Fraction(2), unit, 0)
    count = next((n for n, word in enumerate(words) if _folded(word) not in known), len(words))
    if not 0 < count <= 2:
        return None
    total = sum(Fraction(known[_folded(word)]) for word in words[:count])
    return _with_unit(Fraction(total), words[count:], 0)


def _with_unit(fraction: Fraction, words: list[str], decimals: int) -> UnitQuantity | None:
    """The number with the scale and unit that the words beside it say; None for other words."""
    table = meaning_words()
    words = [_folded(word) for word in words]
    while words and words[0] in _APPROXIMATE:
        words.pop(0)
    scale = 1
    while words and words[0] in table.scales:
        scale *= int(table.scales[words.pop(0)])
    fraction *= scale
    unit = table.units.get("".join(words).replace("°", "")) or table.units.get("".join(words))
    if words and unit is None:
        return None
    return UnitQuantity(fraction, unit, decimals, scale)


_APPROXIMATE = frozenset(
    (
        *("about", "approximately", "approx", "around", "roughly", "circa", "ca", "nearly"),
        *("حوالي", "نحو", "تقريبا", "قرابه"),
    )
)
"""Words before a number that leave it what it is."""


def is_grouped(one: str, other: str) -> bool:
    """Whether one is a whole number and the other the same with points between thousands."""
    points = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+")
    plain_one, plain_other = one.replace(",", ""), other.replace(",", "")
    return any(
        whole.isdecimal()
        and whole.endswith("0")
        and points.fullmatch(pointed) is not None
        and pointed.replace(".", "") == whole
        for whole, pointed in ((plain_one, other), (plain_other, one))
    )


def number(text: str) -> Fraction | None:
    """The number that the text is, with its thousands grouped in any usual way."""
    if len(text) > 60:
        return None
    if (match := _GROUPS.fullmatch(text)) and not _is_decimal(text, match.group(1)):
        mark = match.group(1)
        return Fraction(text.replace(mark, "").replace(",", "."))
    if _PLAIN.fullmatch(text):
        return Fraction(text.replace(",", "."))
    return None


def _is_decimal(text: str, mark: str) -> bool:
    """Whether one dot before three digits is a decimal point, as in "42.195"."""
    return mark == "." and text.count(".") == 1 and "," not in text


def _decimals(digits: str) -> int:
    tail = re.search(r"[.,](\d+)$", digits)
    is_grouping = tail is not None and tail.group()[0] == "," and len(tail.group(1)) == 3
    return 0 if tail is None or is_grouping else len(tail.group(1))


def unit_in_name(name: str) -> Unit | None:
    """The unit that a field's name says, as `weight_kg` does; of several the last."""
    units = meaning_words().units
    named = [units[word] for word in map(_folded, name_words(name)[1:]) if word in units]
    return named[-1] if named else None


# Dates and times


class PossibleDate(NamedTuple):
    """What a text may say of a date and a time; more than one day where the order is open."""

    days: frozenset[tuple[int, int, int]]
    """(year, month, day), 0 for what was not said; empty for a time alone."""
    time: tuple[int, int, int] | None
    """Hour, minute, second."""

    def is_same(self, other: PossibleDate) -> bool:
        """Whether both can mean the same moment, as far as both say."""
        if self.days and other.days and not self.days & other.days:
            return False
        if bool(self.days) != bool(other.days):
            return False
        return self.time == other.time or (bool(self.days) and None in (self.time, other.time))


_CLOCK = re.compile(
    r"\b(\d{1,2})(?:(?:[:h]| uhr )(\d{2}))?(?::(\d{2})(?:\.\d+)?)?"
    r"\s*(a\.?m\.?|p\.?m\.?|ص|م|صباحا|مساء)?"
    r"(?:\s*(?:z|utc|gmt|[-+]\d{2}:?\d{2}))?(?!\w)"
)
_NUMERIC = re.compile(r"\b(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})\b")
_COMPACT = re.compile(r"((?:19|20)\d{2})(\d{2})(\d{2})")
_ZONED = re.compile(
    r"^(\d{4}-\d{2}-\d{2})[t ](\d{2}:\d{2})(:\d{2})?(?:\.\d+)?\s*(z|utc|gmt|[-+]\d{2}:?\d{2})$"
)
_MONTH_YEAR = re.compile(r"(\d{1,2})[-/.]((?:19|20)\d{2})")
_YEAR_MONTH = re.compile(r"(\d{4})[-/](\d{1,2})")
_FILLER = re.compile(
    r"\b(?:on|at|of|the|in|um|am|le|el|den|der|de|del|du|uhr|г|o'clock|يوم|في|من|عام|سنة|الساعة)\b"
    r"|,|(?<=\d)(?:st|nd|rd|th|er|o)\b"
)


def moment(text: str) -> PossibleDate | None:
    """A date, a time, or both; the end of a month is its last day."""
    text = in_digits(text)
    ends = read_bundled_toml(TABLE)["ends"]["of_month"]
    if opening := next((words for words in ends if text.startswith(words)), ""):
        return _last_day(text.removeprefix(opening))
    if (match := _COMPACT.fullmatch(text)) and _is_day(*map(int, match.groups())):
        year, month, day = map(int, match.groups())
        return PossibleDate(frozenset({(year, month, day)}), None)
    if (match := _ZONED.search(text)) and (at := _in_utc(match)):
        return at
    if (match := _MONTH_YEAR.fullmatch(text)) and _is_day(int(match[2]), int(match[1]), 1):
        return PossibleDate(frozenset({(int(match[2]), int(match[1]), 0)}), None)
    if match := _YEAR_MONTH.fullmatch(text):
        year, month = int(match.group(1)), int(match.group(2))
        return (
            PossibleDate(frozenset({(year, month, 0)}), None) if _is_day(year, month, 1) else None
        )
    rest = re.sub(r"(?<=\d)t(?=\d{2}:)", " ", text)
    days: set[tuple[int, int, int]] = set()
    if match := _NUMERIC.search(rest):
        days = _numeric_days(match.group(1), match.group(3), match.group(4))
        rest = rest[: match.start()] + " " + rest[match.end() :]
        if not days:
            return None
    time, rest = _time(rest)
    rest = " ".join(_FILLER.sub(" ", rest).split())
    parts = re.split(r"[ .\-/]+", rest)
    words = [word for word in parts if word and not _weekday(word)]
    if not days and words:
        days = set(_named_days(words))
        if not days:
            return None
    elif words:
        return None
    return PossibleDate(frozenset(days), time) if days or time else None


def _last_day(text: str) -> PossibleDate | None:
    """The last day of the month that a text names with its year."""
    known = moment(text)
    months = [(year, month) for year, month, day in known.days if year and not day] if known else []
    if len(months) != 1:
        return None
    (year, month) = months[0]
    return PossibleDate(frozenset({(year, month, monthrange(year, month)[1])}), None)


def _in_utc(match: re.Match[str]) -> PossibleDate | None:
    """A moment with its offset from UTC, at Greenwich."""
    day, minute, second, zone = match.groups()
    offset = "+00:00" if zone in ("z", "utc", "gmt") else zone
    try:
        at = datetime.fromisoformat(f"{day}T{minute}{second or ':00'}{offset}").astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return PossibleDate(frozenset({(at.year, at.month, at.day)}), (at.hour, at.minute, at.second))


def _time(text: str) -> tuple[tuple[int, int, int] | None, str]:
    """The time of day in a text, and the rest of it."""
    for match in _CLOCK.finditer(text):
        hour, minute, second, half = match.groups()
        if minute is None and half is None:
            continue
        value = int(hour)
        is_afternoon = half is not None and half[0] in "pم"
        if half is not None:
            value = value % 12 + (12 if is_afternoon else 0)
        if value < 24 and int(minute or 0) < 60:
            rest = f"{text[: match.start()]} {text[match.end() :]}"
            return (value, int(minute or 0), int(second or 0)), rest
    return None, text


def _numeric_days(first: str, second: str, third: str) -> set[tuple[int, int, int]]:
    """The days that three numbers may mean: year first or last, day and month in either order."""
    a, b, c = int(first), int(second), int(third)
    if len(first) == 4:
        return {d for d in [(a, b, c)] if _is_day(*d)}
    year = c if len(third) == 4 else 2000 + c if len(third) == 2 else 0
    return {(year, month, day) for day, month in ((a, b), (b, a)) if _is_day(year, month, day)}


def _named_days(words: list[str]) -> Iterator[tuple[int, int, int]]:
    """The day, month and year that words name; at least a month's name must be among them."""
    months = list(_month_places(words))
    if len(months) != 1:
        return
    at, month = months[0]
    others = words[:at] + words[at + 1 :]
    if len(others) > 2 or not all(word.isdigit() for word in others):
        return
    for order in permutations(others):
        day, year = order if len(order) == 2 else _one(order)
        is_year = len(year) == 4 or year == "0"
        if is_year and (day == "0" or _is_day(int(year), month, int(day))):
            yield (int(year), month, int(day))


def _one(order: tuple[str, ...]) -> tuple[str, str]:
    """Day and year of at most one number beside a month."""
    if not order:
        return "0", "0"
    return ("0", order[0]) if len(order[0]) == 4 else (order[0], "0")


def _month_places(words: list[str]) -> Iterator[tuple[int, int]]:
    names, is_beside_number = meaning_words().months, any(word.isdigit() for word in words)
    for at, word in enumerate(words):
        month = names.get(_folded(word))
        if month is None and is_beside_number:
            month = foreign_months().get(unaccented(word))
        if month:
            yield at, month


def _is_day(year: int, month: int, day: int) -> bool:
    try:
        date(year or 2000, month, day)
    except ValueError:
        return False
    return True


def _bare(word: str) -> str:
    """An Arabic word without its article."""
    return _folded(word).removeprefix("ال")


def weekday(text: str) -> int | None:
    """A day of the week, from 1 for Monday."""
    ignored = read_bundled_toml(TABLE)["ignored"]["days"]
    words = [word for word in text.strip(".").split() if word not in ignored]
    return _weekday(words[0]) if len(words) == 1 else None


def _weekday(word: str) -> int | None:
    return meaning_words().weekdays.get(_bare(word)) or foreign_weekdays().get(unaccented(word))


# Identifiers, addresses and names

_CODE = re.compile(r"[a-z0-9]+(?:[-_/.:# ][a-z0-9]+)*")
_ONE_CODE = re.compile(r"#?[a-z0-9]+(?:[-_/.:#][a-z0-9]+)*")
_EMAIL = re.compile(r"[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+")
_WEB = re.compile(r"(?:https?://|www\.)\S+|[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?:/\S*)?")
_PHONE = re.compile(r"\+?[\d\s().\-/]+")
_EXTENSION = re.compile(r"(?:[,;]|(?<!\s))\s*(?:ext(?:ension)?|x|تحويلة)[.:]?\s*(\d{1,6})$")
"""Behind a telephone number; it stands behind "x" in the form that is compared."""


def identifier(text: str) -> str | None:
    """A code of letters and digits; blanks and marks between its parts do not count."""
    return re.sub(r"[-_/.:# ]", "", text) if _CODE.fullmatch(text.lstrip("#")) else None


_LABEL = re.compile(
    r"^(?:invoice|order|ticket|case|ref(?:erence)?|no|nr|number|id|account|serial|flight|code|رقم|طلب)"
    r"[.:]?\s+(?=\S*\d)"
)


def without_label(text: str) -> str:
    """A code without the word before it that says what it is: "Invoice INV-2041"."""
    return _LABEL.sub("", text)


def looks_like_code(text: str) -> bool:
    """Whether a text is one code: no blanks, and digits among its letters or parts."""
    has_digit = any(c.isdigit() for c in text)
    has_other = any(not c.isdigit() for c in text)
    return bool(has_digit and has_other and len(text) >= 2 and _ONE_CODE.fullmatch(text))


def version(text: str) -> str | None:
    """A version, without a "v" or the word before it."""
    match = re.fullmatch(r"(?:version|release|ver|v)?\.?\s*(\d+(?:\.\w+)*(?:[-+][\w.]+)?)", text)
    return match.group(1) if match else None


def web_address(text: str) -> str | None:
    """An e-mail or web address; the scheme, "www." and a last slash do not count."""
    text = text.removeprefix("mailto:")
    if _EMAIL.fullmatch(text):
        return text
    if _WEB.fullmatch(text) and not any(c.isdigit() for c in text.rpartition(".")[2][:1]):
        return re.sub(r"^(?:https?://)?(?:www\.)?", "", text).rstrip("/")
    return None


def phone(text: str, *, is_named: bool) -> str | None:
    """The digits of a telephone number, "+" before a country code, "x" before an extension."""
    if match := _EXTENSION.search(text):
        whole = phone(text[: match.start()], is_named=is_named)
        return whole and f"{whole}x{match[1]}"
    text = re.sub(r"^(?:tel|phone|هاتف)\.?:?\s*", "", text)
    digits = re.sub(r"\D", "", text.replace("(0)", ""))
    if not _PHONE.fullmatch(text) or len(digits) < MIN_PHONE_DIGITS or len(digits) > 15:
        return None
    if text.startswith("+"):
        return "+" + digits
    if text.startswith("00"):
        return "+" + digits[2:]
    return digits if is_named else None


def same_phone(one: str, other: str) -> bool:
    """Whether two numbers are the same, one perhaps without its country code."""
    if one == other or one.lstrip("+") == other.lstrip("+"):
        return True
    if one.partition("x")[1:] != other.partition("x")[1:]:
        return False
    if one.startswith("+") == other.startswith("+"):
        return False
    full, local = (one, other) if one.startswith("+") else (other, one)
    rest = local.lstrip("0")
    return len(rest) >= MIN_PHONE_DIGITS and full.endswith(rest) and len(full) - len(rest) <= 4


def name(text: str, *, is_address: bool = False) -> tuple[str, ...]:
    """The words of a name or an address in one spelling, without titles and accents."""
    if text.count(",") == 1 and not is_address and not any(c.isdigit() for c in text):
        last, first = text.split(",")
        if len(last.split()) == 1 and first.strip():
            text = f"{first} {last}"
    text = _INNER_APOSTROPHE.sub("", text) if is_address else text
    words = _WORD.findall(unaccented(text).replace("&", " and "))
    if (known := _names().get(" ".join(words))) is not None:
        return (known,)
    table = read_bundled_toml(TABLE)
    ignored = frozenset() if is_address else frozenset(table["ignored"]["titles"])
    spelt = _words(is_address=is_address)
    kept = [spelt.get(word, word) for word in words if word not in ignored or len(words) == 1]
    return tuple(sorted(kept)) if is_address else tuple(kept)


def unaccented(text: str) -> str:
    """The text without accents on Latin letters."""
    parts = unicodedata.normalize("NFD", text)
    kept = "".join(c for c in parts if not ("\u0300" <= c <= "\u036f"))
    return unicodedata.normalize("NFC", kept)


@cache
def _names() -> dict[str, str]:
    """Spelling of a whole name → the form that is compared."""
    return _first_of(read_bundled_toml(TABLE)["same"]["names"])


@cache
def _words(*, is_address: bool) -> dict[str, str]:
    same = read_bundled_toml(TABLE)["same"]
    return _first_of(same["words"] if is_address else same["companies"])


def _first_of(groups: Iterable[list[str]]) -> dict[str, str]:
    return {unaccented(plain(word)): group[0] for group in groups for word in group}
