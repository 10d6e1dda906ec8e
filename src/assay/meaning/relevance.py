"""Whether a response addresses a query, right or wrong, in named measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from math import log1p
from typing import NamedTuple

from assay.data import languages
from assay.data.meaning import ARABIC_FOLDED, meaning_words
from assay.meaning.answer_polarity import asks_yes_or_no, says_unknown
from assay.meaning.given_answers import FIGURED, MIN_ADRIFT, fits_kind, given_answers, is_sent_on
from assay.meaning.open_kinds import OPEN_KINDS, says_what_is_common
from assay.meaning.reading import TextReading
from assay.meaning.refusals import Refusal
from assay.meaning.tasks import (
    asks_for_items,
    asks_for_letter,
    is_courtesy,
    is_task,
)
from assay.meaning.word_coverage import alike
from assay.meaning.words import Word
from assay.textproc.asked_language import asked_language
from assay.textproc.language import language_of

BARE = 3
"""Up to so many words a response is a bare answer, which need not take up the question."""
MADE = 10
"""Words from which on a reply may be what a task orders."""
MAX_ADDRESS = 2
"""Words of an address before a question at most."""
LONG = 40
"""A longer response is taken to hold an answer of any kind."""
LANGUAGE_TOLD = 3
"""Words from which on a response tells its language."""
MIN_TALK = 5
"""Words that a remark on a language has at least."""
ECHO = 0.8
"""From this share of words of the question on, a response without new ones repeats it."""


DECLINED = 0.5
"""From this share of declining words on, a response gives nothing that is asked for."""


class Relevance(NamedTuple):
    """What speaks for and against a response addressing the query."""

    kind: str
    """What is asked for: "time", "person", …; empty where that is open."""
    measures: Mapping[str, float]
    spans: Sequence[tuple[int, int]]
    """Where an answer of that kind stands in the response."""
    is_translated: bool | None = None
    """Whether the response to "translate … into German" is in German; None where that is open."""
    is_courtesy: bool = False
    """Whether a greeting or thanks is returned by another."""


_UNASKED = ("yes_or_no", "", *OPEN_KINDS)
"""Kinds of answer that may begin with yes or no."""


def kind_fit(own: Relevance) -> float:
    """How far the response has the kind of answer that is asked for, from −3 to 1.

    One that evades the question or declines has none.
    """
    measures = own.measures
    against = ("not_given", "other_figure", "yes_to_open")
    is_withheld = measures["evasive"] > 0 or measures["declines"] >= DECLINED
    given = 0.0 if is_withheld else measures["given"]
    return given - sum(measures[name] for name in against)


def is_of_other_kind(own: Relevance) -> bool:
    """Whether the response gives a date to "where", or a mere yes to "how many"."""
    measures = own.measures
    return bool(measures["other_figure"] or (measures["yes_to_open"] and measures["not_given"]))


def asked_kind(query: TextReading) -> str:
    """What kind of answer a question asks for; empty where it is open."""
    if not query.words:
        return ""
    if asks_for_items(query):
        return "items"
    if asks_for_letter(query):
        return "letter"
    last = query.words[-1].sentence
    own = [word for word in query.words if word.sentence == last] or query.words
    text = f" {' '.join([word.text for word in own]).translate(ARABIC_FOLDED)} "
    stated = [one for one in meaning_words().lists["requests"] if f" {one} " in text]
    request = max(stated, key=len, default="")
    if request:
        text = f" {text.partition(f' {request} ')[2]}"
    best, place = "", len(text) - 1
    for kind, phrase in _asking():
        result = text.find(phrase)
        if 0 <= result < place:
            best, place = kind, result
    if request:
        return best if place == 0 else ""
    if (asks_yes_or_no(query) or _is_addressed(own)) and place > 0:
        return "yes_or_no"
    return "" if place > 0 and _is_clause(text, place) else best


def _is_addressed(own: Sequence[Word]) -> bool:
    """Whether a question for yes or no begins behind whom it is put to: "Minister, are you …"."""
    lists = meaning_words().lists
    behind = next((place for place, w in enumerate(own) if w.clause != own[0].clause), 0)
    is_polar = 0 < behind <= MAX_ADDRESS and own[behind].text in meaning_words().polar
    return is_polar and not any(w.text in lists["open_questions"] for w in own)


def _is_clause(text: str, place: int) -> bool:
    """Whether a question word in a place opens a clause of another question: "what if …, when"."""
    lists, words = meaning_words().lists, text.split()
    is_joining = not lists["joining_questions"].isdisjoint(text[place:].split()[:1])
    return is_joining and words[0] in lists["asking_first"]


@cache
def _asking() -> tuple[tuple[str, str], ...]:
    """Kinds of answer, each with the phrases that ask for it, a blank before."""
    asked = meaning_words().asked.items()
    return tuple((kind, f" {phrase}") for kind, phrases in asked for phrase in phrases)


@cache
def _evasive() -> tuple[str, ...]:
    """Phrases that evade a question, a blank before."""
    return tuple(f" {phrase}" for phrase in meaning_words().answering["evasive"])


def relevance(query: TextReading, response: TextReading, declined: Refusal) -> Relevance:
    """Read a response for signs that it addresses the query."""
    kind = asked_kind(query)
    words = response.words
    table = meaning_words()
    lower = f" {response.text.lower().translate(ARABIC_FOLDED)}"
    evasive = sum(map(lower.__contains__, _evasive()))
    spans = given_answers(kind, query, response, is_evasive=evasive > 0)
    is_withheld = evasive > 0 or says_what_is_common(kind, response)
    if kind in OPEN_KINDS and not (spans or is_withheld):
        kind = ""
    result = {key for key, word in query.content.items()}
    message = response.content
    shared = [key for key in message if key in result]
    new = [key for key in message if key not in result]
    figures = [f for f in response.figures if not any(f.equals(q) for q in query.figures)]
    is_echo = not figures and len(message) > 0 and len(new) <= (1 - ECHO) * len(message)
    is_echo = is_echo and response.answer is None and not _is_condensing(query)
    is_order = _begins_with_order(response)
    is_order = is_order and not (kind == "person" and is_sent_on(query, response))
    is_other = not spans and (
        _begins_with_other(kind, query, response) or _tells_when(kind, query, response)
    )
    is_long = len(words) > LONG
    is_open = response.answer is None and not (spans and kind == "procedure")
    is_made = is_task(query) and (len(words) >= MADE or bool(spans))
    measures = {
        "given": float(bool(spans) and bool(kind)),
        "not_given": float(
            not spans and not is_long and (bool(kind) or _is_adrift(query, response))
        ),
        "open": float(not kind),
        "yes_to_open": float(response.answer is not None and kind not in _UNASKED),
        "order_to_other": float(is_order and kind not in (*_UNASKED, "procedure", "reason")),
        "order": float(is_order and kind == "procedure"),
        "other_figure": float(is_other),
        "shared": len(shared) / len(result) if result else 0.0,
        "unshared": float(not shared and bool(result) and not is_made),
        "unshared_short": float(not shared and bool(result) and len(words) <= BARE),
        "pronoun": float(any(w.text in table.answering["pronouns"] for w in words[:12])),
        "echo": float(is_echo),
        "new": log1p(len(new) + len(figures)),
        "length": log1p(len(words)),
        "long": float(is_long),
        "long_shared": len(shared) / len(result) if result and is_long else 0.0,
        "unknown": float(says_unknown(response) and not (is_made and is_long)),
        "declines": declined.measures["share"],
        "evasive": min(2.0, float(evasive)) if is_open and not (figures or is_made) else 0.0,
        "empty": float(not words),
        "question": float(response.text.rstrip().endswith(("?", "؟")) and len(words) < LONG),
        "other_script": float(_is_other_script(query, response)),
    }
    courtesy = is_courtesy(query, response)
    return Relevance(kind, measures, spans, _is_translated(query, response), courtesy)


def _is_translated(query: TextReading, response: TextReading) -> bool | None:
    """Whether a translation that is asked for is given; None without such a wish, or in doubt.

    A reply in the language of the query that neither quotes nor names what something is called,
    and has no word of the text to translate, talks about the language.
    """
    asked = asked_language(query.text)
    if asked is None or asked.purpose == "answer" or not response.words:
        return None
    own, code = language_of(query.text), language_of(response.text)
    if asked.code in (own, "und") or len(response.words) < LANGUAGE_TOLD:
        return None
    if code == asked.code:
        return True
    known = languages().words
    texts = [word.text for word in response.words]
    shown = sum(text in known.get(own, ()) for text in texts)
    rival = sum(text in known.get(asked.code, ()) for text in texts)
    is_own = code == own and (not texts[0].isascii() or shown > max(1, rival))
    is_open = any(mark in response.text for mark in "\"'“«:*`") or not meaning_words().lists[
        "wording_verbs"
    ].isdisjoint(texts)
    source = {
        word for text in asked.quoted for word in text.split() if word not in known.get(own, ())
    }
    is_open = is_open or not source.isdisjoint(texts)
    return False if is_own and not is_open and len(texts) > MIN_TALK else None


def _begins_with_order(response: TextReading) -> bool:
    """Whether a response begins with a verb that tells what to do: "Check …", but no "Check-in"."""
    first, starts = next(iter(response.words), None), meaning_words().answering["procedure"]
    if first is None or response.text[first.end : first.end + 1] == "-":
        return False
    is_verb = first.text in starts or first.bare in starts
    return is_verb and first.text not in ("by", "just", "please")


def _is_condensing(query: TextReading) -> bool:
    """Whether a query gives a text to shorten."""
    return bool(query.words) and query.words[0].text in meaning_words().lists["condensing"]


def _is_adrift(query: TextReading, response: TextReading) -> bool:
    """Whether a reply to an open question is about another of its words than what is asked for.

    "Which plug do I need in Norway?" asks for a plug; "Norway has many lakes" is about Norway.
    """
    last = query.words[-1].sentence if query.words else 0
    opening = next((word.text for word in query.words if word.sentence == last), "")
    content = [word for word in query.content.values() if word.sentence == last]
    words = list(response.content.values())
    if (
        opening not in meaning_words().lists["question_openings"]
        or len(content) < 2
        or len(words) < MIN_ADRIFT
        or response.answer is not None
    ):
        return False
    focus = content[0].key
    first = words[0].key
    is_taken_up = focus in response.keys or bool(alike(focus, response.keys))
    is_taken_up |= ("the", "one") in pairwise(word.text for word in response.words)
    return first in query.content and first != focus and not is_taken_up


def _begins_with_other(kind: str, query: TextReading, response: TextReading) -> bool:
    """Whether a response begins with a new figure of another kind than asked for."""
    figures = response.figures
    opening = next((word for word in response.words if not word.is_empty), None)
    if not kind or not figures or opening is None or figures[0].start > opening.start:
        return False
    first = figures[0]
    if any(map(first.equals, query.figures)):
        return False
    if kind in FIGURED:
        return not fits_kind(kind, first)
    is_amount = first.kind != "number" or bool(first.unit.dimension)
    return is_amount and kind in ("person", "place", "procedure", "reason", "yes_or_no")


def _tells_when(kind: str, query: TextReading, response: TextReading) -> bool:
    """Whether a response takes up a question for a place or a person, and gives a date or time."""
    if kind not in ("place", "person") or not query.content.keys() <= response.keys:
        return False
    dates = [f for f in response.figures if f.kind in ("date", "time")]
    return any(not any(map(one.equals, query.figures)) for one in dates)


def _is_other_script(query: TextReading, response: TextReading) -> bool:
    """Whether the query is in Latin letters and the response is not, or the other way round."""
    if not query.words or not response.words:
        return False
    return _latin(query.words) != _latin(response.words)


def _latin(words: Sequence[Word]) -> bool:
    return sum(1 for word in words if word.text.isascii()) * 2 >= len(words)
