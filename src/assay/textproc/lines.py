"""What stands at the beginning of lines."""

from __future__ import annotations

import re
from collections.abc import Iterator


def line_matches(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """The matches of a pattern that begins with `^`, in order.

    `finditer` tries such a pattern at every character, also in a text of one line.
    """
    if "\n" in text:
        return pattern.finditer(text)
    return filter(None, (pattern.match(text),))
