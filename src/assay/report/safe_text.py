"""Text from data made fit to be shown: what would act on a screen or a parser becomes visible."""

from __future__ import annotations

import re

_NEWLINE = re.compile(r"\r\n?")
_ACTING = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters, among them the start of ANSI escapes
    "\u2028\u2029"  # separators that some programs take for the end of a line
    "\u202a-\u202e\u2066-\u2069"  # they turn the direction of the text around them
    "\ud800-\udfff\ufffe\uffff"  # no part of any text, and refused by UTF-8 or XML
    "]"
    # What GitHub's runner takes for a command wherever a build prints it: `##[error]` anywhere,
    # `::error …::` at the start of a line, where wrapping may put it.
    r"|#(?=#\[)"
    r"|:(?=:(?i:debug|echo|endgroup|error|group|notice|warning|[a-z]+-[a-z-]+)(?: |::))"
)
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def visible(text: str) -> str:
    """The text with acting characters written as escapes such as `\\x1b`; every break is `\\n`."""
    return _ACTING.sub(_escape, _NEWLINE.sub("\n", text))


def one_line(text: str, limit: int = 200) -> str:
    """The visible text on one line, cut to at most `limit` characters."""
    # A blank run cannot hide text: cut generously first, so that huge texts stay cheap.
    line = " ".join(visible(text[: 4 * limit]).split())
    is_cut = len(line) > limit or len(text) > 4 * limit
    return line[: limit - 1].rstrip() + "…" if is_cut else line


def storable(text: str) -> str:
    """The text with only NUL and lone surrogates, which files cannot hold, written as escapes."""
    return _UNSTORABLE.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
