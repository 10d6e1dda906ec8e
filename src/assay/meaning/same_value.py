"""Whether two values of a field say the same, by what the expected one is.

Everything but free text is compared exactly, once case, blanks, punctuation, scripts of digits and
the usual ways of writing dates, numbers, units, names and addresses are in one form. Free text is
compared by `same_text`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from assay.meaning import value_kinds as kinds
from assay.meaning.amount_forms import fraction_of, range_of, same_figure, same_figures
from assay.meaning.name_forms import items_of, same_address, same_label, same_name
from assay.meaning.same_text import compare_texts
from assay.meaning.schedules import schedule
from assay.meaning.value_kinds import Kind

MAX_NAME_WORDS = 3
"""A text of no more words, without the marks of a sentence, is a name or a label."""
MAX_NAMED_WORDS = 12
"""The same where the field's name says that it holds a name, a label or an address."""
MAX_TEXT = 4000
"""Characters of a free text that are compared."""
MAX_DEPTH = 50
"""Values inside more objects and lists than this are compared as they stand."""
MAX_UNORDERED = 100
"""Longer lists are compared in order: trying every pair would take quadratic time."""


class ValueMatch(NamedTuple):
    """Whether two values say the same, what they were taken for, and why they do not."""

    kind: Kind
    is_same: bool
    reason: str = ""
    """The end of a sentence; empty where they are the same."""
    is_open: bool = False
    """Whether the words alone do not tell: free texts without a difference by rule that share few
    words, or all but one. A model may."""
    replaced: tuple[str, str] | None = None
    """The only words in which two free texts differ; a model is asked about these alone."""


def compare_values(field: str, expected: Any, actual: Any, *, depth: int = 0) -> ValueMatch:
    """Compare two values of a field."""
    if depth > MAX_DEPTH:
        return ValueMatch("object", expected == actual, "" if expected == actual else "they differ")
    if isinstance(expected, Mapping) and isinstance(actual, Mapping):
        return _objects(expected, actual, depth + 1)
    if isinstance(expected, list | tuple) and isinstance(actual, list | tuple):
        return _lists(field, expected, actual, depth + 1)
    if isinstance(expected, Mapping | list | tuple) or isinstance(actual, Mapping | list | tuple):
        kind: Kind = "object" if isinstance(expected, Mapping) else "list"
        is_one = isinstance(expected, list | tuple) and len(expected) == 1
        if is_one and not isinstance(actual, Mapping | list | tuple):
            return compare_values(field, expected[0], actual, depth=depth + 1)
        if kind == "list" and isinstance(actual, str) and (items := items_of(actual)):
            return _lists(field, expected, items, depth + 1)
        return ValueMatch(kind, False, "one is a single value and the other is not")
    if expected is None or actual is None:
        is_same = expected is None and actual is None
        return ValueMatch("text", is_same, "" if is_same else "one value is null")
    return _scalars(field, expected, actual)


def _scalars(field: str, expected: Any, actual: Any) -> ValueMatch:
    one, other = kinds.plain(expected), kinds.plain(actual)
    hints = kinds.hints(field)
    match = _by_kind(field, one, other, hints) if len(one) <= kinds.MAX_LENGTH else None
    if match is not None:
        return match._replace(is_same=True, reason="") if one == other else match
    if one == other:
        return ValueMatch("text", True)
    return _texts(str(expected), str(actual))


def _texts(expected: str, actual: str) -> ValueMatch:
    match = compare_texts(expected[:MAX_TEXT], actual[:MAX_TEXT])
    if match.is_same:
        return ValueMatch("text", True)
    if match.reason:
        return ValueMatch("text", False, match.reason)
    if match.replaced:
        wanted, given = match.replaced
        reason = f"it says {given!r} where {wanted!r} is expected"
        return ValueMatch("text", False, reason, is_open=True, replaced=match.replaced)
    reason = f"the texts share {match.shared:.0%} of their words"
    return ValueMatch("text", False, reason, is_open=True)


