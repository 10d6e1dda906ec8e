"""Arabic replies: who is named, how something came about, and what is ordered."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from assay.data import lexicon
from assay.data.meaning import ARABIC_FOLDED, meaning_words
from assay.meaning.reading import TextReading
from assay.meaning.word_coverage import alike
from assay.meaning.words import Word

MIN_TOLD = 3
"""Content words from which on a reply tells something."""
_TO_COME = frozenset(("سي", "ست", "سن"))
"""How Arabic verbs of the future begin."""
_NOW_OR_NOUN = frozenset("انتي")
"""How Arabic verbs of the present begin, and nouns with an article."""


def may_be_person(word: Word, first: Word, before: str) -> bool:
    """Whether an Arabic word may name a person: no verb in front, nothing behind "in"."""
    table = meaning_words()
    is_verb = word is first and word.text[0] in "يت"
    is_verb = is_verb or word.bare in table.answering["time"] or word.bare in table.months
    is_verb = is_verb or word.bare in table.weekdays
    is_other = word.bare in table.answering["place"] or word.bare in table.ordinals
    return not is_verb and not is_other and before not in ("في", "علي", "الي")


def takes_up_verb(query: TextReading, first: Word) -> bool:
    """Whether an Arabic reply begins with the verb of the question: من كتب … كتبها."""
    asked = next(iter(query.content), "")
    return bool(asked) and (first.key == asked or bool(alike(asked, (first.key,))))


def is_named_person(word: Word) -> bool:
    """Whether an Arabic word is a given name, or names what somebody is: الشاعر."""
    names, persons = _arabic_names(), meaning_words().lists["people_by_role"]
    return word.text in names or word.bare in persons or word.text in persons


@cache
def _arabic_names() -> frozenset[str]:
    """Arabic given names, as the words of a reading are spelt."""
    known = lexicon("given_names.ar").patterns
    return frozenset(pattern.name.translate(ARABIC_FOLDED) for pattern in known)


def asks_how_it_went(query: TextReading) -> bool:
    """Whether an Arabic "how" asks how something came about, by a verb of the past: كيف وصل."""
    return any(
        one.text == "كيف" and two.text[0] not in _NOW_OR_NOUN for one, two in pairwise(query.words)
    )


def came_about(query: TextReading, response: TextReading) -> list[tuple[int, int]]:
    """The word with which an Arabic reply begins to tell of the past: no noun, nothing to come."""
    first = next(iter(response.words), None)
    if first is None or len(response.content) < MIN_TOLD or first.key in query.keys:
        return []
    is_past = not (first.has_article or first.text[0] == "ي" or first.text[:2] in _TO_COME)
    return [(first.start, first.end)] if is_past else []


def is_arabic_order(words: Sequence[Word]) -> bool:
    """Whether a reply begins with an Arabic verb in the imperative that has an object: اغسلها."""
    first = words[0] if words else None
    if first is None or first.text.isascii() or first.has_article:
        return False
    return first.text.startswith("ا") and first.text.endswith(("ها", "هم")) and len(first.text) > 4
