"""Whether a response says anything at all.

Language models that judge give good marks to answers without content: a lone colon, "Thought
process:", the question said again. Such responses are told by rules, and no judge is asked.
"""

from __future__ import annotations

import unicodedata

from assay.data.degenerate import empty_openers, fillers
from assay.textproc.normal import normalise

LONGEST = 2000
"""Characters of a response that may be mere openers; a longer one says something, unless it is the
query once more."""
_JOINERS = "'’ʼ"


def emptiness(response: str, query: str | None = None) -> str:
    """Why a response says nothing, in a few words; nothing if it says something."""
    if not response.strip():
        return "is blank"
    if not any(map(_has_content, response)):
        return "has neither a letter nor a digit"
    if len(response) > LONGEST:
        is_echo = query is not None and response.strip() == query.strip()
        return "repeats the query" if is_echo else ""
    words = _words(response)
    if not words:  # what looked like a letter only stretches others
        return "has neither a letter nor a digit"
    kinds = _kinds(words, _words(query[:LONGEST]) if query and _is_echoed(query) else ())
    if kinds[-1] in ("content", "filler"):  # with nothing behind it "yes" is the answer
        return ""
    return "repeats the query" if "echo" in kinds else "is an opening without content"


def _is_echoed(query: str) -> bool:
    """Whether to say it again is no answer; to greet back is one."""
    return "?" in query or "؟" in query or "？" in query or len(query.split()) >= 3


def _words(text: str) -> tuple[str, ...]:
    """The words of a text in small letters, without what is no letter, digit or symbol."""
    plain = normalise(text).text.casefold()
    kept = "".join(
        char if _has_content(char) else "" if char in _JOINERS else " " for char in plain
    )
    return tuple(kept.split())


def _has_content(char: str) -> bool:
    """Letters, digits and symbols: "👍", "∞" or "€" may answer a question, "=" and "$" decorate."""
    kind = unicodedata.category(char)
    return kind[0] in "LNM" or kind == "So" or (kind in ("Sc", "Sm") and not char.isascii())


def _kinds(message: tuple[str, ...], result: tuple[str, ...]) -> list[str]:
    """What the words are, from the first on: repetitions, openers, fillers, or content."""
    known = [(result, "echo")] if result else []
    known += [(words, "opener") for words in empty_openers()]
    known += [(words, "filler") for words in fillers()]
    kinds: list[str] = []
    place = 0
    while place < len(message):
        match = next((one for one in known if message[place : place + len(one[0])] == one[0]), None)
        if match is None:
            return ["content"]
        kinds.append(match[1])
        place += len(match[0])
    return kinds
