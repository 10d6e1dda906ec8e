"""Queries that ask no question: tasks, what they order, and greetings."""

from __future__ import annotations

import re

from assay.data.meaning import meaning_words
from assay.meaning.reading import TextReading

TASK = 6
"""Words of a task in which what it asks for is named."""
_ITEM = re.compile(
    r"(?:^|\n)[ \t]*(?:[-*•|]|\d{1,3}[.):]|[^\n|]{1,60}\|)[ \t]*\S[^\n]{0,30}|[,،;؛][ \t]*[^\W\d_]"
)
"""A line of a list, or what stands behind a comma."""


def is_task(query: TextReading) -> bool:
    """Whether a query orders something to be made: a reply need not take up its words."""
    return bool(query.words) and query.words[0].text in meaning_words().lists["tasks"]


def asks_for_items(query: TextReading) -> bool:
    """Whether a task asks for several things: "Suggest five names", "make a table"."""
    if not is_task(query):
        return False
    lists = meaning_words().lists
    first = query.words[0]
    own = [word for word in query.words if word.sentence == first.sentence]
    around = zip((None, *own), own, (*own[1:], None), strict=False)
    return any(
        (word.text in lists["several"] or word.is_number)
        and (before is None or before.text not in lists["uncounted_before"])
        and (behind is None or behind.text not in lists["uncounted_behind"])
        for before, word, behind in around
    )


def asks_for_letter(query: TextReading) -> bool:
    """Whether a task asks for a text that speaks to somebody: "Write a note to my neighbour"."""
    lists = meaning_words().lists
    is_composed = bool(query.words) and query.words[0].text in lists["composing"]
    return is_composed and any(word.text in lists["letters"] for word in query.words[1:TASK])


def speaks_to_somebody(response: TextReading) -> list[tuple[int, int]]:
    """Where a text greets, thanks or says "I" or "you"."""
    signs = meaning_words().lists["letter_signs"]
    return [(w.start, w.end) for w in response.words if w.text in signs or w.bare in signs]


def is_courtesy(query: TextReading, response: TextReading) -> bool:
    """Whether a greeting or thanks, and nothing else, is returned: "Hi!", "Hello, how are you?"."""
    lists = meaning_words().lists
    is_asked = bool(query.words) and query.texts <= lists["courtesies"]
    return is_asked and any(w.text in lists["courtesies_returned"] for w in response.words[:2])


def items_of(response: TextReading) -> list[tuple[int, int]]:
    """Where the items of a list stand behind its first one; none for "this, that"."""
    items = [match.span() for match in _ITEM.finditer(response.text)]
    is_joined = not meaning_words().lists["and"].isdisjoint(response.texts)
    return items if len(items) + is_joined > 1 else []