def _by_kind(field: str, one: str, other: str, hints: frozenset[str]) -> ValueMatch | None:
    """The comparison by the first kind that the expected value is; None for free text."""
    readers: tuple[Callable[[], ValueMatch | None], ...] = (
        lambda: _labels(one, other, hints),
        lambda: _yes_no(field, one, other),
        lambda: _versions(one, other) if "version" in hints else None,
        lambda: _schedules(one, other),
        lambda: _addresses(one, other),
        lambda: _phones(one, other, is_named="phone" in hints or other.startswith("+")),
        lambda: _ranges(field, one, other, hints) if "identifier" not in hints else None,
        lambda: _moments(one, other),
        lambda: _identifiers(one, other) if "identifier" in hints else None,
        lambda: _fractions(one, other),
        lambda: _quantities(field, one, other, hints),
        lambda: _figures(one, other),
        lambda: _identifiers(one, other) if kinds.looks_like_code(one) else None,
        lambda: _enumerations(field, one, other, hints),
        lambda: _names(field, one, other, hints),
    )
    return next((match for read in readers if (match := read()) is not None), None)


def _decided(kind: Kind, is_same: bool, one: str, other: str) -> ValueMatch:
    reason = "" if is_same else f"the {kind} is {other!r} where {one!r} is expected"
    return ValueMatch(kind, is_same, reason)


def _labels(one: str, other: str, hints: frozenset[str]) -> ValueMatch | None:
    """Two words that are known to name the same; None for all others."""
    return ValueMatch("label", True) if same_label(one, other, hints) else None


_SHORT_ANSWERS = {"y": True, "n": False, "t": True, "f": False, "✓": True, "✔": True, "on": True}
_SHORT_ANSWERS |= {"off": False, "enabled": True, "disabled": False, "ن": True}


def _yes_no(field: str, one: str, other: str) -> ValueMatch | None:
    expected, actual = kinds.yes_no(one), kinds.yes_no(other)
    if expected is not None and actual is None:
        actual = kinds.yes_no_in_name(field, other)
    if expected is None and actual is not None:
        expected = _SHORT_ANSWERS.get(one)
    if actual is None and expected is not None:
        actual = _SHORT_ANSWERS.get(other)
    if expected is None:
        return None
    if actual is None and other in ("0", "1", "0.0", "1.0") and one in ("true", "false"):
        actual = other.startswith("1")
    if actual is None and one not in ("true", "false") and len(other.split()) > 1:
        return None  # a sentence may answer as well
    return _decided("yes or no", expected == actual, one, other)


def _versions(one: str, other: str) -> ValueMatch | None:
    expected = kinds.version(one)
    if expected is None:
        return None
    return _decided("version", expected == kinds.version(other), one, other)


def _schedules(one: str, other: str) -> ValueMatch | None:
    """Opening hours, day by day: "Mon-Fri 8am-6pm" is "Monday to Friday, 08:00-18:00"."""
    expected = schedule(one)
    actual = schedule(other) if expected else None
    if actual is None:
        return None
    return _decided("opening hours", expected == actual, one, other)


def _addresses(one: str, other: str) -> ValueMatch | None:
    expected = kinds.web_address(one)
    if expected is None:
        return None
    return _decided("e-mail or web address", expected == kinds.web_address(other), one, other)


def _phones(one: str, other: str, *, is_named: bool) -> ValueMatch | None:
    expected = kinds.phone(one, is_named=is_named)
    if expected is None:
        return None
    actual = kinds.phone(other, is_named=True)
    is_same = actual is not None and kinds.same_phone(expected, actual)
    return _decided("phone number", is_same, one, other)


def _moments(one: str, other: str) -> ValueMatch | None:
    if (day := kinds.weekday(one)) is not None:
        return _decided("weekday", day == kinds.weekday(other), one, other)
    expected = kinds.moment(one)
    if expected is None:
        return None
    actual = kinds.moment(other)
    is_same = actual is not None and expected.is_same(actual)
    if actual is None and not expected.days:
        is_same = bool(same_figure(one, other))
    return _decided("date" if expected.days else "time", is_same, one, other)


