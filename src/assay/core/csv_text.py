"""Text in cells of CSV, which spreadsheets take for formulas unless it is guarded."""

from __future__ import annotations

import re

FORMULA_STARTS = "=+-@\t\r\n＝＋－＠"
"""https://owasp.org/www-community/attacks/CSV_Injection; wide forms count as the plain ones."""
_GUARDABLE = re.compile(f"'*[{re.escape(FORMULA_STARTS)}]")
_GUARDED = re.compile(f"'+[{re.escape(FORMULA_STARTS)}]")


def guarded(text: str) -> str:
    """The text with a `'` in front where a spreadsheet would take it for a formula.

    One that looks guarded already gets another, so that `unguarded` gives every text back.
    """
    return f"'{text}" if _GUARDABLE.match(text) else text


def unguarded(text: str) -> str:
    """The text again, from what `guarded` gave."""
    return text[1:] if _GUARDED.match(text) else text
