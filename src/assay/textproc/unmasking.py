"""What a text says once its letters are no longer masked.

People hide words from rules: letters with blanks or dots between them, digits for letters, letters
in circles or as invisible tags, Persian letters for Arabic ones, drawn-out letters, character
references, and whole texts as base64, in hexadecimal, rotated or backwards. `normal` undoes what
never changes an honest text; these readings might, so they stand beside the text, and whoever reads
them believes only what a pattern finds in them.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import re
from html import unescape
from itertools import islice
from urllib.parse import unquote

MAX_LENGTH = 4000
"""Characters of a text that are read: masks are made by hand."""
MAX_CODED = 20
"""Coded stretches of a text that are decoded."""
MIN_WORDS = 3
"""A decoded stretch has at least so many words: chance makes none."""
_SPACED = re.compile(
    r"(?<!\w)[^\W\d_](?:(?: [^\W\d_]){2,}|(?:\.[^\W\d_])+|(?:-[^\W\d_])+|(?:_[^\W\d_])+"
    r"|(?:\*[^\W\d_])+)(?!\w)"
)
_MAY_BE_SPACED = re.compile(r"[ .\-_*](?:(?<=\W[^\W\d_].)|(?<=\A[^\W\d_].))[^\W\d_](?![^\W_])")
"""The first sign between two letters that stand alone: without one `_SPACED` finds nothing."""
_ALONE = b" a a "
_ALONE_SIGNS = bytes(
    ord("a") if chr(c).isalpha() else ord("0") if chr(c).isdecimal() else ord(" ")
    for c in range(128)
)
_ALONE_SIGNS += bytes(128)
"""ASCII letters as one letter, and blanks between words: where no two letters stand alone beside
each other, `_MAY_BE_SPACED` finds nothing."""
_BETWEEN = re.compile(r"[ .\-_*]")
_MASK = re.compile(r"[013457@$!|][^\W\d_]")
_LEET_WORD = re.compile(r"(?<![\w@$!|])[^\W013457]*[013457@$!|][\w@$!|]*")
"""A word with one of the signs in it: no other is changed."""
_MEASURE = re.compile(r"\d+[^\W\d_]{1,2}")
_LEET = str.maketrans("013457@$!|", "oieastasil")
_LEET_SIGNS = frozenset("013457@$!|")
_THREE_ALIKE = re.compile(r"(.)\1\1")
"""Without it `_DRAWN_OUT` finds nothing; it takes a tenth of the time."""
_DRAWN_OUT = re.compile(r"([^\W\d_])\1{2,}")
_CODED = re.compile(r"[A-Za-z0-9+/_-]{16,}={0,2}")
_HEX = re.compile(r"(?:[0-9a-fA-F]{2}[ :]?){12,}")
_HEX_RUN = b"h" * 24
_HEX_SIGNS = bytes(ord("h") if chr(c) in "0123456789abcdefABCDEF :" else 0 for c in range(256))
"""What `_HEX` is made of, as one letter: it finds nothing where so many do not stand in a row."""
_CODED_RUN = b"c" * 16
_CODED_SIGNS = bytes(ord("c") if chr(c).isalnum() or chr(c) in "+/_-" else 0 for c in range(128))
_CODED_SIGNS += bytes(128)
"""The same for `_CODED`."""
_PERCENT = re.compile(r"%[0-9a-fA-F]{2}")
_LETTERS: dict[int, int | str] = {
    **str.maketrans("یکےۀہ", "يكيهه"),
    **{0xE0000 + code: chr(code) for code in range(0x20, 0x7F)},
    **{
        first + place: chr(ord("a") + place)
        for first in (0x1F130, 0x1F150, 0x1F170, 0x1F1E6)
        for place in range(26)
    },
}
"""Persian letters as Arabic ones; invisible tags, letters in circles and squares, and the halves of
flags as plain letters."""
_TURNED = ("instruction", "prompt", "ignore", "system", "rules", "reveal", "kill you", "idiot")
"""Words that tell a text that was rotated or written backwards."""
_ROTATED = tuple(codecs.encode(word, "rot13") for word in _TURNED)
_REVERSED = tuple(word[::-1] for word in _TURNED)


def unmasked(text: str) -> tuple[str, ...]:
    """Other readings of a text, without those that equal it."""
    text = text[:MAX_LENGTH]
    readings = dict.fromkeys([_plain_letters(text), *_decoded(text), *_turned(text)])
    others = [one for one in readings if one and one != text]
    if not others:
        return ()
    same = " ".join(text.split())
    return tuple([one for one in others if one != same])


def _plain_letters(text: str) -> str:
    """The text with its letters in plain form and next to each other."""
    given = text
    if not text.isascii():
        text = text.translate(_LETTERS)
    if "&" in text:
        text = unescape(text)
    if "%" in text and len(_PERCENT.findall(text)) >= MIN_WORDS:
        text = unquote(text)
    if _may_have_letters_alone(text) and (first := _MAY_BE_SPACED.search(text)):
        start = first.start() - 1
        text = text[:start] + _SPACED.sub(_joined, text[start:])
    if _MASK.search(text):
        text = _LEET_WORD.sub(lambda found: _without_digits(found.group()), text)
    if _THREE_ALIKE.search(text):
        text = _DRAWN_OUT.sub(r"\1", text)
    return text if text == given else " ".join(text.split())


def _joined(letters: re.Match[str]) -> str:
    return _BETWEEN.sub("", letters.group())


def _may_have_letters_alone(text: str) -> bool:
    """Whether two letters may stand alone beside each other."""
    return not text.isascii() or _ALONE in b" %b " % text.encode().translate(_ALONE_SIGNS)


def _without_digits(word: str) -> str:
    """A word with letters for the digits and signs before them; "10am" and "covid19" stay."""
    own = word.rstrip("0123456789@$!|")
    if _LEET_SIGNS.isdisjoint(own):
        return word
    masks = sum(char in _LEET_SIGNS for char in own)
    letters = sum(char.isalpha() for char in own)
    if letters < 2 or masks > letters + 2 or _MEASURE.fullmatch(own):
        return word
    end = len(word.rstrip("!|"))
    return word[:end].translate(_LEET) + word[end:]


def _decoded(text: str) -> list[str]:
    """The coded stretches of a text, where they hold words."""
    decoded: list[str] = []
    plain = text.encode("ascii", "replace")
    if _HEX_RUN in plain.translate(_HEX_SIGNS):
        for match in islice(_HEX.finditer(text), MAX_CODED):
            digits = re.sub(r"[ :]", "", match.group())
            decoded.append(_words_of(bytes.fromhex(digits[: len(digits) // 2 * 2])))
    if _CODED_RUN in plain.translate(_CODED_SIGNS):
        coded = [match.group() for match in islice(_CODED.finditer(text), MAX_CODED)]
        decoded += [_words_of(_from_base64(one)) for one in coded]
    return [one for one in decoded if one]


def _from_base64(coded: str) -> bytes:
    plain = coded.rstrip("=").translate(str.maketrans("-_", "+/"))
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except binascii.Error:  # no base64 after all
        return b""


def _words_of(decoded: bytes) -> str:
    """The decoded text where it has words in it, else nothing."""
    text = decoded.decode("utf-8", errors="replace")
    is_text = all(char.isprintable() or char in "\n\r\t" for char in text) and "\ufffd" not in text
    return text if is_text and len(text.split()) >= MIN_WORDS else ""


def _turned(text: str) -> list[str]:
    """The text rotated by thirteen letters and backwards, where a known word appears in it."""
    lower = text.lower()
    readings = []
    if any(map(lower.__contains__, _ROTATED)):
        readings.append(codecs.encode(lower, "rot13"))
    if any(map(lower.__contains__, _REVERSED)):
        readings.append(lower[::-1])
    return readings
