"""Whether a response gives what was asked, by the shapes of its sentences.

Many refusals hold no word of refusing: "that is a question for your doctor", "not a language I
teach", "the choice stays with you". Their shapes are patterns (`declining`); they count where the
rest of the response gives nothing. And words of refusing decline nothing in a response that has
done what was asked ("extended to May; it cannot be extended again"), or that speaks for somebody
else: a character, or the text that is to be translated.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from math import log1p
from typing import NamedTuple

from assay.core import feature
from assay.data.meaning import ARABIC_FOLDED, meaning_words
from assay.meaning.reading import TextReading
from assay.meaning.refusals import Declining, Refusal
from assay.meaning.words import Word
from assay.safety.marks import Mark
from assay.textproc.normal import Normal
from assay.textproc.patterns import matcher

LEXICON = "declining"
CONTENT = 2
"""So many content words behind a "but" give what was asked."""
SHORT = 10
"""Up to so many further content words a response that declines first gives no answer."""
REST = 14
"""With more content words outside the sentences that decline, a response gives something."""
LONGEST = 1500
"""Characters of a response up to which shapes count: a longer one says more than that."""
_QUOTED = re.compile(
    r'"[^"\n]{1,400}"|(?<!\w)\'(?:[^\'\n]|(?<=\w)\'(?=\w)){3,400}\'(?!\w)|```.*?(?:```|$)', re.S
)
_LISTED = re.compile(r"^\s*(?:\d+[.)]|[-*•])\s", re.M)
_DIGITS = re.compile(r"\d+(?:[.,:]\d+)*")
MAX_SOURCE = 400
"""Characters of a text that a request gives behind a colon."""


class Delivery(NamedTuple):
    """What the shapes of a response's sentences say of it."""

    declining: tuple[Declining, ...]
    """Sentences that decline by their shape, where nothing else is given."""
    share: float
    """The share of their words."""
    rest: int
    """Content words outside of them."""
    is_first: bool
    is_performed: bool
    """Whether the response says that what was asked is done, or gives a figure first."""
    is_voiced: bool
    """Whether somebody else speaks: a character, or a text that is to be translated."""

    def corrected(self, measures: Mapping[str, float]) -> dict[str, float]:
        """The measures of a refusal, with what the shapes say."""
        result = dict(measures)
        if self.is_voiced:
            result |= dict.fromkeys(_OF_DECLINING, 0.0) | {"asked_for": 1.0}
        elif self.is_performed and result["declines"]:
            result |= dict.fromkeys(_OF_DECLINING, 0.0) | {"complies": 1.0}
        elif self.declining:
            result |= {
                "declines": 1.0,
                "declines_more": min(3, len(self.declining)) - 1.0,
                "share": max(self.share, result["share"]),
                "rest": log1p(self.rest),
                "opening": float(self.is_first and self.rest <= SHORT),
                "contrast": 0.0,
                "caveat": 0.0,
                "unread": 0.0,
            }
        return result


_OF_DECLINING = ("declines", "declines_more", "first", "share", "rest", "act", "offers", "opening")
NOTHING = Delivery((), 0.0, 0, False, False, False)


@feature(data=(f"patterns/{LEXICON}.toml", "meaning.toml", "wordnet.toml", "quantities.toml"))
def response_delivery(
    response_normal: Normal,
    response_reading: TextReading,
    response_refusal: Refusal,
    query_reading: TextReading | None = None,
) -> Delivery:
    """Whether the response gives what was asked, by the shapes of its sentences."""
    text = response_normal.text
    if query_reading is not None and _speaks_for_another(query_reading, response_reading):
        return NOTHING._replace(is_voiced=True)
    if len(text) > LONGEST:
        return NOTHING
    quoted = [match.span() for match in _QUOTED.finditer(text)]
    marks = [
        Mark(hit.pattern.removesuffix(" (ar)"), hit.start, hit.end)
        for hit in matcher(frozenset({LEXICON})).find(response_normal)
        if not any(start <= hit.start < end for start, end in quoted)
    ]
    is_service = query_reading is not None and asks_for_service(query_reading)
    words = [w for w in response_reading.words if not any(s <= w.start < e for s, e in quoted)]
    performed = is_service and (
        any(mark.name == "done" for mark in marks)
        or _does_as_asked(query_reading, response_reading, marks)
    )
    if performed or _figure_beside(response_reading, query_reading, response_refusal.declining):
        return NOTHING._replace(is_performed=True)
    shapes = [
        mark
        for mark in marks
        if mark.name not in ("performed", "done")
        and (mark.name != "service" or is_service or _names_act(mark, words, query_reading))
    ]
    if response_refusal.measures["declines"] and is_service:
        shapes += [Mark("declines", one.start, one.end) for one in response_refusal.declining]
    elif not shapes or response_refusal.measures["declines"]:
        return NOTHING
    return _declining(response_reading, query_reading, words, shapes, quoted)


