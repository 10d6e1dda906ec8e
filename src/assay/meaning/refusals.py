"""Whether a response declines what was asked, in named measures and with the places."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from math import log1p
from typing import NamedTuple

from assay.data.meaning import ARABIC_FOLDED, meaning_words
from assay.meaning.reading import Reading
from assay.meaning.words import Word
from assay.textproc.stem import stems

_QUOTED = re.compile(
    r'"[^"\n]{1,400}"|(?<!\w)\'(?:[^\'\n]|(?<=\w)\'(?=\w)){3,400}\'(?!\w)|```.*?(?:```|$)', re.S
)
_LISTED = re.compile(r"^\s*(?:\d+[.)]|[-*•])\s", re.M)
CONTENT = 4
"""So many content words behind a "but" answer what was asked."""
MOST = 3
"""Declining sentences that are counted."""


class Declining(NamedTuple):
    """A sentence that declines, by its place in the text."""

    start: int
    end: int


class Refusal(NamedTuple):
    """What a response says for and against being a refusal."""

    measures: Mapping[str, float]
    declining: Sequence[Declining]
    unquoted: str
    """The text in lower case with blanks for what is quoted."""


def refusal(query: Reading | None, response: Reading) -> Refusal:
    """Read a response for signs that it declines."""
    lower = response.text.lower().translate(ARABIC_FOLDED)
    unquoted = _QUOTED.sub(lambda found: " " * len(found.group()), lower)
    table = meaning_words().refusal
    asked = query.keys if query else frozenset()
    is_topic = query is not None and _asks_to_decline(query)
    sentences = _sentences(response, unquoted)
    declining: list[Declining] = []
    declining_words = rest_words = kept = 0
    first, acts, contrasts, offers, complies = -1, 0, 0, 0, 0
    for number, words in enumerate(sentences):
        text = unquoted[words[0].start : words[-1].end]
        sign = _sign(words, text)
        head = text.lstrip(" '\"")
        offers += head.startswith(table["offers"])
        complies += head.startswith(table["complies"])
        if sign is None:
            if not head.startswith(table["offers"]):
                rest_words += sum(1 for word in words if not word.is_empty)
            continue
        is_asked = is_topic or (sign.keys and sign.keys <= asked)
        if is_asked and not _is_meta(words):
            kept += 1
            continue
        declining.append(Declining(words[0].start, words[-1].end))
        declining_words += len(words)
        if first < 0:
            first = number
        acts += any(word.key in asked and not word.is_empty for word in words)
        contrasts += _answers_after(words, text)
    count = max(1, sum(len(words) for words in sentences))
    figures = [
        f for f in response.figures if not any(d.start <= f.start < d.end for d in declining)
    ]
    measures = {
        "declines": float(bool(declining)),
        "declines_more": min(MOST, len(declining)) - 1.0 if declining else 0.0,
        "first": float(0 <= first <= 1),
        "share": declining_words / count,
        "rest": log1p(rest_words) if declining else 0.0,
        "length": log1p(count),
        "act": float(acts > 0),
        "contrast": float(contrasts > 0),
        "offers": float(offers > 0),
        "complies": float(complies > 0),
        "figures": float(bool(figures) and bool(declining)),
        "code": float("```" in response.text),
        "listed": float(len(_LISTED.findall(response.text)) > 1),
        "asked_for": float(kept > 0),
    }
    return Refusal(measures, declining, unquoted)


class _Sign(NamedTuple):
    """What makes a sentence decline."""

    keys: frozenset[str]
    """The content keys of a phrase that a query may ask for ("write an apology"), or none."""


def _sentences(response: Reading, unquoted: str) -> list[list[Word]]:
    """The sentences outside quotation marks."""
    found: dict[int, list[Word]] = {}
    for word in response.words:
        if not unquoted[word.start].isspace():
            found.setdefault(word.sentence, []).append(word)
    return list(found.values())


def _sign(words: Sequence[Word], text: str) -> _Sign | None:
    """What makes the sentence decline, or None."""
    table = meaning_words()
    lists = table.refusal
    texts = [word.text for word in words]
    joined = f" {' '.join(texts)} "
    plain = joined
    for phrase in lists["harmless"]:
        if phrase in plain:
            plain = plain.replace(phrase, " ")
    for phrase in lists["strong"]:
        if f" {phrase}" in plain:
            keys = frozenset(w.key for w in words if w.text in phrase.split() and not w.is_empty)
            return _Sign(keys)
    left = set(plain.split())
    for place, word in enumerate(words):
        is_negation = word.text in table.negations or word.text.endswith("n't")
        if not is_negation or word.text not in left:
            continue
        follows = words[place + 1 : place + 4]
        if not word.text.isascii():
            if follows and word.text.lstrip("فو") in ("لا", "لن") and follows[0].text[0] in "ان":
                return _Sign(frozenset())
            continue
        near = words[max(0, place - 4) : place]
        before = [w.text for w in near if w.clause == word.clause]
        is_mine = not set(before).isdisjoint(_first_person())
        behind = [w.text for w in words[place + 1 : place + 7] if w.clause == word.clause]
        is_thing = "something" in behind[:2] and not set(behind).isdisjoint(_first_person())
        if is_thing or (is_mine and any(w.key in _acts() for w in follows)):
            return _Sign(frozenset())
    return None


def _asks_to_decline(query: Reading) -> bool:
    """Whether the query asks for a text that declines something."""
    lower = query.text.lower().translate(ARABIC_FOLDED)
    return any(phrase in lower for phrase in meaning_words().refusal["topics"])


def _is_meta(words: Sequence[Word]) -> bool:
    """Whether the sentence speaks of the request or of the text itself."""
    return any(word.text in _META or word.bare in _META for word in words)


_META = frozenset(("request", "that", "this", "هذا", "هذه", "ذلك", "طلب", "طلبك"))


@cache
def _first_person() -> frozenset[str]:
    return frozenset(meaning_words().refusal["first_person"])


@cache
def _acts() -> frozenset[str]:
    return frozenset(stems(meaning_words().refusal["acts"]))


def _answers_after(words: Sequence[Word], text: str) -> bool:
    """Whether enough is said behind a "but" of the sentence."""
    contrast = meaning_words().refusal["contrast"]
    for place, word in enumerate(words):
        if place and word.text in contrast:
            rest = words[place + 1 :]
            return sum(1 for own in rest if not own.is_empty) >= CONTENT
    return False
