"""Damaged JSON from a model, read where only one reading is possible.

Valid JSON is returned as it is. Else what stands around the JSON goes (code fences, words, extra
brackets), and inside it these are read: trailing commas, comments, single quotes, Python's `True`,
`False` and `None`, raw line breaks and unknown escapes in texts, and an end that is cut off. Every
repair is named. What could be read in two ways is refused: missing commas, quotes inside quotes,
brackets that do not fit, keys that appear twice, several different values.

The text is read once, with a stack of our own: time is linear, and depth is limited.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from assay.core import jsontext

FENCE = "removed the code fence"
BEFORE = "removed the text before the JSON"
AFTER = "removed the text after the JSON"
COMMAS = "removed trailing commas"
COMMENTS = "removed comments"
QUOTES = "read texts in single quotes"
PYTHON = "read Python's True, False and None"
BLANKS = "removed blanks that JSON does not know"
CONTROLS = "kept raw line breaks and control characters in texts"
ESCAPES = "kept unknown escapes in texts as written"
TEXT = "closed an unclosed text"
UNFINISHED = "left out an unfinished field or value at the end"


class Repaired(NamedTuple):
    """A value and what was done to read it; nothing was done to valid JSON."""

    value: Any
    repairs: tuple[str, ...]


def repair(text: str) -> Repaired:
    """Read JSON text that may be damaged; raises `ValueError` with the reason if it cannot."""
    try:
        return Repaired(jsontext.load_document(text), ())
    except ValueError as error:
        readings = list(_values(text))
        if not readings:
            raise ValueError(f"it cannot be repaired: {error}") from None
    chosen = _the_one(readings)
    return Repaired(chosen.value, (*_around(text, chosen), *chosen.repairs))


_FENCE = re.compile(r"```[ \t]*\w*\s*\Z")
_BEFORE = 80
"""Characters before a value in which a code fence is looked for."""
_START = re.compile(
    r"""\{(?=\s*(?:["'}/]|\Z))
    | \[(?=\s*(?:[\[{"'\]\d/-]|(?:true|false|null|True|False|None)\b|\Z))""",
    re.VERBOSE,
)
"""A bracket with something behind it that may follow in JSON."""
_BLANKS = re.compile(r"[ \t\n\r]*")
_COMMENTS = {"//": "\n", "/*": "*/"}
_WORD = re.compile(r"[A-Za-z]+")
_NUMBER = re.compile(r"-?[\d.eE+-]*")
_BODY = {mark: re.compile(rf"(?:[^{mark}\\]++|\\.)*+", re.DOTALL) for mark in "\"'"}
_ESCAPE = re.compile(r"\\(?:u([\da-fA-F]{4})|(.))", re.DOTALL)
_HALF = r"\\u[dD][89abAB][\da-fA-F]{2}"
_CUT_ESCAPE = re.compile(rf"(?:{_HALF})?\\(?:u[\da-fA-F]{{0,3}})?\Z|{_HALF}\Z")
"""An escape without its end, or half of a pair of them, at the end."""
_CONTROL = re.compile("[\x00-\x1f]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_MEANT = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"} | {c: c for c in "\"\\/'"}
_WORDS = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}
_BEGINNINGS = frozenset(word[:end] for word in _WORDS for end in range(1, len(word) + 1))
_CLOSING = {"{": "}", "[": "]"}


class _NoJsonError(ValueError):
    """What looked like a beginning is none; raised before anything was read of it."""


class _RepairedValue(NamedTuple):
    value: Any
    start: int
    end: int
    repairs: tuple[str, ...]
    is_fenced: bool
    is_cut: bool


@dataclass(slots=True)
class _Open:
    """A list or an object whose end was not read yet."""

    holder: Any
    closing: str
    state: Literal["first", "colon", "value", "next", "comma"] = "first"
    key: str | None = None

    @property
    def wants_key(self) -> bool:
        return self.key is None and isinstance(self.holder, dict)

    def add(self, value: Any) -> None:
        if isinstance(self.holder, dict):
            self.holder[self.key] = value
        else:
            self.holder.append(value)
        self.key, self.state = None, "next"


def _values(text: str) -> Iterator[_RepairedValue]:
    """All lists and objects of the text that do not lie in each other."""
    position = 0
    while begin := _START.search(text, position):
        reader = _Reader(text, begin.start())
        with suppress(_NoJsonError):
            yield reader.read()
        position = max(reader.position, begin.end())


def _the_one(readings: list[_RepairedValue]) -> _RepairedValue:
    """The value that is meant: the fenced one, else the only object, else the only list."""
    full = [one for one in readings if one.value or not one.is_cut] or readings
    kinds = (
        [one for one in full if one.is_fenced],
        [one for one in full if isinstance(one.value, dict)],
        full,
    )
    meant = next(kind for kind in kinds if kind)
    if len({jsontext.dumps(one.value) for one in meant}) > 1:
        raise ValueError(f"it holds {len(meant)} different JSON values; expected one")
    return meant[0]


def _around(text: str, reading: _RepairedValue) -> Iterator[str]:
    """What is left out before and after the value."""
    before, after = text[: reading.start], text[reading.end :]
    if reading.is_fenced:
        yield FENCE
        before = before[: before.rindex("```")]
        after = after.strip().removeprefix("```")
    if before.strip("\ufeff \t\r\n"):
        yield BEFORE
    if after.strip():
        yield AFTER


class _Reader:
    """Reads one list or object; `position` is where reading stopped."""

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.start = self.position = start
        self.is_fenced = bool(_FENCE.search(text, max(0, start - _BEFORE), start))
        self.open: list[_Open] = []
        self.repairs: dict[str, None] = {}
        self.members = 0

    def read(self) -> _RepairedValue:
        """The value; what is open at the text's end is closed."""
        root = self._begin(self.text[self.start])
        while self.open:
            mark = self._next()
            if not mark:
                break
            self._step(self.open[-1], mark)
        is_cut = bool(self.open)
        if is_cut:
            self._close_all()
        return _RepairedValue(
            root, self.start, self.position, tuple(self.repairs), self.is_fenced, is_cut
        )

    def _begin(self, bracket: str) -> Any:
        if len(self.open) == jsontext.MAX_DEPTH:
            raise ValueError(f"nested deeper than {jsontext.MAX_DEPTH} levels")
        holder: Any = {} if bracket == "{" else []
        if self.open:
            self._add(holder)
        self.open.append(_Open(holder, _CLOSING[bracket]))
        self.position += 1
        return holder

    def _next(self) -> str:
        """The next character that says something; nothing at the end or before a closing fence."""
        while True:
            self.position = self._end(_BLANKS, self.position)
            mark = self.text[self.position : self.position + 1]
            if closing := _COMMENTS.get(self.text[self.position : self.position + 2]):
                self._note(COMMENTS)
                end = self.text.find(closing, self.position + 2)
                self.position = len(self.text) if end < 0 else end + len(closing)
            elif mark == "\ufeff" or mark.isspace():
                self._note(BLANKS)
                self.position += 1
            else:
                return "" if self.text.startswith("```", self.position) else mark

    def _step(self, top: _Open, mark: str) -> None:
        """Read one piece where the innermost list or object stands."""
        if mark in "]}" and top.state in ("first", "next", "comma"):
            self._close(top, mark)
        elif top.state == "next":
            top.state = "comma"
            self._expect(mark, ",", f"',' or '{top.closing}'")
        elif top.state == "colon":
            top.state = "value"
            self._expect(mark, ":", "':'")
        elif top.wants_key:
            self._read_key(top, mark)
        elif mark in "[{":
            self._begin(mark)
        else:
            self._read_value(mark)

    def _close(self, top: _Open, mark: str) -> None:
        self._expect(mark, top.closing, f"'{top.closing}'")
        if top.state == "comma":
            self._note(COMMAS)
        self.open.pop()

    def _expect(self, mark: str, expected: str, wanted: str) -> None:
        if mark != expected:
            raise self._refusal(f"expected {wanted}")
        self.position += 1

    def _refusal(self, reason: str) -> ValueError:
        if not self.members:
            return _NoJsonError()  # without a place: counting lines for each would not be linear
        character = self.text[self.position : self.position + 1]
        return ValueError(
            f"{reason} but found {character!r} at {jsontext.place(self.text, self.position)}"
        )

    def _read_key(self, top: _Open, mark: str) -> None:
        if mark not in "\"'":
            raise self._refusal("expected a key in quotes")
        key = self._read_text(mark)
        if key is None:
            return
        if key in top.holder:
            raise ValueError(f"the key {key[:80]!r} appears twice")
        top.key, top.state = key, "colon"

    def _read_value(self, mark: str) -> None:
        if mark in "\"'":
            self._read_text(mark, is_value=True)
        elif mark == "-" or mark.isdigit():
            self._read_number()
        else:
            self._read_word()

    def _read_number(self) -> None:
        end = self._end(_NUMBER, self.position)
        if end == len(self.text):
            self._leave_out()
            return
        try:
            value = jsontext.loads(self.text[self.position : end])
        except ValueError as error:
            is_size = str(error).startswith("the number")
            raise (error if is_size else self._refusal("expected a JSON number")) from None
        self.position = end
        self._add(value)

    def _read_word(self) -> None:
        match = _WORD.match(self.text, self.position)
        word = match.group() if match else ""
        if match and match.end() == len(self.text) and word in _BEGINNINGS:
            self._leave_out()
            return
        if word not in _WORDS:
            raise self._refusal("expected a JSON value")
        if word[0].isupper():
            self._note(PYTHON)
        self.position += len(word)
        self._add(_WORDS[word])

    def _read_text(self, quote: str, is_value: bool = False) -> str | None:
        """Read a text and add it if it is a value; None where it is cut off."""
        if quote == "'":
            self._note(QUOTES)
        value, self.position, is_closed = self._scan(quote)
        if _SURROGATE.search(value):
            raise ValueError("half a surrogate pair, which is no character, in a text")
        if not is_closed:
            self._note(TEXT if is_value else UNFINISHED)
        if is_value:
            self._add(value)
        return value if is_closed else None

    def _scan(self, quote: str) -> tuple[str, int, bool]:
        """The text that begins here, where it ends, and whether it is closed or cut off."""
        start = self.position + 1
        end = self._end(_BODY[quote], start)
        if self.text.startswith(quote, end):
            return self._meant(self.text[start:end]), end + 1, True
        fence = self.text.find("\n```", start) if self.is_fenced else -1
        end = len(self.text) if fence < 0 else fence
        return self._meant(_CUT_ESCAPE.sub("", self.text[start:end])), end, False

    def _meant(self, body: str) -> str:
        """The text that a body with escapes stands for."""
        if _CONTROL.search(body):
            self._note(CONTROLS)
        if "\\" not in body:
            return body
        joined = _ESCAPE.sub(self._unescaped, body)
        return joined.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")

    def _unescaped(self, match: re.Match[str]) -> str:
        code, letter = match.groups()
        if code:
            return chr(int(code, 16))
        if letter not in _MEANT:
            self._note(ESCAPES)
            return match.group()
        return _MEANT[letter]

    def _end(self, pattern: re.Pattern[str], start: int) -> int:
        """Where a pattern that may match nothing stops."""
        match = pattern.match(self.text, start)
        return match.end() if match else start

    def _add(self, value: Any) -> None:
        self.open[-1].add(value)
        self.members += 1

    def _note(self, what: str) -> None:
        self.repairs[what] = None

    def _leave_out(self) -> None:
        self._note(UNFINISHED)
        self.position = len(self.text)

    def _close_all(self) -> None:
        if any(top.key is not None for top in self.open):
            self._note(UNFINISHED)
        count = len(self.open)
        self._note(f"closed {count} unclosed bracket{'s' if count > 1 else ''}")
