"""Answers that say what follows, what differs, what belongs to something, or when instead of yes.

A response without signs of them may be an answer in other words, so it is not held against it.
"""

from __future__ import annotations

from assay.data.meaning import meaning_words
from assay.meaning.reading import TextReading
from assay.meaning.tasks import items_of
from assay.meaning.words import Word

OPEN_KINDS = ("consequence", "difference", "composition")
JOINED = 2
"""From so many words behind an Arabic "and" on, a response lists things."""
MIN_JOINED = 4
"""Letters of a word with "and" in front at least: a shorter one begins with that letter."""
DATED = ("date", "time", "weekday")


def told_of(kind: str, response: TextReading) -> list[tuple[int, int]]:
    """Where a response says what follows, what differs or what belongs to something."""
    if kind == "composition":
        joined = [(w.start, w.end) for w in response.words if _is_joined(w)]
        return joined if len(joined) >= JOINED else items_of(response)
    known = meaning_words().answering[kind]
    return [(w.start, w.end) for w in response.words if w.text in known or w.bare in known]


def says_what_is_common(kind: str, response: TextReading) -> bool:
    """Whether a response says what two things have in common where a difference is asked for."""
    is_common = not meaning_words().answering["common"].isdisjoint(response.texts)
    return kind == "difference" and is_common and not told_of(kind, response)


def when_instead(query: TextReading, response: TextReading) -> list[tuple[int, int]]:
    """The time that answers "Will it be ready before Christmas?": "in February at the earliest"."""
    if not (_times(query) or any(f.kind in DATED for f in query.figures)):
        return []
    figures = [f for f in response.figures if f.kind in DATED]
    new = [f for f in figures if not any(map(f.equals, query.figures))]
    words = [w for w in _times(response) if w.key not in query.keys]
    return [(one.start, one.end) for one in new] or [(w.start, w.end) for w in words]


def _times(text: TextReading) -> list[Word]:
    """The words of a text that name a time: "Christmas", "tomorrow", "February"."""
    table = meaning_words()
    known = table.answering["time"]
    return [w for w in text.words if w.text in known or w.bare in known or w.text in table.months]


def _is_joined(word: Word) -> bool:
    """Whether an Arabic "and" is written to a word."""
    return word.text[0] == "و" and len(word.text) >= MIN_JOINED
