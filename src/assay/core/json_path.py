"""How a place in a JSON document is written: `items[2].price`.

Keys are joined by dots and places in lists stand in brackets. A key that holds a dot, a bracket, a
quotation mark, a star, or something that cannot be printed, and the empty key, stand as JSON text
in brackets: `["a.b"].c`. So every path has one text and every text one path. In a pattern `[*]` is
any place and `*` any key.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum
from functools import lru_cache

from assay.core.jsontext import dumps, loads


class Wildcard(Enum):
    """A step of a pattern that stands for any."""

    PLACE = "[*]"
    KEY = "*"


Step = str | int | Wildcard
"""A key, a place in a list, or any of them."""
_SPECIAL = frozenset('.[]"*')
_STEP = re.compile(
    r"""\[(?:(?P<place>\d{1,9})|(?P<any>\*)|(?P<quoted>"(?:[^"\\]|\\.)*"))\]|(?P<key>[^.\[\]"]+)""",
    re.DOTALL,
)


@lru_cache(maxsize=10_000)
def key_text(key: str) -> str:
    """A key as it stands in a path, with brackets where it needs them."""
    if key and key.isprintable() and _SPECIAL.isdisjoint(key):
        return key
    return f"[{dumps(key)}]"


@lru_cache(maxsize=10_000)
def key_suffix(key: str) -> str:
    """What a key adds to the path of the object that holds it."""
    text = key_text(key)
    return text if text[0] == "[" else f".{text}"


def child(path: str, key: str) -> str:
    """The path of a key inside an object."""
    return path + key_suffix(key) if path else key_text(key)


def item(path: str, place: int) -> str:
    """The path of an item inside a list."""
    return f"{path}[{place}]"


def path_text(steps: Iterable[Step]) -> str:
    """The text of a path."""
    text = ""
    for step in steps:
        if isinstance(step, str):
            text = child(text, step)
        elif step is Wildcard.KEY:
            text = f"{text}.*" if text else "*"
        else:
            text += step.value if isinstance(step, Wildcard) else f"[{step}]"
    return text


@lru_cache(maxsize=10_000)
def parse_path(text: str) -> tuple[Step, ...]:
    """The steps of a path or pattern; raises `ValueError` for what is neither."""
    steps: list[Step] = []
    place = 0
    while place < len(text):
        if text[place] == "." and steps:
            place += 1
            if place == len(text) or text[place] == "[":
                raise ValueError(f"expected a key at character {place + 1}")
        elif steps and text[place] != "[":
            raise ValueError(f"expected '.' or '[' at character {place + 1}")
        match = _STEP.match(text, place)
        if not match:
            raise ValueError(f"no key and no place in a list at character {place + 1}")
        steps.append(_step(match))
        place = match.end()
    if not steps:
        raise ValueError("it is empty")
    return tuple(steps)


def _step(match: re.Match[str]) -> Step:
    if match["place"] is not None:
        return int(match["place"])
    if match["any"]:
        return Wildcard.PLACE
    if match["quoted"]:
        return str(loads(match["quoted"]))
    return Wildcard.KEY if match["key"] == "*" else match["key"]
