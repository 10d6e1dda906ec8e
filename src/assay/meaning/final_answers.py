"""The last line of a worked solution that gives its answer: "#### 42", "Answer: 42"."""

from __future__ import annotations

import re
from typing import NamedTuple

from assay.meaning.reading import TextReading, read

_FINAL = re.compile(
    r"\n[ \t]*(?:####|(?:final answer|answer|solution|result|a|الجواب|الإجابة|النتيجة)[ \t]*[:=]"
    r"|(?:(?:so|thus|therefore|hence),? )?the (?:final )?answer is:?)[ \t]*([^\n]{1,80})\s*$",
    re.IGNORECASE,
)
LONGEST = 120
"""Characters at the end of a text in which its last line is looked for."""


class FinalAnswer(NamedTuple):
    """The answer of a worked solution, and where it begins in it."""

    reading: TextReading
    start: int


def final_answer(solution: TextReading) -> FinalAnswer | None:
    """The answer that a solution of several lines ends with; None for any other text."""
    text = solution.text
    if "\n" not in text:
        return None
    match = _FINAL.search(text, max(0, len(text) - LONGEST))
    if match is None or not match.group(1).strip():
        return None
    start, end = match.span(1)
    own = FinalAnswer(read(text[start:end], solution.lower[start:end]), start)
    return own if own.reading.words else None
