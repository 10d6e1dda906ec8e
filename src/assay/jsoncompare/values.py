"""What a JSON value is, and when two of them are the same.

The documented comparison is by text: `1` is not `1.0`, and `true` is "true". Options make it
kinder, field by field: numbers within a tolerance, numbers with units, dates by what they mean.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any, NamedTuple

from assay.core.wording import listed as listed_names
from assay.data.json_options import Alignment, FieldOptions, JsonOptions, Strategy, parse_strategies
from assay.jsoncompare.field_patterns import Patterns

FUZZY_LENGTH = 500
"""Characters of a value that FUZZY looks at, as documented."""
SEMANTIC_LENGTH = 2000
MAX_EMAIL = 320
MAX_SHOWN = 40
MAX_SAID = 180
MAX_DIGITS = 400
_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d{1,3})?")
_GROUPED = re.compile(r"[-+]?\d{1,3}(?:([ ,'_\u00a0\u202f])\d{3})(?:\1\d{3})*(?:\.\d+)?(?!\d)")
_DATE = re.compile(
    r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?\s?(?:Z|[+-]\d{2}:?\d{2})?)?"
)
_EMAIL = re.compile(r"[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+")


def is_null(value: Any) -> bool:
    """Whether a value is none: null, or text without anything but blanks."""
    if value.__class__ is str:
        return not value or value.isspace()
    return value is None or (isinstance(value, str) and not value.strip())


def field_type(value: Any) -> str:
    """The type that decides how a value is compared."""
    if known := _TYPES.get(value.__class__):
        return known
    if not isinstance(value, str):
        return _other_type(value)
    text = value.strip()
    if not text:
        return "null"
    is_plain = len(text) > MAX_DIGITS or (text[0].isalpha() and "@" not in text)
    return "text" if is_plain else _text_type(text)


_TYPES: Mapping[type, str] = {
    type(None): "null",
    bool: "boolean",
    int: "numeric",
    float: "numeric",
    dict: "object",
    list: "array",
}


def _other_type(value: Any) -> str:
    """The type of a value whose class is derived from one of the usual ones."""
    if isinstance(value, int | float):
        return "numeric"
    return "object" if isinstance(value, Mapping) else "array"


def _text_type(text: str) -> str:
    if _NUMBER.fullmatch(text):
        return "numeric"
    if _DATE.fullmatch(text):
        return "date"
    if len(text) <= MAX_EMAIL and _EMAIL.fullmatch(text):
        return "email"
    return "text"


def strategy_of(type: str) -> Strategy:
    """How a ground truth's value of that type is compared when nobody chose."""
    return "SEMANTIC" if type == "text" else "EXACT"


@lru_cache(maxsize=16)
def patterns_of(options: JsonOptions) -> Patterns:
    """The choices by path pattern, and what was worked out from them before."""
    return Patterns(options.strategies)


def resolve_strategy(
    field: str, gt_value: Any, field_strategies: Mapping[str, Any] | None = None
) -> Strategy:
    """How a field is compared: as chosen, else by the type of the ground truth's value."""
    chosen = Patterns(parse_strategies(field_strategies or {}, "field_strategies")).of(field)
    return (chosen.strategy if chosen else None) or strategy_of(field_type(gt_value))


def exact_text(value: Any) -> str:
    """What EXACT compares: the text in lower case, JSON text with sorted keys for containers."""
    return plain_text(value).lower()


def plain_text(value: Any) -> str:
    """A value as text."""
    if isinstance(value, str):
        return value
    if isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False, sort_keys=True)
    return str(value)


def unordered(value: Any) -> Any:
    """The value with every list sorted, so that order does not matter; without recursion."""
    made: dict[int, Any] = {}
    waiting = [(value, False)]
    while waiting:
        part, is_ready = waiting.pop()
        if not isinstance(part, dict | list):
            continue
        children = list(part.values()) if isinstance(part, dict) else part
        if not is_ready:
            waiting.append((part, True))
            waiting.extend((child, False) for child in children)
        elif isinstance(part, dict):
            made[id(part)] = {key: made.get(id(child), child) for key, child in part.items()}
        else:
            done = [made.get(id(child), child) for child in part]
            made[id(part)] = sorted(done, key=exact_text)
    return made.get(id(value), value)


class Rules(NamedTuple):
    """How one field is compared: its own choices over those of the document."""

    strategy: Strategy
    threshold: float
    numeric_tolerance: float | None
    date: str
    number_without_units: bool
    ignore_case: bool
    ignore_whitespace: bool
    order_matters: bool
    is_plain: bool
    """Whether EXACT is just the documented comparison by text."""


