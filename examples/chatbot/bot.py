"""A small chatbot for a town's service desk: it finds the paragraph that fits, and quotes it.

There is no model in it. Words of the question are looked up in the documents, rare words count
more, and where nothing fits it says so. That is enough to show how a chatbot is tested.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import NamedTuple

DOCUMENTS = Path(__file__).parent / "documents"
NEEDED = 2.0
"""How much of the question, in weight of its words, a paragraph must hold to be an answer."""
UNKNOWN = {
    "en": "I'm having trouble finding an answer. Please ask at the service desk in the town hall.",
    "ar": "لم أفهم السؤال. يرجى السؤال في مكتب الخدمة.",
}
_WORD = re.compile(r"\w+")
_COMMON_WORDS = """a an and are at be by can do does for from how i in is it me my of on or the to
    what when where which who with you your في من على هل كم ما هو هي"""
_COMMON = frozenset(_COMMON_WORDS.split())


class Paragraph(NamedTuple):
    """A piece of a document that can be an answer."""

    source: str
    text: str


class Reply(NamedTuple):
    """What the chatbot says, and the paragraphs that it says it from."""

    response: str
    contexts: list[str]
    sources: list[str]


def answer(query: str) -> str:
    """The answer to a question, as plain text."""
    return reply(query).response


def reply(query: str) -> Reply:
    """The paragraph that fits the question best, or that there is none."""
    asked = _words(query)
    weights = _weights()
    ranked = sorted(
        paragraphs(),
        key=lambda paragraph: -sum(weights[word] for word in asked & _words(paragraph.text)),
    )
    best = ranked[0]
    if sum(weights[word] for word in asked & _words(best.text)) < NEEDED:
        return Reply(UNKNOWN["ar" if _is_arabic(query) else "en"], [], [])
    return Reply(best.text, [best.text], [best.source])


@cache
def paragraphs() -> list[Paragraph]:
    """All paragraphs of all documents, without the titles."""
    return [
        Paragraph(path.name, " ".join(part.split()))
        for path in sorted(DOCUMENTS.glob("*.md"))
        for part in path.read_text(encoding="utf-8").split("\n\n")[1:]
    ]


@cache
def _weights() -> Counter[str]:
    """Word → how rare it is among the paragraphs; unknown words weigh nothing."""
    seen = Counter(word for paragraph in paragraphs() for word in _words(paragraph.text))
    return Counter({word: math.log(1 + len(paragraphs()) / n) for word, n in seen.items()})


def _words(text: str) -> set[str]:
    """The telling words of a text; a plural counts as its singular."""
    found = {word.casefold() for word in _WORD.findall(text)} - _COMMON
    return {word[:-1] if len(word) > 3 and word.endswith("s") else word for word in found}


def _is_arabic(text: str) -> bool:
    return any("\u0600" <= letter <= "\u06ff" for letter in text)
