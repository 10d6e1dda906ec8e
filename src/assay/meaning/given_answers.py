"""Where a response has the kind of answer that a question asks for."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from assay.data.meaning import meaning_words
from assay.meaning.arabic_replies import (
    asks_how_it_went,
    came_about,
    is_arabic_order,
    is_named_person,
    may_be_person,
    takes_up_verb,
)
from assay.meaning.figures import MONEY, SPAN, Figure, measure_of
from assay.meaning.open_kinds import OPEN_KINDS, told_of, when_instead
from assay.meaning.reading import TextReading
from assay.meaning.tasks import (
    items_of,
    speaks_to_somebody,
)
from assay.meaning.word_coverage import alike, light_keys
from assay.meaning.word_relations import converses, opposites
from assay.meaning.words import Word

FIGURED = ("rate", "money", "duration", "number", "time")
"""Kinds of answer that are figures."""
SHORT_REPLY = 5
"""Up to so many words a length of time answers "when"."""
HOURS = range(1, 25)
"""Numbers that may be hours."""
MIN_ADRIFT = 3
"""Content words from which on a reply is a statement on something."""
OPENING = 2
"""Content words with which a statement says what it is about."""


def given_answers(
    kind: str, query: TextReading, response: TextReading, *, is_evasive: bool
) -> list[tuple[int, int]]:
    """Where the response has what the question asks for."""
    words, table = response.words, meaning_words()
    if kind == "yes_or_no":
        if response.answer is not None:
            return [(words[0].start, words[0].end)]
        listed = _listed(words, table.answering["permission"]) or _charged(query, response)
        listed = listed or _taken_up(query, response) or when_instead(query, response)
        return listed or ([] if is_evasive else _elliptic(words))
    if kind in FIGURED:
        known = query.figures
        figures = [f for f in response.figures if not any(f.equals(q) for q in known)]
        fitting = [
            f for f in figures if fits_kind(kind, f) or (kind == "time" and _is_hour(f, words))
        ]
        if kind == "duration":
            fitting = [f for f in fitting if f.kind != "time" or _is_bound(words, f)]
        if kind == "time":
            lasts = not meaning_words().lists["lasting"].isdisjoint(response.spellings)
            fitting = [
                f for f in fitting if f.kind != "number" or (not lasts and _is_pointed(words, f))
            ]
            named = [] if is_evasive else _times(query, words)
            return [(f.start, f.end) for f in fitting] or named
        if kind == "money":
            fitting = [f for f in fitting if not _is_hour(f, words) and _may_be_price(f, words)]
        if kind in ("number", "duration"):
            fitting = [f for f in fitting if not _says_how_early(f, query, words)]
        if kind == "number" and _counts(query):
            fitting = [f for f in fitting if not _is_of_time_or_money(f)]
        if kind == "duration" and not fitting and _asks_length(query):
            fitting = [f for f in figures if f.unit.dimension == "length"]
        if kind == "duration" and not table.lists["ages"].isdisjoint(query.spellings):
            fitting = fitting or [f for f in figures if _counts_nothing(f, words)]
        return [(f.start, f.end) for f in fitting] or _without_figure(kind, query, response)
    if kind == "person":
        before = {w.start: b.text for b, w in pairwise(words)}
        names = [
            (w.start, w.end)
            for w in response.names.values()
            if w.key not in query.content
            and before.get(w.start) not in meaning_words().lists["placing"]
        ]
        if len(words) > SHORT_REPLY and not _has_later_capital(response):
            names = []
        new = [w for w in response.content.values() if w.key not in query.content]
        is_arabic = bool(words) and not words[0].text.isascii()
        if is_arabic:
            new = [w for w in new if may_be_person(w, words[0], before.get(w.start, ""))]
            is_verb = len(words) > 1 and words[1].text in table.lists["placing"]
            new = new if not is_verb else [w for w in new if w is not words[0]]
            if len(words) > SHORT_REPLY and not takes_up_verb(query, words[0]):
                new = [w for w in new if is_named_person(w)]
        people = [w for w in new if w.text.endswith(_PERSONAL) and not _is_comparative(w)]
        people = [w for w in people if w.text not in table.lists["not_people"]]
        if is_sent_on(query, response):
            names = [(words[0].start, words[0].end)]
        listed = names or [(w.start, w.end) for w in (new if is_arabic else people)]
        return listed or [
            (w.start, w.end) for w in words[:1] if w.text in meaning_words().lists["people"]
        ]
    if kind == "place":
        names = [
            (w.start, w.end)
            for w in response.names.values()
            if w.key not in query.content and not (w is words[0] and w.text.endswith("ly"))
        ]
        return names or _places(response)
    if kind in OPEN_KINDS:
        return told_of(kind, response)
    if kind == "procedure":
        places = {w.clause: w for w in reversed(words)}
        firsts = sorted(places.values(), key=lambda w: w.start)
        listed = _listed(firsts, table.answering["procedure"])
        detail = f" {' '.join(w.text for w in words)} "
        is_told = any(
            f" {phrase} " in detail
            for phrase in ("you can", "you should", "you need", "you have", "to do")
        )
        is_told = is_told or _is_order(words) or is_arabic_order(words) or "`" in response.text
        if not is_evasive and asks_how_it_went(query):
            listed = listed or came_about(query, response)
        return listed or ([(words[0].start, words[0].end)] if is_told else [])
    if kind == "items":
        return items_of(response)
    if kind == "letter":
        return speaks_to_somebody(response)
    if kind == "reason":
        listed = _listed(words, table.answering["reason"])
        is_past = bool(_listed(query.words, meaning_words().lists["past"])) and not is_evasive
        listed = listed or (_listed(words, meaning_words().lists["past"]) if is_past else [])
        return listed or ([] if is_evasive else _told(query, response))
    return []


def _taken_up(query: TextReading, response: TextReading) -> list[tuple[int, int]]:
    """The verb of an Arabic question with which the response begins: هل يشمل السعر … يشمل."""
    asked, first = next(iter(query.content.values()), None), next(iter(response.words), None)
    if asked is None or first is None or first.text.isascii() or first.key != asked.key:
        return []
    return [(first.start, first.end)]


def _charged(query: TextReading, response: TextReading) -> list[tuple[int, int]]:
    """The amounts that say whether there is a fee or a discount: "Students get 20 % off"."""
    if meaning_words().lists["charges"].isdisjoint(query.spellings):
        return []
    amounts = [f for f in response.figures if measure_of(f.unit.dimension) in (MONEY, "%")]
    return [(f.start, f.end) for f in amounts if not any(map(f.equals, query.figures))]


def _asks_length(query: TextReading) -> bool:
    """Whether "how long" asks for a length: "how long is the bridge"."""
    words = [word.text for word in query.words]
    being = meaning_words().lists["being"]
    return any(one == "long" and two in being for one, two in pairwise(words))


def is_sent_on(query: TextReading, response: TextReading) -> bool:
    """Whether "who should I ask" is answered by whom to call: "call the caretaker"."""
    lists = meaning_words().lists
    asks_whom = any(
        one in lists["whom"] and two in lists["asking_for_oneself"]
        for one, two in pairwise(word.text for word in query.words)
    )
    first = response.words[0].text if response.words else ""
    return asks_whom and first in lists["contacting"]


def _told(query: TextReading, response: TextReading) -> list[tuple[int, int]]:
    """The first word of a statement on something else than the question: often the reason."""
    content = list(response.content.values())
    if len(content) < MIN_ADRIFT or _is_order(response.words) or response.answer is not None:
        return []
    starts = meaning_words().answering["procedure"]
    is_order = response.words[0].text in starts or response.words[0].bare in starts
    opening = content[:OPENING]
    is_known = any(
        word.key in query.keys
        or (alike(word.key, query.keys) and not (word.text.isascii() and word.key in light_keys()))
        for word in opening
    )
    return [] if is_order or is_known else [(opening[0].start, opening[0].end)]


def _times(query: TextReading, words: Sequence[Word]) -> list[tuple[int, int]]:
    """Words such as "spring" and "tomorrow", first or behind a word that points to a time.

    Those of the question answer nothing: "the summer sale".
    """
    table = meaning_words().answering
    known, pointing = table["time"], table["pointing"] | meaning_words().lists["pointing_before"]
    return [
        (word.start, word.end)
        for before, word in pairwise((None, *words))
        if word is not None
        and word.key not in query.keys
        and (word.text in known or word.bare in known)
        and (before is None or not word.text.isascii() or before.text in pointing)
    ]


def _counts_nothing(figure: Figure, words: Sequence[Word]) -> bool:
    """Whether nothing is counted behind a number, so that it may be of years or a price."""
    if figure.kind != "number" or figure.unit.dimension or figure.is_ordinal:
        return False
    behind = next((word for word in words if word.start >= figure.end), None)
    before = [word for word in words if word.end <= figure.start]
    if behind is None or behind.is_empty:
        return True
    return bool(before) and before[-1].clause != behind.clause


def _says_how_early(figure: Figure, query: TextReading, words: Sequence[Word]) -> bool:
    """Whether a length of time lies before or after something that nobody asked for.

    "A week in advance" does not say how many days somebody has.
    """
    marks = meaning_words().lists["early_or_late"]
    behind = [word.text for word in words if word.start >= figure.end][:2]
    is_span = measure_of(figure.unit.dimension) == SPAN
    return is_span and not marks.isdisjoint(behind) and marks.isdisjoint(query.texts)


def _may_be_price(figure: Figure, words: Sequence[Word]) -> bool:
    """Whether a figure is an amount of money, or a bare number: no line and no count of things."""
    if figure.kind != "number" or figure.unit.dimension:
        return True
    lists = meaning_words().lists
    before = [word for word in words if word.end <= figure.start][-1:]
    behind = [word for word in words if word.start >= figure.end][:1]
    if any(word.bare in lists["numbering"] or word.text in lists["numbering"] for word in before):
        return False
    is_money = any(word.text in lists["other_currencies"] for word in behind)
    return is_money or _counts_nothing(figure, words)


def _counts(query: TextReading) -> bool:
    """Whether a question asks how many there are of something that is neither time nor money."""
    texts = [word.text for word in query.words]
    is_count = any(pair in _COUNTING for pair in pairwise(texts))
    return is_count and not any(_is_measured(word) for word in texts)


_COUNTING = (("how", "many"), ("كم", "عدد"), ("ما", "عدد"))


def _is_measured(word: str) -> bool:
    unit = meaning_words().units.get(word)
    return unit is not None and measure_of(unit.dimension) in (MONEY, SPAN)


def _is_of_time_or_money(figure: Figure) -> bool:
    return measure_of(figure.unit.dimension) in (MONEY, SPAN)


def _without_figure(kind: str, query: TextReading, response: TextReading) -> list[tuple[int, int]]:
    """The words that answer "how much" or "how many" without a figure: "it is free", "nobody"."""
    if response.answer is not None:
        return []
    known = meaning_words().answering.get(kind, frozenset())
    words = [word for word in response.words if word.text not in query.spellings]
    return [
        (word.start, word.end)
        for before, word in pairwise((None, *words))
        if word is not None
        and (word.text in known or word.bare in known)
        and (word.text != "free" or before is None or before.text != "feel")
    ]


def _is_comparative(word: Word) -> bool:
    """Whether a word such as "older" compares, and names nobody."""
    is_degree = word.text.endswith("er") and word.text[:-2] in opposites()
    return is_degree or word.key in converses()


def _has_later_capital(response: TextReading) -> bool:
    """Whether a word inside a sentence has a capital, or two at its beginning."""
    return any(w.is_capital and b.sentence == w.sentence for b, w in pairwise(response.words))


def _places(response: TextReading) -> list[tuple[int, int]]:
    """Words for a place; "in" and the like count unless a time follows."""
    words = response.words
    starts = {figure.start for figure in response.figures}
    table = meaning_words()
    result = []
    for place, word in enumerate(words):
        if word.text not in table.answering["place"] and word.bare not in table.answering["place"]:
            continue
        behind = [w for w in words[place + 1 : place + 3] if w.text not in ("the", "a", "an")][:1]
        is_time = any(w.start in starts or w.bare in table.answering["time"] for w in behind)
        if not (is_time and word.text in meaning_words().lists["placing"]):
            result.append((word.start, word.end))
    return result


_PERSONAL = ("er", "or", "ist", "man", "ee", "one")
"""Endings of words for people."""


def _is_order(words: Sequence[Word]) -> bool:
    """Whether a reply begins like an order: "Spray it …", "Hold the button …"."""
    if len(words) < 2 or not words[0].text.isascii():
        return False
    first = words[0]
    is_listed = first.text in meaning_words().answering["procedure"]
    is_base = not first.is_empty and not first.text.endswith(("s", "ing", "ed", "ly", "er"))
    return (is_base or is_listed) and words[1].text in meaning_words().lists["objects"]


def _elliptic(words: Sequence[Word]) -> list[tuple[int, int]]:
    """Where a reply takes up a yes-or-no question by a pronoun, or by a condition or a time."""
    table = meaning_words().answering
    firsts = words[:1]
    if _listed(firsts, table["elliptic"]) or _listed(firsts, table["pronouns"]):
        return [(word.start, word.end) for word in firsts]
    return []


def _is_pointed(words: Sequence[Word], figure: Figure) -> bool:
    """Whether a length of time says when: "in ten minutes", "two days ago"; or is all there is."""
    pointing = meaning_words().answering["pointing"]
    before = [word for word in words if word.end <= figure.start][-2:]
    behind = [word for word in words if word.start >= figure.end][:1]
    return len(words) <= SHORT_REPLY or bool(_listed([*before, *behind], pointing))


def _is_bound(words: Sequence[Word], figure: Figure) -> bool:
    """Whether an hour says how long: "until 8", "from 9 to 5"; "it leaves at 8" does not."""
    before = next((word for word in reversed(words) if word.end <= figure.start), None)
    behind = next((word for word in words if word.start >= figure.end), None)
    bounds = meaning_words().lists["bounds"]
    return any(word is not None and word.text in bounds for word in (before, behind))


def _is_hour(figure: Figure, words: Sequence[Word]) -> bool:
    """Whether a number without a unit says when: "they are emptied at five", "opens at 9"."""
    before = next((word for word in reversed(words) if word.end <= figure.start), None)
    is_small = figure.is_word and not figure.unit.dimension
    is_small = is_small or (figure.value in HOURS and _counts_nothing(figure, words))
    return is_small and before is not None and before.text in ("at", "by", "until", "from")


def _listed(words: Sequence[Word], known: frozenset[str]) -> list[tuple[int, int]]:
    return [(w.start, w.end) for w in words if w.text in known or w.bare in known]


def fits_kind(kind: str, figure: Figure) -> bool:
    """Whether a figure is of the kind that is asked for."""
    dimension = figure.unit.dimension
    if kind == "time":
        return figure.kind in ("date", "time", "weekday") or dimension in ("duration", "calendar")
    if kind == "rate":
        return figure.kind in ("rate", "weekday") or dimension in ("duration", "calendar")
    if kind == "duration":
        return dimension in ("duration", "calendar") or figure.kind in ("date", "time")
    if kind == "money":
        return measure_of(dimension) in (MONEY, "%") or (
            figure.kind == "number" and not dimension and not figure.is_ordinal
        )
    return figure.kind == "number" and not figure.is_ordinal