_NOTHING_CHOSEN = FieldOptions()
TYPED = "TYPED"
"""How a field is compared that nobody chose a strategy for, where there is no judge."""
SAME_TEXT = frozenset((str, int, bool, float))
"""Types whose equal values have the same text, but for 0.0 and -0.0."""


def rules_of(own: FieldOptions | None, options: JsonOptions, strategy: Strategy) -> Rules:
    """The choices that hold for a field with this strategy."""
    own = own or _NOTHING_CHOSEN
    limits = {"FUZZY": options.fuzzy_threshold, TYPED: options.text_threshold}
    limit = limits.get(strategy, options.semantic_threshold)
    tolerance = _first(own.numeric_tolerance, options.numeric_tolerance)
    date = _first(own.date, options.date)
    without_units = _first(own.number_without_units, options.number_without_units)
    ignore_whitespace = _first(own.ignore_whitespace, options.ignore_whitespace)
    matters = order_matters(own, options)
    is_kind = tolerance is not None or date or without_units or ignore_whitespace or not matters
    return Rules(
        strategy,
        limit if own.threshold is None else own.threshold,
        tolerance,
        date,
        without_units,
        _first(own.ignore_case, options.ignore_case),
        ignore_whitespace,
        matters,
        is_plain=not is_kind,
    )


def is_chosen(own: FieldOptions | None) -> bool:
    """Whether somebody chose how a field is compared."""
    return own is not None and (own.strategy is not None or own.threshold is not None)


def alignment_of(own: FieldOptions, options: JsonOptions) -> Alignment:
    """How the items of a list are paired; a key of its own is enough to say so."""
    return own.list_alignment or ("key" if own.list_key else options.list_alignment)


def order_matters(own: FieldOptions, options: JsonOptions) -> bool:
    """Whether the order of a list's items counts."""
    chosen = _first(own.list_order_matters, options.list_order_matters)
    return alignment_of(own, options) == "order" if chosen is None else bool(chosen)


def _first(own: Any, common: Any) -> Any:
    return common if own is None else own


def has_same_text(gt: Any, aio: Any) -> bool:
    """Whether two values are the same without a look at their text."""
    if gt is aio:
        return True
    kind = gt.__class__
    if kind is not aio.__class__ or kind not in SAME_TEXT:
        return False
    return bool(gt == aio) and (kind is not float or bool(gt))


def is_equal(gt: Any, aio: Any, rules: Rules) -> bool:
    """Whether two values of an EXACT field are the same."""
    if has_same_text(gt, aio):
        return True
    if rules.is_plain:
        return exact_text(gt) == exact_text(aio)
    if rules.numeric_tolerance is not None or rules.number_without_units:
        one, other = (number(v, has_units=rules.number_without_units) for v in (gt, aio))
        if one is not None and other is not None:
            return abs(one - other) <= Fraction(str(rules.numeric_tolerance or 0))
    if rules.date:
        moments = read_date(gt, rules.date), read_date(aio, rules.date)
        if moments[0] is not None and moments[1] is not None:
            return _same_moment(*moments)
    if not rules.order_matters:
        gt, aio = unordered(gt), unordered(aio)
    texts = [exact_text(value) for value in (gt, aio)]
    if rules.ignore_whitespace:
        texts = [" ".join(text.split()) for text in texts]
    return texts[0] == texts[1]


