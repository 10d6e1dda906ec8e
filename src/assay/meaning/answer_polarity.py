"""Whether a response says yes or no to a question, and whether the accepted answer does."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from assay.data.meaning import ARABIC_FOLDED, meaning_words
from assay.meaning.differences import shared_content
from assay.meaning.reading import TextReading
from assay.meaning.word_coverage import has_root
from assay.meaning.word_relations import opposites, refuting

SAID_TWICE = 0.6
"""Share of words that two sentences of one text share when they are about the same."""


def says_unknown(reading: TextReading) -> bool:
    """Whether the text says that its author does not know."""
    lower = reading.text.lower().translate(ARABIC_FOLDED)
    return any(map(lower.__contains__, meaning_words().unknowns))


def polarity_of(query: TextReading | None, response: TextReading, accepted: TextReading) -> int:
    """1 where both say yes or both no, −1 where one says yes and the other no, else 0."""
    is_polar = query is not None and asks_yes_or_no(query)
    wanted = accepted.answer
    if wanted is None and is_polar:
        wanted = _says_yes(accepted, query)
    if wanted is None:
        return 0
    says_yes = response.answer
    if says_yes is None:
        if says_unknown(response):
            return 0
        if not is_polar and shared_content(response, accepted) < SAID_TWICE:
            return 0
        if accepted.answer is not None and _says_reason(response, accepted, query):
            return 1
        says_yes = _says_yes(response, query) and not (
            accepted.is_plain_answer and query is not None and _allows_another(response, query)
        )
        if says_yes != wanted and _has_all_figures(response, accepted):
            return 0
    return 1 if says_yes == wanted else -1


def _has_all_figures(response: TextReading, accepted: TextReading) -> bool:
    """Whether a response has every figure that stands behind yes or no."""
    figures = [f for f in accepted.stated_figures if f.kind in ("date", "time", "number")]
    return bool(figures) and all(
        any(figure.equals(other) for other in response.stated_figures) for figure in figures
    )


def _says_reason(response: TextReading, accepted: TextReading, query: TextReading | None) -> bool:
    """Whether a response has what stands behind yes or no, and denies neither more nor less."""
    known = query.content.keys() if query else frozenset()
    reason = accepted.content.keys() - known
    held = [key for key in reason if key in response.asserted]
    is_same = bool(response.scopes) == bool(accepted.scopes)
    return bool(reason) and len(held) >= SAID_TWICE * len(reason) and is_same


def _says_yes(reading: TextReading, query: TextReading | None) -> bool:
    """Whether a statement affirms what is asked: neither a negation nor an opposite, or both."""
    asked = query.content.keys() if query else frozenset[str]()
    opposed = _opposed(reading, asked)
    is_negated = (reading.is_negated or _concludes_no(reading, asked)) and not (
        reading.is_doubly_negated and not (query is not None and query.scopes)
    )
    if is_negated and opposed.isdisjoint(
        key for s in reading.scopes for key in reading.scope_keys(s)
    ):
        opposed.clear()  # "does not conduct; it is an insulator" says no twice
    is_untimely = _is_untimely(reading) and not (query is not None and _is_untimely(query))
    is_denied = reading.has_denial or is_untimely
    against = bool(opposed) or (is_denied and not (query is not None and query.has_denial))
    return is_negated == against


def is_told(response: TextReading, query: TextReading | None) -> bool:
    """Whether a response without yes or no tells which: by an opposite of what is asked ("closed"
    where one asks "open?"), or by the words of the question with no negation.
    """
    asked = list(query.content) if query else []
    if _opposed(response, frozenset(asked)):
        return True
    held = [key in response.content for key in asked]
    return bool(asked) and held[-1] and sum(held) >= SAID_TWICE * len(held) and not response.scopes


def _opposed(reading: TextReading, asked: AbstractSet[str]) -> set[str]:
    """The words of a statement that are opposites of what is asked and is not said."""
    known, others = opposites(), refuting()
    only_asked = asked - reading.content.keys()
    return {
        key
        for key in reading.content
        if key not in asked
        and not (known.get(key, frozenset()) | others.get(key, frozenset())).isdisjoint(only_asked)
    }


def _allows_another(reading: TextReading, query: TextReading) -> bool:
    """Whether a statement names the only thing that holds, and it is none that is asked for.

    "We only take cash" answers whether one can pay by card.
    """
    return (
        not (reading.scopes or reading.figures)
        and not meaning_words().lists["only"].isdisjoint(reading.spellings)
        and bool(query.content.keys() - reading.content.keys())
        and bool(reading.content.keys() - query.content.keys())
    )


def _concludes_no(reading: TextReading, asked: AbstractSet[str]) -> bool:
    """Whether a text denies what is asked as a consequence: "…, so they cannot be returned"."""
    concluding = meaning_words().lists["concluding"]
    for scope in reading.scopes:
        word = reading.words[scope.place]
        clause = [w for w in reading.words if w.clause == word.clause]
        if clause[0].text in concluding and not asked.isdisjoint(w.key for w in clause):
            return True
    return _denies_later(reading, asked)


def _denies_later(reading: TextReading, asked: AbstractSet[str]) -> bool:
    """Whether a later clause begins with "and not" in one word, and denies what is left open."""
    words, lists = reading.words, meaning_words().lists
    for scope in reading.scopes:
        word = words[scope.place]
        is_first = scope.place and words[scope.place - 1].clause != word.clause
        if not is_first or word.text not in lists["and_not"]:
            continue
        before = {own.key for own in words[: scope.place]}
        left_open = [key for key in asked if key not in before and not has_root(key, before)]
        denied = reading.scope_keys(scope).keys()
        is_forbidden = any(
            own.text in lists["permitting"] for own in words[scope.first : scope.last]
        )
        if any(key in denied or has_root(key, denied) or is_forbidden for key in left_open):
            return True
    return False


def _is_untimely(reading: TextReading) -> bool:
    """Whether a text says that it is too late, or too early."""
    lower = reading.text.lower().translate(ARABIC_FOLDED)
    return any(map(lower.__contains__, meaning_words().lists["untimely"]))


def asks_yes_or_no(query: TextReading) -> bool:
    """Whether a question begins like one that asks for yes or no, and offers no choice."""
    polar = meaning_words().polar
    if not query.words:
        return False
    last = query.words[-1].sentence
    first = next(word for word in query.words if word.sentence == last)
    is_polar = first.text in polar or query.words[0].text in polar
    return is_polar and not any(
        word.text in meaning_words().lists["open_questions"] for word in query.words
    )
