"""Turns an expression of a pattern set into one that RE2 can run over a shadow of the text.

In a shadow (see `patterns`) every character is one byte: the characters beyond ASCII that the
expression asks for have codes of their own, every other letter is `W`, in which the lower-case text
is poor otherwise. What cannot be said of a shadow is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from assay.core.errors import ProfileError
from assay.textproc.normal import normalise

LETTERS_BEYOND = r"\x80-\xff"
"""The codes of letters beyond ASCII, for use inside brackets."""
_TOKEN = re.compile(
    r"""
      \\x\{[^}]*\} | \\x[0-9a-f]{2} | \\.     # an escape
    | \[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]  # a class
    | \(\?P?[a-zA-Z]* | .                      # the head of a group; anything else
    """,
    re.DOTALL | re.VERBOSE,
)
_ITEM = re.compile(
    r"""(?P<class>\[:\^?\w+:\])
      | (?P<low>\\x\{[^}]*\}|\\x[0-9a-f]{2}|\\.|.)(?:-(?P<high>\\x\{[^}]*\}|\\x[0-9a-f]{2}|\\.|.))?
    """,
    re.DOTALL | re.VERBOSE,
)


class Expression(NamedTuple):
    """An expression over a shadow, and whether a word must begin and end with it."""

    source: str
    starts_word: bool
    ends_word: bool


def lower(regex: str) -> str:
    """The expression in lower case, its escapes (`\\S`, `\\B`) and heads of groups untouched."""
    kept = re.compile(r"\\x\{[^}]*\}|\\.|\(\?P?[a-zA-Z]*", re.DOTALL)
    parts, done = [], 0
    for match in kept.finditer(regex):
        parts += [regex[done : match.start()].lower(), match.group()]
        done = match.end()
    return "".join([*parts, regex[done:].lower()])


def translate(name: str, regex: str, codes: Mapping[str, str], is_wide: bool) -> Expression:
    """The expression `regex`, which is in lower case, over a shadow with these codes.

    `is_wide` says that it asks for letters beyond ASCII. RE2's `\\b` does not know those, so it is
    taken off the ends for the caller to spell out, and refused elsewhere.
    """
    pieces = _TOKEN.findall(regex)
    starts, ends = (is_wide and pieces[end] == r"\b" for end in (0, -1))
    pieces = pieces[starts : len(pieces) - ends]
    if (starts or ends) and _has_alternatives(pieces):
        raise ProfileError(f"pattern {name!r} has alternatives; expected them in (?:…|…)")
    source = "".join(_piece(name, piece, codes, is_wide) for piece in pieces)
    return Expression(source, starts, ends)


def _piece(name: str, piece: str, codes: Mapping[str, str], is_wide: bool) -> str:
    if piece.startswith("(?") and "i" in piece:
        raise ProfileError(f"pattern {name!r} has {piece!r}; case never matters, leave it out")
    if is_wide and piece in (r"\b", r"\B"):
        raise ProfileError(
            f"pattern {name!r} has letters beyond ASCII; expected \\b at its ends only"
        )
    if is_wide and piece in (r"\w", r"\W"):
        return rf"[\w{LETTERS_BEYOND}]" if piece == r"\w" else rf"[^\w{LETTERS_BEYOND}]"
    if len(piece) > 1 and piece[0] == "[":
        head = "[^" if piece[1] == "^" else "["
        items = _ITEM.finditer(piece, len(head), len(piece) - 1)
        return head + "".join(_item(name, item, codes, is_wide) for item in items) + "]"
    return _literal(name, piece, codes)


def _item(name: str, item: re.Match[str], codes: Mapping[str, str], is_wide: bool) -> str:
    """One character, escape or range of a class."""
    low, high = item["low"], item["high"]
    if item["class"]:
        return item["class"]
    if high is None:
        if is_wide and low == r"\W":
            raise ProfileError(f"pattern {name!r} has '\\\\W' in brackets; expected [^\\w]")
        return low + LETTERS_BEYOND if is_wide and low == r"\w" else _literal(name, low, codes)
    if not item.group().isascii():
        raise ProfileError(
            f"pattern {name!r} has a range of characters beyond ASCII; expected them one by one"
        )
    if low[-1] < "A" and high[-1] > "Z" and not (low + high).startswith("\\x"):
        return rf"{low}-@\[-{high}"  # leaves out W, the stand-in for other letters
    return item.group()


def _literal(name: str, piece: str, codes: Mapping[str, str]) -> str:
    """A character or an escape, as the shadow shows it."""
    if piece.startswith((r"\p", r"\P")):
        raise ProfileError(f"pattern {name!r} has {piece!r}; expected letters, or \\w for any")
    if piece.startswith(r"\x") and int(piece.strip(r"\x{}") or "0", 16) > 0x7F:
        raise ProfileError(f"pattern {name!r} has {piece!r}; expected the character itself")
    if piece.isascii():
        return piece
    char = piece[-1]
    folded = normalise(char).text
    if folded != char:
        raise ProfileError(
            f"pattern {name!r} has {char!r}, which normalised text never holds; expected {folded!r}"
        )
    return f"\\x{ord(codes[char]):02x}"


def _has_alternatives(pieces: list[str]) -> bool:
    """Whether a `|` stands outside all groups."""
    depth = 0
    for piece in pieces:
        depth += piece.startswith("(")
        depth -= piece == ")"
        if piece == "|" and not depth:
            return True
    return False
