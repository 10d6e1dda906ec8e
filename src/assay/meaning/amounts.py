"""Amounts: a number with its scale, unit and limit, and fractions of a unit.

What is said in two parts is one amount: "an hour and a half", "two and a half years", "1 hour 30
minutes", "ساعة ونصف".
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from assay.data.meaning import Unit, meaning_words
from assay.meaning.figures import NO_UNIT, WITH_CENTS, Figure
from assay.meaning.number_words import small_number
from assay.meaning.words import Word

DURATIONS = frozenset(("duration", "calendar"))
"""Dimensions whose amounts are said in two units: hours and minutes, years and months."""
HALVED = DURATIONS | {"length", "mass", "volume"}
"""Dimensions of what "and a half" is added to: an hour and a half, a kilo and a half."""
HUNDREDTH = 0.01
"""The size of a cent, which is said behind its larger unit: 12 dollars and 50 cents."""
_JOINTS = frozenset(("", "and", ",", ", and", "و"))
"""What may stand between the two parts of an amount."""
_RATIOS = (("in", "every"), ("out", "of", "every"), ("out", "of"), ("in",), ("من", "كل"))
"""What may stand between part and whole."""
_RATIO_STARTS = frozenset(words[0] for words in _RATIOS)
_BELOW_ZERO = (["below", "zero"], ["below", "freezing"], ["تحت", "الصفر"])
_LESS = "الا"
_FRACTION_SLASH = "\u2044"
"""What normalisation makes of 2½ is 21⁄2: the last digit before it is the numerator."""
_OR = frozenset(("or", "and", "او"))
"""What stands before "over" or "older" behind a number: 16 and over."""
_COMPARED = frozenset(("than", "exceed"))
"""Last words of a limit that a negation before it turns: "not more than", "must not exceed"."""
MOST_BETWEEN = 2
"""Words between a negation and a limit that it turns: "do not take more than two"."""
MOST_BEHIND = 3
"""Words of a limit behind its number: "two hours at the most"."""
_SQUARE = frozenset(("square", "sq"))
SQUARE_METRES = 10_000
"""Of one hectare."""
LARGE = 1000
"""From this scale on a half of it may be added behind."""
TENTHS = 10
"""The largest denominator of a mixed number."""


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
    value, after = _mixed(words, place, after, value, lower)
    while after < len(words) and _is_scale(words, after):
        value *= table.scales[_scale_key(words[after])]
        is_word = False
        after += 1
    share, after = _and_share(words, after)
    value += share
    start = words[place - 1].start if currency and place else first.start
    unit, end_place = currency or NO_UNIT, after
    if not currency:
        unit, end_place = _unit_behind(words, after)
    if unit.dimension in HALVED:
        share, end_place = _and_part(words, end_place, unit)
        value += share
    if _is_below_zero(words, place, end_place, lower):
        value = -value
        start = (
            words[place - 1].start
            if place and words[place - 1].text in meaning_words().lists["minus"]
            else start
        )
    limit, limit_start = _limit(words, place)
    start = limit_start if limit else start
    if not limit:
        limit, end_place = _limit_behind(words, end_place)
    is_word = is_word and not unit.dimension and value == int(value)
    end = words[end_place - 1].end
    figure = Figure("number", value, start, end, unit, limit, is_word=is_word)
    _add(figure, words, place, lower, result)
    return end_place


def _is_below_zero(words: Sequence[Word], place: int, after: int, lower: str) -> bool:
    """Whether a number is a negative one: minus 4, -4, 4 degrees below zero."""
    before = words[place - 1].text if place else ""
    start = words[place].start
    is_signed = lower[max(0, start - 2) : start] in ("-", " -", "(-") and words[place].is_number
    behind = [
        word.text
        for word in words[after : after + 4]
        if word.text not in meaning_words().lists["degrees"]
    ][:2]
    return before in meaning_words().lists["minus"] or is_signed or behind in _BELOW_ZERO


def single(words: Sequence[Word], place: int, result: list[Figure]) -> int:
    """An hour and a half, ساعة ونصف, at least an hour; 0 where a unit stands by itself."""
    word = words[place]
    unit = meaning_words().units[word.bare]
    share, after = _and_part(words, place + 1, unit)
    first = place - (place > 0 and words[place - 1].text in meaning_words().lists["one_of"])
    limit, start = _limit(words, first)
    is_limited = bool(limit) and first < place and _may_be_limited(words, first, unit)
    if not (share or limit or word.text.isascii()):  # "ساعة على الأقل"
        limit, after = _limit_behind(words, place + 1)
        is_limited, start = bool(limit), word.start
    if word.has_article or not (share or is_limited):
        return 0
    start = start if limit else words[first].start
    result.append(Figure("number", 1 + share, start, words[after - 1].end, unit, limit))
    return after


def _may_be_limited(words: Sequence[Word], first: int, unit: Unit) -> bool:
    """Whether a limit makes an amount of one unit: "at least an hour".

    "Within a day" is rather a period, and a month is not counted in days.
    """
    return unit.dimension == "duration" and words[first - 1].text != "within"


def dual(words: Sequence[Word], place: int, result: list[Figure]) -> int:
    """One Arabic word for two of a unit, with what follows: ساعتان ونصف."""
    word = words[place]
    unit = meaning_words().duals[word.bare]
    share, after = _and_part(words, place + 1, unit)
    result.append(Figure("number", 2 + share, word.start, words[after - 1].end, unit))
    return after


def _add(
    figure: Figure, words: Sequence[Word], place: int, lower: str, result: list[Figure]
) -> None:
    """Add an amount, together with one of a larger unit right before.

    1 hour 30 minutes, 12 dollars and 50 cents.
    """
    may_follow = figure.unit.dimension in DURATIONS or figure.unit.factor == HUNDREDTH
    if may_follow and not figure.limit:
        before = _larger(figure, words, place, lower, result)
        if before:
            part = figure.value * figure.unit.factor / before.unit.factor
            figure = before._replace(value=before.value + part, end=figure.end)
    result.append(figure)


def _larger(
    figure: Figure, words: Sequence[Word], place: int, lower: str, result: list[Figure]
) -> Figure | None:
    """The amount in a larger unit right before another one, taken from the result if it is there.

    "An hour" is an amount only where a smaller one follows: "an hour and 20 minutes".
    """
    if result and result[-1].kind == "number" and _is_part(figure, result[-1].unit):
        between = lower[result[-1].end : figure.start].strip()
        return result.pop() if between in _JOINTS else None
    last = place - 1 - (place > 0 and words[place - 1].text in ("and", "و"))
    if last < 0 or words[last].has_article:
        return None
    unit = meaning_words().units.get(words[last].bare)
    is_single = not words[last].text.isascii() or (
        last and words[last - 1].text in meaning_words().lists["one_of"]
    )
    if unit is None or not is_single or not _is_part(figure, unit):
        return None
    if words[last].text.isascii():
        last -= 1
    limit, start = _limit(words, last)
    return Figure("number", 1.0, start if limit else words[last].start, 0, unit, limit)


def _is_part(figure: Figure, unit: Unit) -> bool:
    """Whether an amount is less than one of a larger unit."""
    size = figure.value * figure.unit.factor
    is_cents = figure.unit.dimension == "cent" and unit.dimension in WITH_CENTS - {"cent"}
    is_same = unit.dimension == figure.unit.dimension or is_cents
    return is_same and size < unit.factor > figure.unit.factor


def _mixed(
    words: Sequence[Word], place: int, after: int, value: float, lower: str
) -> tuple[float, int]:
    """A number with the fraction behind it, and the place behind: two and a half, 2 1/2, 2½."""
    texts = [word.text for word in words[after : after + 3]]
    if texts[:2] == ["and", "a"] and not _is_of(words, after + 3):
        share = meaning_words().fractions.get(texts[-1], 0.0)
        return value + share / 100, after + 3 if share else after
    first = words[place]
    if not first.text.isdecimal() or not texts or not texts[0].isdecimal():
        return value, after
    if lower[first.end : words[after].start] == _FRACTION_SLASH and len(first.text) > 1:
        whole, top, bottom = int(first.text[:-1]), int(first.text[-1]), int(texts[0][:9])
        return (whole + top / bottom, after + 1) if 0 < bottom <= TENTHS else (value, after)
    if len(texts) > 1 and lower[words[after].end : words[after + 1].start] == "/":
        share, of = small_number(words[after]), small_number(words[after + 1])
        is_mixed = lower[first.end : words[after].start] == " " and share < of <= TENTHS
        return (value + share / of, after + 2) if is_mixed else (value, after)
    return value, after


def _is_of(words: Sequence[Word], place: int) -> bool:
    """Whether a fraction before a place is one of something else: "a quarter of the staff"."""
    return place < len(words) and words[place].text == "of"


def _and_part(words: Sequence[Word], place: int, unit: Unit) -> tuple[float, int]:
    """The share of a unit that is added behind it, and the place behind; else 0.

    "And a half", "and three quarters", "ونصف الساعة"; "إلا ربعا" is taken off.
    """
    texts = [word.text for word in words[place : place + 3]]
    fractions = meaning_words().fractions
    if not texts:
        return 0.0, place
    if texts[0] == "and" and len(texts) == 3 and texts[2] in fractions:
        if _is_of(words, place + 3):
            return 0.0, place
        count = (
            1.0 if texts[1] in meaning_words().lists["one_of"] else small_number(words[place + 1])
        )
        return count * fractions[texts[2]] / 100, place + 3 if count else place
    sign, after = 1.0, place + 1
    if texts[0] in ("و", _LESS) and len(texts) > 1:
        sign, after = -1.0 if texts[0] == _LESS else 1.0, place + 2
        share = fractions.get(texts[1], fractions.get(texts[1].removesuffix("ا"), 0.0))
    elif texts[0].startswith("و"):
        share = fractions.get(texts[0].removeprefix("و").removesuffix("ا"), 0.0)
    else:
        share = 0.0
    if not share:
        return 0.0, place
    if after < len(words) and meaning_words().units.get(words[after].bare) == unit:
        after += 1
    return sign * share / 100, after


def _and_share(words: Sequence[Word], after: int) -> tuple[float, int]:
    """What "and a half" behind an Arabic scale adds, and the place behind: مليون ونصف المليون."""
    table = meaning_words()
    scale = table.scales.get(_scale_key(words[after - 1]), 0.0)
    if scale < LARGE or after == len(words) or not words[after].text.startswith("و"):
        return 0.0, after
    share = table.fractions.get(words[after].text.removeprefix("و").removesuffix("ا"), 0.0)
    if not share:
        return 0.0, after
    is_named = after + 1 < len(words) and table.scales.get(words[after + 1].bare) == scale
    return share / 100 * scale, after + 1 + is_named


def _is_scale(words: Sequence[Word], place: int) -> bool:
    word = words[place]
    if word.text == "k" and word.start != words[place - 1].end:
        return False
    return _scale_key(word) in meaning_words().scales


def _scale_key(word: Word) -> str:
    return word.text if word.text in meaning_words().scales else word.bare


def _unit_behind(words: Sequence[Word], after: int) -> tuple[Unit, int]:
    units, between = meaning_words().units, meaning_words().lists["before_units"]
    place = after
    while place < len(words) and place < after + 3:
        word = words[place]
        if word.text in between:
            place += 1
            continue
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
            squared = any(words[n].text in _SQUARE for n in range(after, place))
            return _squared(units[key]) if squared else units[key], place + 1
        break
    return NO_UNIT, after


def _squared(unit: Unit) -> Unit:
    """The area in hectares of a square with a side of one unit of length; else the unit itself."""
    is_length = unit.dimension == "length"
    return Unit("area", unit.factor**2 / SQUARE_METRES) if is_length else unit


def _may_be_unit(words: Sequence[Word], place: int) -> bool:
    """Whether a single letter behind a number is a unit: it stands right behind it."""
    return words[place].start - words[place - 1].end <= 1


def _limit(words: Sequence[Word], place: int) -> tuple[str, int]:
    """What the words before a number make of it, and where they begin."""
    limits = meaning_words().limits
    clause = words[place].clause
    before = [word.text for word in words[max(0, place - 4) : place] if word.clause == clause]
    first = place
    while before and before[-1] in ("$", "€", "£", "a"):
        before.pop()
        first -= 1
    if not before or before[-1] not in _limit_ends():
        return "", -1
    for count in (4, 3, 2, 1):
        if len(before) >= count and (message := limits.get(" ".join(before[-count:]))):
            start = first - count
            if before[-1] in _COMPARED and (denying := _denying(words, start)):
                is_beside = denying.end + 1 >= words[start].start
                turned = "least" if message == "most" else "most"
                return turned, (denying if is_beside else words[start]).start
            return message, words[start].start
    return _limit_around(before, words, first)


def _limit_around(before: Sequence[str], words: Sequence[Word], first: int) -> tuple[str, int]:
    """The same where an Arabic noun stands inside: ألا يقل وزنها عن."""
    if before[-1].isascii():
        return "", -1
    for count in (4, 3):
        phrase = " ".join((*before[-count:-2], before[-1]))
        if len(before) >= count and (message := meaning_words().limits.get(phrase)):
            return message, words[first - count].start
    return "", -1


def _denying(words: Sequence[Word], place: int) -> Word | None:
    """The negation before a limit in its clause: "not more than", "do not take more than"."""
    for word in reversed(words[max(0, place - MOST_BETWEEN - 1) : place]):
        if word.clause != words[place].clause:
            return None
        if word.text in ("no", "not", "never") or word.text.endswith("n't"):
            return word
    return None


@cache
def _limit_ends() -> frozenset[str]:
    """The last words of phrases such as "at least"."""
    return frozenset(phrase.rpartition(" ")[2] for phrase in meaning_words().limits)


def _limit_behind(words: Sequence[Word], after: int) -> tuple[str, int]:
    """What words behind a number make of it, and the place behind them: "12 letters or fewer".

    And "two hours at least", where they end the clause.
    """
    place = after
    behind = words[after : after + MOST_BEHIND + 1]
    own = [word.text for word in behind if word.clause == words[after - 1].clause]
    if closing := meaning_words().limits_behind.get(" ".join(own)):
        return closing, after + len(own)
    if place + 2 < len(words) and words[place].clause == words[place + 1].clause:
        place += words[place].text not in _OR
    if place + 1 >= len(words) or words[place].text not in _OR:
        return "", after
    lists, follows = meaning_words().lists, words[place + 1].text
    limit = "least" if follows in lists["or_more"] else ""
    limit = "most" if follows in lists["or_less"] else limit
    return limit, place + 2 if limit else after


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
    if unit and unit.dimension != "%" and after - place <= 3:
        result.append(Figure("number", share / 100, start, words[after].end, unit))
        return after + 1
    limit, limit_start = _limit(words, place)
    start = limit_start if limit and start == word.start else start
    result.append(Figure("number", share, start, word.end, table.units["%"], limit))
    return place + 1


def _count(word: Word) -> float:
    """A whole number up to 100, in digits or words; 0 for another word."""
    if word.is_number:
        return float(word.text) if word.text.isdecimal() and len(word.text) <= 3 else 0.0
    value = meaning_words().numbers.get(word.text, 0.0)
    return float(value) if value <= 100 else 0.0


def third(words: Sequence[Word], place: int, result: list[Figure]) -> int:
    """A third, one third, in percent; 0 where it is the one behind the second."""
    before = words[place - 1] if place else None
    behind = words[place + 1] if place + 1 < len(words) else None
    is_part = before is not None and before.text in ("a", "one")
    is_last = behind is None or behind.clause != words[place].clause or behind.text == "of"
    if not is_part or not is_last or before is None:
        return 0
    if result and result[-1].start == before.start:
        result.pop()
    unit = meaning_words().units["%"]
    result.append(Figure("number", 100 / 3, before.start, words[place].end, unit))
    return place + 1


def ratio(words: Sequence[Word], place: int, result: list[Figure]) -> int:
    """One in four, 3 out of 5, as percent; 0 where there is none."""
    if place + 1 >= len(words) or words[place + 1].text not in _RATIO_STARTS:
        return 0
    part = _count(words[place])
    texts = [word.text for word in words[place + 1 : place + 4]]
    joint = next((own for own in _RATIOS if [*own] == texts[: len(own)]), None)
    last = place + 1 + len(joint or ())
    if not part or joint is None or last >= len(words):
        return 0
    whole = _count(words[last])
    follows = words[last + 1].bare if last + 1 < len(words) else ""
    if not 0 < part < whole or follows in meaning_words().units:
        return 0
    unit = meaning_words().units["%"]
    result.append(Figure("number", 100 * part / whole, words[place].start, words[last].end, unit))
    return last + 1