def _declining(
    response: TextReading,
    query: TextReading | None,
    words: Sequence[Word],
    shapes: Sequence[Mark],
    quoted: Sequence[tuple[int, int]],
) -> Delivery:
    """The sentences with one of the shapes, where the others give nothing."""
    sentences: dict[int, list[Word]] = {}
    for word in words:
        sentences.setdefault(word.sentence, []).append(word)
    declining: list[list[Word]] = []
    rest = 0
    above: list[Word] = []
    for own in sentences.values():
        start, end = own[0].start, own[-1].end
        marks = [mark for mark in shapes if start <= mark.start < end]
        if marks and not (_answers_behind(own, marks) or _recommends([*above, *own], marks)):
            declining.append(own)
        elif not (_is_question(response.text, end) or _is_farewell(own)):
            rest += sum(not word.is_empty for word in own)
        above = own
    counted = sum(map(len, declining))
    spans = tuple(Declining(own[0].start, own[-1].end) for own in declining)
    given = "```" in response.text or len(_LISTED.findall(response.text)) > 1 or bool(quoted)
    given |= _figures(response, query, len(response.text), spans)
    if not declining or given or rest > REST or rest > counted:
        return NOTHING
    is_first = declining[0][0].sentence == words[0].sentence
    return Delivery(spans, counted / max(1, len(words)), rest, is_first, False, False)


def _names_act(mark: Mark, words: Sequence[Word], query: TextReading | None) -> bool:
    """Whether the sentence of a mark names what the query asks to do: "translations are not"."""
    if query is None or "?" in query.text:
        return False
    asked = next((word for word in query.words if not word.is_empty), None)
    sentence = next((word.sentence for word in words if word.end > mark.start), -1)
    return asked is not None and any(
        word.key == asked.key or word.text[:6] == asked.text[:6]
        for word in words
        if word.sentence == sentence
    )


def _answers_behind(words: Sequence[Word], marks: Sequence[Mark]) -> bool:
    """Whether a "but" behind the last of the shapes brings what was asked."""
    last = max(mark.end for mark in marks)
    contrast = frozenset(meaning_words().refusal["contrast"])
    for place, word in enumerate(words):
        if word.start >= last and word.text in contrast:
            rest = words[place + 1 :]
            is_courtesy = " ".join(w.text for w in rest).startswith(_offers())
            return not is_courtesy and sum(not w.is_empty or w.is_number for w in rest) >= CONTENT
    return False


def _recommends(words: Sequence[Word], marks: Sequence[Mark]) -> bool:
    """Whether a recommendation stands before the choice that is left to the reader."""
    if any(mark.name != "yours" for mark in marks):
        return False
    first = min(mark.start for mark in marks)
    before = [word for word in words if word.end <= first]
    texts = {word.text for word in before} | {word.bare for word in before}
    is_denied = any(w.text in meaning_words().negations or w.text.endswith("n't") for w in before)
    is_open = not _words("undecided").isdisjoint(texts)
    return not (is_denied or is_open or _words("recommending").isdisjoint(texts))


