"""Options of commands: `-a` is `--all`, and neither is `--delete`."""

from __future__ import annotations

import re

MOST = 20
"""So many options of a text are read."""
_OPTION = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*")


def other_option(response: str, accepted: str) -> bool:
    """Whether a response gives options of a command, and not all those of the accepted answer."""
    if "-" not in accepted or "-" not in response:
        return False
    wanted, given = _options(accepted), _options(response)
    return bool(given) and any(not any(_is_same(one, two) for two in given) for one in wanted)


def _options(text: str) -> list[str]:
    """The long options and the letters of the short ones: `-la` is `l` and `a`."""
    found = _OPTION.findall(text)[:MOST]
    letters = [letter for one in found if not one.startswith("--") for letter in one[1:]]
    return [one for one in found if one.startswith("--")] + letters


def _is_same(one: str, other: str) -> bool:
    """Whether two options are equal, or one is the first letter of the other."""
    if one.startswith("--") == other.startswith("--"):
        return one == other
    letter, word = sorted((one, other), key=len)
    return word[2] == letter.lower()