def _identifiers(one: str, other: str) -> ValueMatch | None:
    expected = kinds.identifier(one)
    if expected is None or not any(c.isdigit() for c in expected):
        return None
    actual = kinds.identifier(kinds.without_label(other))
    is_same = actual in (expected, kinds.identifier(kinds.without_label(one)))
    return _decided("identifier", is_same and actual is not None, one, other)


def _ranges(field: str, one: str, other: str, hints: frozenset[str]) -> ValueMatch | None:
    """Two ranges, end by end: "9:00-17:00" is "9 am to 5 pm"."""
    expected, actual = range_of(one), range_of(other)
    if expected is None or actual is None:
        return None
    is_same = all(
        own == its or bool((match := _by_kind(field, own, its, hints)) and match.is_same)
        for own, its in zip(expected, actual, strict=True)
    )
    return _decided("quantity", is_same or same_figures(one, other), one, other)


def _fractions(one: str, other: str) -> ValueMatch | None:
    """Two parts of a whole: "8/10" is "8 out of 10"."""
    expected = fraction_of(one)
    if expected is None:
        return None
    actual, plain = fraction_of(other), kinds.quantity(other)
    share = Fraction(*expected)
    is_same = actual == expected or (plain is not None and plain.number / _whole(plain) == share)
    return _decided("number", is_same, one, other) if is_same or actual else None


def _whole(amount: kinds.UnitQuantity) -> int:
    return 100 if amount.dimension == "%" else 1


def _figures(one: str, other: str) -> ValueMatch | None:
    """Amounts, times and rates in words, where both texts are nothing else."""
    is_same = same_figure(one, other) or (same_figures(one, other) or None)
    return None if is_same is None else _decided("quantity", is_same, one, other)


def _enumerations(field: str, one: str, other: str, hints: frozenset[str]) -> ValueMatch | None:
    """Several items in one text, in any order: "flour, eggs" and "eggs and flour"."""
    if hints & {"address", "text", "phone"} or one.endswith("."):
        return None
    expected, actual = items_of(one), items_of(other)
    if not expected or not actual or ("name" in hints and one.count(",") == 1):
        return None
    match = _lists(field, expected, actual, MAX_DEPTH - 2)
    return _decided("list", match.is_same, one, other)


def _quantities(field: str, one: str, other: str, hints: frozenset[str]) -> ValueMatch | None:
    expected = kinds.quantity(one)
    if expected is None:
        return None
    actual = kinds.quantity(other)
    if actual and expected.dimension == "mass" and "pound" in other:
        actual = kinds.quantity(other.replace("pounds", "lb").replace("pound", "lb"))
    kind: Kind = "quantity" if expected.unit else "number"
    is_same = actual is not None and _same_quantity(field, expected, actual, hints)
    if not is_same and (actual is None or actual.dimension != expected.dimension):
        is_same = bool(same_figure(one, other)) or _is_share(expected, other)
    if not is_same and expected.unit is None and kinds.is_grouped(one, other):
        is_same = True
    return _decided(kind, is_same, one, other)


def _is_share(expected: kinds.UnitQuantity, other: str) -> bool:
    """Whether "25%" or "1/4" says 0.25."""
    share, actual = fraction_of(other), kinds.quantity(other)
    if expected.unit is None and share:
        return Fraction(*share) == expected.number
    is_percent = actual is not None and actual.dimension == "%" and expected.unit is None
    return is_percent and actual is not None and actual.number == expected.number * 100


def _same_quantity(
    field: str, expected: kinds.UnitQuantity, actual: kinds.UnitQuantity, hints: frozenset[str]
) -> bool:
    """Whether two quantities are the same; the output may add a unit, but not leave it out."""
    named = kinds.unit_in_name(field)
    if expected.unit and not actual.unit:
        if expected.dimension == "%" and actual.number * 100 == expected.number:
            return True
        if named is None:
            return False
        actual = actual._replace(unit=named)
    elif actual.unit and not expected.unit:
        expected = expected._replace(unit=named or actual.unit)
    return expected.dimension == actual.dimension and _near(expected, actual, hints)


