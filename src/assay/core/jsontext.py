"""The one reader and the one writer of JSON text.

Strict where Python is lenient: duplicate keys, NaN and infinities are refused, and depth or
digits that would crash a parser become an ordinary `ValueError` with a clear reason. A document
that is to be compared may not hold half a surrogate pair either, which no file could store.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Mapping
from decimal import Decimal
from functools import partial
from typing import Any

MAX_DIGITS = 400
"""Longer whole numbers are refused: reading one takes time that grows with its square."""
MAX_DEPTH = 500
"""Deeper nesting is refused; Python's own parser gives up near a thousand levels."""
USUAL_RECURSION = 3000
"""Where a program allows more levels of calls than this, the parser may use up its stack first."""


def loads(text: str) -> Any:
    """Read JSON text; raises `ValueError` whose message is fit for people."""
    if _may_overflow(text):
        raise ValueError(_TOO_DEEP)
    try:
        value = _DECODER.decode(text.removeprefix("\ufeff"))
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    except json.JSONDecodeError as error:
        raise ValueError(f"{_problem_text(error)} at character {error.pos + 1}") from None
    if text.count("[") + text.count("{") > MAX_DEPTH and _depth(value) > MAX_DEPTH:
        raise ValueError(_TOO_DEEP)
    return value


MAX_OPENINGS = 64
"""Brackets at which JSON is looked for inside other text; each takes time linear in the text."""


def embedded_values(text: str) -> tuple[list[tuple[int, int]], bool]:
    """Where the objects and lists inside a text stand, and whether all brackets were looked at.

    What lies inside one that was found is a part of it.
    """
    spans: list[tuple[int, int]] = []
    start = 0
    if _may_overflow(text):
        return spans, False
    for _ in range(MAX_OPENINGS):
        opening = _OPENING.search(text, start)
        if opening is None:
            return spans, True
        try:
            _, end = _DECODER.raw_decode(text, opening.start())
        except (ValueError, RecursionError):
            start = opening.end()
            continue
        spans.append((opening.start(), end))
        start = end
    return spans, _OPENING.search(text, start) is None


def load_document(text: str) -> Any:
    """Read a document that is to be compared; reasons name line and column where they are known.

    As `loads`, and lone surrogates are refused, as characters and as escapes.
    """
    try:
        value = loads(text)
    except ValueError as error:
        cause = error.__context__
        if not isinstance(cause, json.JSONDecodeError):
            raise
        raise ValueError(f"{_problem_text(cause)} at {place(cause.doc, cause.pos)}") from None
    if (start := _lone_surrogate(text)) is not None:
        raise ValueError(f"half a surrogate pair, which is no character, at {place(text, start)}")
    return value


def place(text: str, start: int) -> str:
    """Where a character stands, as people count: `line 2, column 5`."""
    line = text.count("\n", 0, start) + 1
    return f"line {line}, column {start - text.rfind(chr(10), 0, start)}"


def dumps(
    value: Any, indent: int | None = None, *, is_compact: bool = False, is_sorted: bool = False
) -> str:
    """Write JSON text that any strict parser reads back to the same value.

    Text stays readable (no escapes for Arabic), but what acts on a terminal is escaped, such as
    U+009B, which begins a command like ESC does. A lone surrogate, which UTF-8 cannot hold, makes
    the whole value fall back to escapes. A whole number longer than `loads` takes is written as
    text. A compact text has no blanks between its parts; a sorted one has the keys of objects in
    order, so that equal values have equal texts.
    """
    write = partial(
        json.dumps,
        allow_nan=False,
        indent=indent,
        separators=(",", ":") if is_compact else None,
        sort_keys=is_sorted,
    )
    try:
        text = write(value, ensure_ascii=False)
        is_long = _has_long_number(text)
    except ValueError:  # not finite, or so long that Python refuses to spell it
        is_long = True
    if is_long:
        value = _with_long_numbers_as_text(value)
        text = write(value, ensure_ascii=False)
    if is_plain(text):
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return write(value, ensure_ascii=True)
    return _ACTING.sub(lambda match: f"\\u{ord(match.group()):04x}", text)


