"""Evaluates the arithmetic that a text writes out: numbers, + - * / ^, brackets, single letters.

Exact fractions; expressions that are too long, too deep or too large have no value. Nothing is
executed: the expressions are parsed here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

MAX_TOKENS = 200
MAX_DEPTH = 30
MAX_DIGITS = 30
MAX_POWER = 64
_TOKEN = re.compile(r"\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+|[A-Za-z](?![A-Za-z])|[-+*/^()=]")
_SIGNS = str.maketrans({"×": "*", "÷": "/", "·": "*", "−": "-", "–": "-", "$": " ", "€": " "})
_MARKUP = re.compile(r"[\\\\{}_|<>≤≥≠]")
_SPELT = re.compile(r"(?:%|\b(?:of|by|times|plus|minus|over|than|and|to|per))\s*$")
_WORD = re.compile(r"[A-Za-z]{2,}|[^\W\dA-Za-z]{2,}")


class Equation(NamedTuple):
    """Sides that a text says are equal, with the values of those that have one."""

    sides: tuple[str, ...]
    values: tuple[Fraction | None, ...]
    start: int
    end: int

    @property
    def holds(self) -> bool | None:
        """Whether all values are equal; None with fewer than two."""
        known = [value for value in self.values if value is not None]
        if len(known) < 2:
            return None
        return all(_is_near(known[0], value) for value in known[1:])


def evaluate(text: str, known: Mapping[str, Fraction] | None = None) -> Fraction | None:
    """The value of an expression; letters stand for `known` values. None where it has none."""
    tokens = _TOKEN.findall(text.translate(_SIGNS))
    if not tokens or len(tokens) > MAX_TOKENS or "=" in tokens:
        return None
    if "".join(tokens) != "".join(text.translate(_SIGNS).split()):
        return None
    try:
        parser = _Parser(tokens, known or {})
        value = parser.sum(0)
    except (_NoValueError, ZeroDivisionError):
        return None
    return value if parser.is_done else None


def equations(text: str, known: Mapping[str, Fraction] | None = None) -> Iterator[Equation]:
    """The equations of a text, in order; a letter that gets a value keeps it for the next ones."""
    values = dict(known or {})
    for start, end in _runs(text):
        if _MARKUP.search(text, max(0, start - 2), end + 2):
            continue
        sides = tuple(side.strip(" .,;:") for side in text[start:end].split("="))
        result = [evaluate(side, values) if side else None for side in sides]
        if _SPELT.search(text, max(0, start - 12), start):
            result[0] = None  # "20 % of 100 = 20": the first side begins before the run
        name = sides[0][-1:] if re.fullmatch(r"[A-Za-z]", sides[0]) else ""
        last = next((value for value in reversed(result[1:]) if value is not None), None)
        if name and last is not None:
            values[name] = last
        yield Equation(sides, tuple(result), start, end)


def assigned(text: str, known: Mapping[str, Fraction] | None = None) -> dict[str, Fraction]:
    """The values that letters have after a text."""
    values = dict(known or {})
    for equation in equations(text, values):
        last = next((v for v in reversed(equation.values) if v is not None), None)
        if re.fullmatch(r"[A-Za-z]", equation.sides[0]) and last is not None:
            values[equation.sides[0]] = last
    return values


def _runs(text: str) -> Iterator[tuple[int, int]]:
    """Stretches between words that hold an equals sign."""
    place = 0
    for word in [*_WORD.finditer(text), None]:
        end = word.start() if word else len(text)
        if "=" in text[place:end]:
            part = text[place:end]
            offset = 0
            for piece in re.split(r'["\n;]|\.\s|,\s', part):
                if "=" in piece:
                    yield place + offset, place + offset + len(piece)
                offset = part.index(piece, offset) + len(piece)
        place = word.end() if word else end


def _is_near(one: Fraction, other: Fraction) -> bool:
    """Equal but for rounding to two decimals."""
    return abs(one - other) <= Fraction(1, 200)


class _NoValueError(Exception):
    """The text is no expression, or one that is not worth its time."""


class _Parser:
    def __init__(self, tokens: list[str], known: Mapping[str, Fraction]) -> None:
        self._tokens, self._known, self._place = tokens, known, 0

    @property
    def is_done(self) -> bool:
        return self._place == len(self._tokens)

    def _peek(self) -> str:
        return self._tokens[self._place] if not self.is_done else ""

    def _take(self) -> str:
        self._place += 1
        return self._tokens[self._place - 1]

    def sum(self, depth: int) -> Fraction:
        value = self._product(depth)
        while self._peek() in ("+", "-"):
            sign = 1 if self._take() == "+" else -1
            value += sign * self._product(depth)
        return value

    def _product(self, depth: int) -> Fraction:
        value = self._power(depth)
        while self._peek() in ("*", "/") or self._peek() == "(":
            operator = self._take() if self._peek() != "(" else "*"
            other = self._power(depth)
            value = value * other if operator == "*" else value / other
            if len(str(value.numerator)) > MAX_DIGITS:
                raise _NoValueError
        return value

    def _power(self, depth: int) -> Fraction:
        base = self._signed(depth)
        if self._peek() != "^":
            return base
        self._take()
        power = self._signed(depth)
        if power.denominator != 1 or abs(power) > MAX_POWER or abs(base) > 1_000_000:
            raise _NoValueError
        return base ** int(power)

    def _signed(self, depth: int) -> Fraction:
        sign = 1
        while self._peek() in ("-", "+"):
            sign *= -1 if self._take() == "-" else 1
        return sign * self._single(depth)

    def _single(self, depth: int) -> Fraction:
        if depth > MAX_DEPTH or self.is_done:
            raise _NoValueError
        token = self._take()
        if token == "(":
            value = self.sum(depth + 1)
            if self.is_done or self._take() != ")":
                raise _NoValueError
            return value
        if token.isalpha():
            if token not in self._known:
                raise _NoValueError
            return self._known[token]
        digits = token.replace(",", "")
        if not digits[-1].isdigit() or len(digits) > MAX_DIGITS:
            raise _NoValueError
        return Fraction(digits)