def _near(expected: kinds.UnitQuantity, actual: kinds.UnitQuantity, hints: frozenset[str]) -> bool:
    if expected.value == actual.value:
        return True
    if "rounded" not in hints or actual.resolution <= expected.resolution:
        return False
    factor = actual.value / actual.number if actual.number else Fraction(1)
    return abs(expected.value - actual.value) <= actual.resolution * factor / 2


def _names(field: str, one: str, other: str, hints: frozenset[str]) -> ValueMatch | None:
    is_address = "address" in hints
    words = one.split()
    is_short = len(words) <= MAX_NAME_WORDS and "text" not in hints
    is_named = bool(hints & {"address", "name", "label"}) and len(words) <= MAX_NAMED_WORDS
    is_sentence = one.endswith(".") and len(words) > MAX_NAME_WORDS and not is_address
    if any(mark in one for mark in "!?;\n") or is_sentence or not (is_short or is_named):
        return None
    kind: Kind = "address" if is_address else "name" if "name" in hints else "label"
    same = same_address(one, other) if is_address else same_name(one, other, hints)
    expected, actual = (kinds.name(text, is_address=is_address) for text in (one, other))
    is_spelt_alike = expected == actual or "".join(expected) == "".join(actual)
    is_same = same or (is_address and is_spelt_alike)
    if kind == "label" and not is_same:
        ours, theirs = _without_field(field, one), _without_field(field, other)
        is_same = (ours, theirs) != (one, other) and same_name(ours, theirs, hints)
    return _decided(kind, is_same, one, other)


def _without_field(field: str, text: str) -> str:
    """A label without the words of its field: "payment in cash" of `payment_method`."""
    known = kinds.name_words(field)
    kept = [word for word in text.split() if word.strip(":") not in known]
    return " ".join(kept) or text


def _objects(expected: Mapping[str, Any], actual: Mapping[str, Any], depth: int) -> ValueMatch:
    for key in [*expected, *(key for key in actual if key not in expected)]:
        if key not in actual or key not in expected:
            lacking = "lacks" if key not in actual else "adds"
            return ValueMatch("object", False, f"the output {lacking} {key!r}")
        match = compare_values(str(key), expected[key], actual[key], depth=depth)
        if not match.is_same:
            return ValueMatch("object", False, f"{key!r}: {match.reason}")
    return ValueMatch("object", True)


def _lists(field: str, expected: Sequence[Any], actual: Sequence[Any], depth: int) -> ValueMatch:
    """Items in order where order matters (numbers, steps, rankings), else in any order."""
    if len(expected) != len(actual):
        reason = f"there are {len(actual)} items where {len(expected)} are expected"
        return ValueMatch("list", False, reason)
    is_ordered = len(expected) > MAX_UNORDERED or _is_ordered(field, expected)
    left = list(actual)
    for item in expected:
        candidates = left[:1] if is_ordered else left
        matches = (compare_values(field, item, other, depth=depth).is_same for other in candidates)
        place = next((place for place, is_same in enumerate(matches) if is_same), None)
        if place is None:
            where = "in its place" if is_ordered else "among the items"
            return ValueMatch("list", False, f"{_short(item)} is not {where}")
        del left[place]
    return ValueMatch("list", True)


def _is_ordered(field: str, items: Sequence[Any]) -> bool:
    """Whether the order of a list has a meaning: by the field's name, or in a list of numbers."""
    is_numeric = all(isinstance(i, int | float) and not isinstance(i, bool) for i in items)
    return "ordered" in kinds.hints(field) or (len(items) > 1 and is_numeric)


def _short(item: Any) -> str:
    text = repr(item)
    return text if len(text) <= 60 else f"{text[:59]}…"