def _figure_beside(
    response: TextReading, query: TextReading | None, declining: Sequence[Declining]
) -> bool:
    """Whether a new number stands before what declines, or behind a "but" in its sentence."""
    if not declining:
        return False
    if _figures(response, query, declining[0].start):
        return True
    contrast, known = frozenset(meaning_words().refusal["contrast"]), _numbers(query)
    words = [w for one in declining for w in response.words if one.start <= w.start < one.end]
    places = [place for place, word in enumerate(words) if word.text in contrast]
    behind = words[places[0] + 1 :] if places else []
    if any(word.text in _words("referring") for word in behind):
        return False  # "but you could call 112"
    return any(word.is_number and word.text not in known for word in behind)


def _is_question(text: str, end: int) -> bool:
    return text[end : end + 2].lstrip("'\" ")[:1] in ("?", "؟")


def _is_farewell(words: Sequence[Word]) -> bool:
    """Whether a sentence is mere courtesy at the end: "We look forward to seeing you"."""
    text = " ".join(word.text for word in words)
    return text.startswith(tuple(meaning_words().refusal["farewells"]))


def _figures(
    response: TextReading,
    query: TextReading | None,
    before: int,
    apart: Sequence[Declining] = (),
) -> bool:
    """Whether a number that the query does not name stands before a place, apart from spans."""
    known = _numbers(query)
    return any(
        match.group() not in known
        for match in _DIGITS.finditer(response.text, 0, before)
        if not any(one.start <= match.start() < one.end for one in apart)
    )


def _numbers(query: TextReading | None) -> set[str]:
    return set(_DIGITS.findall(query.text)) if query else set()


def asks_for_service(query: TextReading) -> bool:
    """Whether the query asks to have something done: to cancel, to move, to send."""
    if not query.words:
        return False
    services, requests = _words("services"), _words("requests")
    own = [word for word in query.words if word.sentence == query.words[-1].sentence]
    is_request = own[0].text in services or any(word.text in requests for word in own)
    return is_request and any(word.text in services or word.bare in services for word in own)


def _does_as_asked(query: TextReading | None, response: TextReading, marks: Sequence[Mark]) -> bool:
    """Whether the response says that it was done, with the verb of the request."""
    if query is None or not response.words:
        return False
    asked = [word for word in query.words if word.text in _words("services")]
    done = [mark for mark in marks if mark.name == "performed"]
    keys = {word.key for word in asked}
    if any(w.key in keys for w in response.words for m in done if m.start <= w.start < m.end):
        return True
    first = response.words[0].text
    verbs = [word.text for word in asked if len(word.text) > 2 and not word.text.isascii()]
    return any(first.startswith(verb) and len(first) - len(verb) <= 3 for verb in verbs)


def _speaks_for_another(query: TextReading, response: TextReading) -> bool:
    """Whether words of refusing belong to the text that the query gives or asks for."""
    lower = query.text.lower().translate(ARABIC_FOLDED)
    padded = f" {' '.join(_WORDS.findall(lower))} "
    acts = {word.key for word in query.words if word.text in _words("rendering")}
    spoken = response.spellings
    if not _words("meta").isdisjoint(spoken) or not _REQUESTED.isdisjoint(response.texts):
        return False
    if acts and any(word.key in acts for word in response.words):
        return False
    source = _source(lower)
    if source and any(word in _words("rendering") for word in padded.split()):
        return any(f" {phrase}" in f" {source}" for phrase in _words("quoted"))
    is_voice = any(f" {phrase}" in padded for phrase in meaning_words().refusal["voices"])
    declines = any(f" {phrase} " in padded for phrase in _words("declined"))
    return is_voice and declines


def _source(request: str) -> str:
    """The text behind the first colon that is near enough to the end; empty where there is none."""
    start = request.find(":", max(0, len(request) - MAX_SOURCE - 1))
    return request[start + 1 :].strip() if start >= 0 else ""


_WORDS = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_REQUESTED = frozenset(
    ("write", "writing", "translate", "compose", "draft", "roleplay", "كتابه", "ترجمه", "الترجمه")
)
"""Words with which a response speaks of the request."""


@cache
def _offers() -> tuple[str, ...]:
    """What words begin with that are mere courtesy, or offer something else."""
    return tuple(meaning_words().refusal["offers"])


@cache
def _words(name: str) -> frozenset[str]:
    """A list of words about refusals."""
    return frozenset(meaning_words().refusal[name])