def number(value: Any, *, has_units: bool) -> Fraction | None:
    """The exact number that a value is; with units, that it holds beside words without digits."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    text = str(value).strip()
    if len(text) > MAX_DIGITS:
        return None
    if _NUMBER.fullmatch(text):
        return Fraction(text.rstrip(".") if text.endswith(".") else text.replace(".e", "e"))
    if not has_units:
        return None
    return _number_beside_unit(text)


def _number_beside_unit(text: str) -> Fraction | None:
    result = re.search(r"\d", text)
    if not result:
        return None
    start = result.start()
    while start and text[start - 1] in ".+-":
        start -= 1
    match = _GROUPED.match(text, start) or _NUMBER.match(text, start)
    if not match:
        return None
    around = text[:start] + text[match.end() :]
    if any(char.isdigit() for char in around):
        return None
    digits = re.sub(r"[ ,'_\u00a0\u202f]", "", match.group()).rstrip(".")
    return Fraction(digits) if _NUMBER.fullmatch(digits) else None


class Moment(NamedTuple):
    """A day, with the time on it where that is known."""

    day: date
    time: datetime | None


def _same_moment(one: Moment | None, other: Moment | None) -> bool:
    """Whether two moments are the same as far as both are known."""
    assert one is not None
    assert other is not None
    if one.time is None or other.time is None:
        return one.day == other.day
    if (one.time.tzinfo is None) is not (other.time.tzinfo is None):
        return one.time.replace(tzinfo=None) == other.time.replace(tzinfo=None)
    return one.time == other.time


_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            *("january jan", "february feb", "march mar", "april apr", "may may", "june jun"),
            *("july jul", "august aug", "september sep", "october oct", "november nov"),
            "december dec",
        ),
        1,
    )
    for name in names.split()
}
_NUMERIC_DATE = re.compile(r"(\d{1,4})[-/.](\d{1,2})[-/.](\d{1,4})")
_NAMED_DATE = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?[ -]([a-z]+)\.?,?[ -](\d{4})", re.I)
_MONTH_FIRST = re.compile(r"([a-z]+)\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})", re.I)


def read_date(value: Any, order: str) -> Moment | None:
    """The day that a text names; `order` says how 01/02/2024 is read."""
    if not isinstance(value, str) or len(value) > 60:
        return None
    text = value.strip()
    try:
        if _DATE.fullmatch(text):
            return _iso(text)
        if match := _NUMERIC_DATE.fullmatch(text):
            return _numeric(match.groups(), order)
        if match := _NAMED_DATE.fullmatch(text):
            day, month, year = match.groups()
        elif match := _MONTH_FIRST.fullmatch(text):
            month, day, year = match.groups()
        else:
            return None
        return Moment(date(int(year), _MONTHS[month.lower()], int(day)), None)
    except (KeyError, ValueError, OverflowError):
        return None


def _iso(text: str) -> Moment:
    if len(text) == 10:
        return Moment(date.fromisoformat(text), None)
    time = datetime.fromisoformat(text.replace(" Z", "Z").replace(" +", "+").replace(" -", "-"))
    day = time.date()
    return Moment(day, time.astimezone(UTC) if time.tzinfo else time)


def _numeric(parts: tuple[str, ...], order: str) -> Moment | None:
    order = "ymd" if len(parts[0]) == 4 else order
    if len(parts[order.index("y")]) != 4:
        return None  # the year stands last, and nobody said whether the day comes first
    named = dict(zip(order, map(int, parts), strict=True))
    return Moment(date(named["y"], named["m"], named["d"]), None)


def match_similarity(similarity: float, threshold: float) -> int:
    """1 when a similarity reaches its threshold."""
    return int(similarity >= threshold)


def compared_texts(gt: Any, aio: Any, rules: Rules) -> tuple[str, str]:
    """The texts whose similarity counts, cut as documented."""
    length = FUZZY_LENGTH if rules.strategy == "FUZZY" else SEMANTIC_LENGTH
    one, other = plain_text(gt), plain_text(aio)
    if rules.ignore_case and rules.strategy == "FUZZY":
        one, other = one.lower(), other.lower()
    if rules.ignore_whitespace:
        one, other = " ".join(one.split()), " ".join(other.split())
    return one[:length], other[:length]


def is_same_text(one: str, other: str) -> bool:
    """Whether two texts differ in blanks at most: no model is needed to call them alike."""
    return one == other or one.split() == other.split()


def fuzzy_similarity(one: str, other: str) -> float:
    """The higher of two ratios from 0 to 1: of characters, and of characters of sorted words."""
    if one == other:
        return 1.0
    ratio, token_sort_ratio = _ratios()
    characters = ratio(one, other)
    return float(max(characters, token_sort_ratio(one, other, score_cutoff=characters)) / 100.0)


@cache
def _ratios() -> tuple[Any, Any]:
    from rapidfuzz import fuzz

    return fuzz.ratio, fuzz.token_sort_ratio


def shown(name: str) -> str:
    """A field's name as it stands in a sentence."""
    text = sentence(name)
    return f"'{text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 1] + '…'}'"


def sentence(text: str) -> str:
    """A text from outside as a part of a sentence: short, printable, without an end in it."""
    words = "".join(char if char.isprintable() else " " for char in text[:MAX_SAID]).split()
    return re.sub(r"([.!?]) ", r"\1_", " ".join(words))


def listed(names: Sequence[str], most: int = 3) -> str:
    """The first names of several, for a sentence."""
    return listed_names([*map(shown, names[:most]), *names[most:]], most)