def is_plain(text: str) -> bool:
    """Whether nothing in a JSON text has to be escaped: in ASCII but one character acts."""
    return text.isascii() and _DELETE not in text


def _has_long_number(text: str) -> bool:
    """Whether so many digits stand in a row as no number may have; without a step a character."""
    if len(text) < MAX_DIGITS:
        return False
    digits = text.encode("utf-8", "surrogatepass").translate(_DIGITS)
    return _LONG_NUMBER in digits


_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(?P<lone>u[dD][89a-fA-F])|.)",
    re.DOTALL,
)
"""A pair of surrogates, half of one, or any other escape, from left to right."""
_ACTING = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""What JSON lets pass though it acts: C1 controls, ends of lines, and changes of direction."""
_DELETE = "\x7f"
_DIGITS = bytes(ord("0") if chr(code) in "0123456789" else ord(" ") for code in range(256))
"""0 for every digit, a blank for every other byte."""
_LONG_NUMBER = b"0" * MAX_DIGITS
_OPENING = re.compile(r"[\[{]")
_BRACKET = re.compile(r'[\[\]{}]|"(?:[^"\\]|\\.)*+"?', re.DOTALL)
"""A bracket, or a string with all that stands in it."""
_TOO_DEEP = f"nested deeper than {MAX_DEPTH} levels"


def _problem_text(error: json.JSONDecodeError) -> str:
    return error.msg.removesuffix(" at")


def _may_overflow(text: str) -> bool:
    """Whether the parser would end the process: its own limit is raised, and the text is deep.

    Brackets inside of strings are passed over, and so are those behind an error: whatever stands
    there is not parsed.
    """
    if sys.getrecursionlimit() <= USUAL_RECURSION:
        return False
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return False
    depth = 0
    for match in _BRACKET.finditer(text):
        sign = match.group()
        if sign in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                return True
        elif sign in "]}":
            depth = max(0, depth - 1)
    return False


def _depth(value: Any) -> int:
    """How many lists and objects lie inside each other, without recursion."""
    depth, level = 0, [value]
    while level:
        level = [part for part in level if isinstance(part, dict | list)]
        depth += bool(level)
        level = [
            child for part in level for child in (part.values() if isinstance(part, dict) else part)
        ]
    return depth


def _lone_surrogate(text: str) -> int | None:
    """The place of the first half of a surrogate pair in valid JSON text."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return error.start
    if "\\u" not in text:
        return None
    return next((match.start() for match in _ESCAPE.finditer(text) if match["lone"]), None)


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) != len(pairs):
        ((twice, _),) = Counter(key for key, _ in pairs).most_common(1)
        raise ValueError(f"the key {_cut(twice)!r} appears twice")
    return table


def _cut(text: str) -> str:
    return text if len(text) <= 80 else text[:79] + "…"


def _number(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise ValueError(f"the number {text[:20]} is too large")
    return value


def _integer(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise ValueError(
            f"the number {text[:20]}… has {len(text)} digits; expected at most {MAX_DIGITS}"
        )
    return int(text)


def _with_long_numbers_as_text(value: Any) -> Any:
    if isinstance(value, int) and not isinstance(value, bool):
        spelt = str(Decimal(value)) if value.bit_length() > MAX_DIGITS else ""
        return spelt if len(spelt) > MAX_DIGITS else value
    if isinstance(value, Mapping):
        return {key: _with_long_numbers_as_text(part) for key, part in value.items()}
    return [*map(_with_long_numbers_as_text, value)] if isinstance(value, list | tuple) else value


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object,
    parse_constant=_refuse_constant,
    parse_float=_number,
    parse_int=_integer,
)
