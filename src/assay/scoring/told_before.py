"""Whether a user has already told what a question asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from assay.data.bundled_files import read_bundled_toml

_TOKEN = re.compile(r"\w[\w@.'’-]*|[#:=]")
MAX_THING = 4
"""Words of what a question asks for: "your date of birth"."""


@cache
def dialogue_words(kind: str) -> frozenset[str]:
    """A list of `data/dialogue.toml`."""
    return frozenset(read_bundled_toml("dialogue.toml")[kind])


def thing_asked(question: str) -> tuple[str, ...]:
    """What a question wants to be told: ("order", "number") of "What is your order number?"."""
    words = _lower(_tokens(question))
    if "your" not in words or words[0] in dialogue_words("confirming"):
        return ()
    place = words.index("your")
    before = words[max(0, place - 2) : place]
    head: tuple[str, ...] = ()
    if before[-1:] == ["of"] and before[0] in {"name", *dialogue_words("references")}:
        head = (before[0],)
    elif not dialogue_words("asking").intersection(before[-1:]):
        return ()
    thing: list[str] = []
    for word in words[place + 1 : place + 1 + MAX_THING]:
        if word in dialogue_words("ends") or not word.isalpha():
            break
        thing.append(word)
    return (*thing, *head)


def is_request(sentence: str) -> bool:
    """Whether a sentence asks for something without a question: "Please give me your name."."""
    words = _lower(_tokens(sentence))
    if "please" not in words or "your" not in words or not thing_asked(sentence):
        return False
    return words[words.index("your") - 1] in dialogue_words("requesting")


def is_told(thing: Sequence[str], text: str) -> bool:
    """Whether a user's turn states the thing with its value: "my order number is 5512"."""
    tokens = _tokens(text)
    words = _lower(tokens)
    if "email" in thing and any("@" in word for word in words):
        return True
    if thing[-1] == "name" and "i'm" in words and _has_value(tokens, words.index("i'm") + 1):
        return True
    if _is_stated(tokens, words, thing):
        return True
    is_reference = thing[-1] in dialogue_words("references") and len(thing) > 1
    return is_reference and _is_stated(tokens, words, thing[:-1])


def _tokens(text: str) -> list[str]:
    return [token.rstrip(".'’-") for token in _TOKEN.findall(text)]


def _lower(tokens: list[str]) -> list[str]:
    return [token.lower().replace("’", "'") for token in tokens]


def _is_stated(tokens: list[str], words: list[str], thing: Sequence[str]) -> bool:
    """Whether all words of a thing stand there, and a value behind the last one."""
    for place, word in enumerate(words):
        if word == thing[-1] and set(thing[:-1]) <= set(words[:place]):
            behind = place + 1
            while behind < len(words) and words[behind] in dialogue_words("links"):
                behind += 1
            if _has_value(tokens, behind):
                return True
    return False


def _has_value(tokens: list[str], place: int) -> bool:
    """Whether a number, an address or a name stands at a place."""
    token = tokens[place] if place < len(tokens) else ""
    is_name = token[:1].isupper() and len(token) > 1
    return is_name or any(char.isdigit() or char == "@" for char in token)
