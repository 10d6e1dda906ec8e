"""How far a response agrees with an accepted answer to the same question, in named measures."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import combinations
from math import log1p
from typing import NamedTuple

from assay.data.meaning import ARABIC_FOLDED, meaning_words
from assay.meaning.agents import names_other_agent
from assay.meaning.attachment import is_comparable, is_inverted
from assay.meaning.claim_difference import ClaimDifference
from assay.meaning.differences import differences, shared_content
from assay.meaning.figures import Figure
from assay.meaning.reading import TextReading, aliases, converses, opposites, refuting
from assay.meaning.roles import PARTICLES, is_told_from_other_side
from assay.meaning.word_coverage import SYNONYM, derived, has_root, synonyms
from assay.meaning.words import Word

ASKED = 0.25
"""What a word of the answer counts that the question holds already."""
SIMILAR = 0.75
"""What a word counts that is nearly the same: another ending, a slip of the pen."""
MOST_NAMES = 6
"""Words of the longest name that is compared with others."""
LONG_NAME = 6
"""Letters from which on a name may be written otherwise: Maria is not Mario."""
COMPARED = 3
"""Of more accepted answers, so many that share most letters with the response are compared."""
ITEM = 3.0
"""Up to so many content words an item of a plain list has."""
MIN_STEM = 3
"""Letters that an Arabic word must keep without its particle."""
FEW = 4
"""Up to so many content words an accepted answer is a short one."""
SAID_TWICE = 0.6
"""Share of words that two sentences of one text share when they are about the same."""
CONFLICTS = ("figure", "negation", "opposite", "roles", "other_answer", "denied", "inconsistent")
"""Measures of which any one speaks against the response."""
_FIGURES = frozenset(("number", "unit", "limit", "date", "weekday", "time", "rate"))
_WORDINGS = frozenset(("quantity_words", "frequency_words", "modality", "certainty", "time_order"))
MANY_DENIALS = 20
"""With more negations a text is not searched for one of the accepted answer: time stays linear."""
LOOKED_AT = 60
"""A longer text is not searched for sentences that contradict each other."""
_LETTERS = re.compile(r"[^\W_]+")
_ALTERNATIVES = re.compile(r"/|\|")
_OPEN = frozenset(("or", "ام", "which", "who", "what", "where", "when", "how", "why"))
"""Words that make a choice or an open question of one that begins like a yes-or-no question."""
_ITEMS = frozenset(("and", "or", "و", "او", "plus", "as"))


class Agreement(NamedTuple):
    """A response beside the accepted answer that fits it best."""

    accepted: TextReading
    measures: Mapping[str, float]
    differences: Sequence[ClaimDifference]
    missing: Sequence[str]
    """Words and figures of the accepted answer that the response lacks."""
    is_turned: bool
    """Whether it compares by the opposite, with exchanged sides: "older than", "newer than"."""
    conflicts: Sequence[str]
    """Further reasons in words, each the rest of a sentence that begins with "it"."""


def agreement(
    query: TextReading | None, response: TextReading, accepted: Sequence[TextReading]
) -> Agreement | None:
    """The response beside the accepted answer that fits best; None without one."""
    known = [one for one in accepted if one.words]
    if len(known) > COMPARED:
        near = response.trigrams
        known = sorted(known, key=lambda one: _share_of(one.trigrams, near))[-COMPARED:]
    result = [_agreement(query, response, one) for one in known]
    return max(result, key=_fit, default=None)


def is_decided(own: Agreement) -> bool:
    """Whether the rules need no other opinion.

    They name a contradiction besides other names, an item is missing, all of the accepted answer's
    figures are met and nothing else is missing, it is a plain yes or no, or a comparison from the
    other side.
    """
    measures = own.measures
    is_contradicted = bool(own.conflicts) or any(one.kind != "name" for one in own.differences)
    has_figures = measures["figures_met"] == 1.0 and measures["full"] == 1.0
    is_plain = own.accepted.answer is not None and len(own.accepted.words) == 1
    is_answered = is_plain and bool(measures["same_answer"] or measures["other_answer"])
    is_known = is_contradicted or has_figures or is_answered or own.is_turned
    return is_known or bool(measures["incomplete_list"])


def alternatives(text: str) -> list[str]:
    """The answers that a text names, where slashes or bars part several: "Dec./December"."""
    parts = [part.strip() for part in _ALTERNATIVES.split(text)]
    is_list = len(parts) > 1 and all(len(_LETTERS.sub("", part)) < len(part) for part in parts)
    if not is_list or any(sum(map(str.isalnum, part)) < 3 for part in parts):
        return [text]
    return parts


def _fit(one: Agreement) -> tuple[float, float]:
    own = one.measures
    return own["recall"] + own["letters"] - sum(own[name] for name in CONFLICTS), own["precision"]


def _agreement(
    query: TextReading | None, response: TextReading, accepted: TextReading
) -> Agreement:
    own = differences(response, accepted, query)
    is_alias = _is_alias(query, response, accepted)
    cover = Coverage(1.0, False, []) if is_alias else _coverage(query, response, accepted)
    recall, missing = cover.share, cover.missing
    known = set(accepted.content) | (set(query.content) if query else set())
    content = response.content
    inside = sum(1 for key in content if key in known)
    count = len(content) + len(response.figures)
    kinds = [difference.kind for difference in own]
    conflicts = [*_conflicts(query, response, accepted)]
    is_other_agent = query is not None and names_other_agent(query, response, accepted)
    if is_other_agent:
        conflicts.append("has the roles the other way round")
    polarity = _polarity(query, response, accepted)
    if polarity < 0 and "answer" not in kinds:
        conflicts.append("answers the other way")
    figures = accepted.stated_figures
    met = sum(any(f.equals(other) for other in response.stated_figures) for f in figures)
    denied = {response.words[place].key for place in response.denied}
    result = query.content if query else {}
    lost = [
        key
        for key in accepted.asserted
        if key in denied and key not in response.asserted and key not in result
    ]
    is_denied = query is not None and _denies_answer(query, response, accepted)
    if is_denied:
        conflicts.append("denies that the expected answer is right")
    is_short = len(accepted.content) + len(figures) <= FEW
    letters = 1.0 if is_alias else _letters(response, accepted)
    is_phrase = is_alias or _has_phrase(response, accepted)
    measures = {
        "recall": recall,
        "recall_short": recall if is_short else 0.0,
        "full": float(recall > 0.999),
        "incomplete_list": float(cover.is_incomplete),
        "letters": letters,
        "letters_short": letters if is_short else 0.0,
        "phrase": float(is_phrase),
        "phrase_short": float(is_phrase and is_short),
        "head": float(_has_last(response, accepted)),
        "precision": inside / count if count else 0.0,
        "short": float(is_short),
        "length": log1p(len(response.words)),
        "brief": recall if len(response.words) <= FEW else 0.0,
        "brief_letters": letters if len(response.words) <= FEW else 0.0,
        "absent": float(recall < 0.01),
        "unlike": float(letters < 0.2),
        "accepted_length": log1p(len(accepted.words)),
        "figures_met": met / len(figures) if figures else 0.0,
        "figures_missing": (len(figures) - met) / len(figures) if figures else 0.0,
        "figure": float(any(kind in _FIGURES for kind in kinds)),
        "negation": float("negation" in kinds),
        "opposite": float("opposite" in kinds or _is_opposed(response, accepted)),
        "wording": float(any(kind in _WORDINGS for kind in kinds)),
        "name": float("name" in kinds),
        "roles": float("roles" in kinds or is_other_agent),
        "same_answer": float(polarity > 0),
        "other_answer": float(polarity < 0 or "answer" in kinds),
        "denied": float(bool(lost) or is_denied),
        "inconsistent": float(bool(conflicts) and polarity >= 0 and not is_denied),
        "unknown": float(says_unknown(response)),
    }
    is_turned = is_comparable(response, accepted) and is_inverted(response, accepted)
    return Agreement(accepted, measures, own, missing, is_turned, conflicts)


def says_unknown(reading: TextReading) -> bool:
    """Whether the text says that its author does not know."""
    lower = reading.text.lower().translate(ARABIC_FOLDED)
    return any(map(lower.__contains__, meaning_words().unknowns))


class Coverage(NamedTuple):
    """How much of an accepted answer a response says."""

    share: float
    is_incomplete: bool
    """Whether the response has one item of a plain list of three or more, and lacks another."""
    missing: list[str]


def _coverage(query: TextReading | None, response: TextReading, accepted: TextReading) -> Coverage:
    """The share of the accepted answer's words and figures that the response says.

    Items are what commas and "and" part.
    """
    result = query.content if query else {}
    is_told = is_told_from_other_side(response, accepted)
    shared = _shared_with_other(query, response, accepted)
    weights: list[float] = []
    shares: list[float] = []
    items: list[int] = []
    missing: list[str] = []
    item = clause = 0
    content = accepted.content
    for place, word in enumerate(accepted.words):
        if word.text in _ITEMS or word.clause != clause or _is_joined(word):
            clause = word.clause
            item += 1
        if content.get(word.key) is not word:
            continue
        share = _share(word, response, result, is_told=is_told) if word.key not in shared else 0.0
        is_asked = word.key in result
        weights.append(ASKED if is_asked else 1.0)
        shares.append(share)
        items.append(item)
        if not share and not is_asked and place not in accepted.denied:
            missing.append(accepted.quote(word.start, word.end))
    for figure in accepted.figures:
        is_met = any(figure.equals(other) for other in response.stated_figures)
        is_asked = bool(query) and any(figure.equals(f) for f in (query.figures if query else ()))
        weights.append(ASKED if is_asked else 1.0)
        shares.append(float(is_met))
        item += 1
        items.append(item)
        if not is_met and not is_asked:
            missing.append(accepted.quote(figure.start, figure.end))
    if not weights:
        keys = accepted.keys
        share = len(keys & response.keys) / len(keys) if keys else 0.0
        return Coverage(share, False, [])
    sums: dict[int, list[float]] = {}
    for own, weight, share in zip(items, weights, shares, strict=True):
        entry = sums.setdefault(own, [0.0, 0.0])
        entry[0] += weight * share
        entry[1] += weight
    recall = sum(w * s for w, s in zip(weights, shares, strict=True)) / sum(weights)
    is_list = len(sums) > 2 and all(whole <= ITEM for _, whole in sums.values())
    is_list = is_list and not accepted.figures and _is_plain_list(accepted)
    has_one = any(covered >= 0.75 * whole for covered, whole in sums.values())
    lacks_one = any(covered < 0.6 * whole for covered, whole in sums.values())
    if len(sums) == 2 and _is_pair(accepted, response):
        is_list, lacks_one = True, any(not covered for covered, _ in sums.values())
    return Coverage(recall, is_list and has_one and lacks_one, missing)


def _shared_with_other(
    query: TextReading | None, response: TextReading, accepted: TextReading
) -> frozenset[str]:
    """The words of a name that the response has as part of another name.

    "Alexander Graham Bell" says nothing of "Alexander Fleming": each has a word that the other
    lacks. A title, an initial or a word of the question makes no other name.
    """
    known = set(query.keys) if query else set()
    names = {key for key, word in accepted.names.items() if _is_distinct(word)}
    if not 2 <= len(names) <= MOST_NAMES or len(set(accepted.name_units.values())) != 1:
        return frozenset()
    lacking = names - response.keys - known
    if not lacking:
        return frozenset()
    held = names & response.names.keys()
    for key in held:
        unit = response.name_units[key]
        others = [w for k, w in response.names.items() if response.name_units[k] == unit]
        extra = [w.key for w in others if _is_distinct(w) and w.key not in accepted.keys | known]
        if extra and not any(_begin_alike(one, other) for one in extra for other in lacking):
            return frozenset(held)
    return frozenset()


def _begin_alike(one: str, other: str) -> bool:
    """Whether two words of a name may be forms of one: Alex, Alexander."""
    return one.startswith(other[:3]) or other.startswith(one[:3])


def _is_distinct(word: Word) -> bool:
    """Whether a word of a name tells it from others: no title, no initial."""
    return len(word.text) > 1 and word.text not in meaning_words().lists["titles"]


def _is_plain_list(accepted: TextReading) -> bool:
    """Whether commas, or several a word for "and", part a text of one sentence."""
    words = accepted.words
    is_parted = any(mark in accepted.text for mark in ",،") or sum(map(_is_joined, words)) > 1
    is_bare = not any(mark in accepted.text for mark in '()"/«»')
    is_all = not any(word.text in ("or", "او") for word in words)
    return is_parted and is_bare and is_all and len({word.sentence for word in words}) == 1


def _is_pair(accepted: TextReading, response: TextReading) -> bool:
    """Whether a short answer of one clause names two things, and the response is short as well."""
    words = accepted.words
    joints = [place for place, word in enumerate(words) if word.text in ("and", "و")]
    is_one = len({word.clause for word in words}) == 1 and len(response.words) <= LOOKED_AT // 3
    return (
        is_one and len(joints) == 1 and not accepted.names and joints[0] not in (0, len(words) - 1)
    )


def _is_joined(word: Word) -> bool:
    """Whether an Arabic word begins with the "and" that is written together with it."""
    return word.text != word.bare and word.text.startswith("و")


def _share(word: Word, response: TextReading, result: Container[str], *, is_told: bool) -> float:
    """How far the response says a word: less than 1 for a similar one, 0 where it denies it."""
    key = word.key
    if key in response.asserted:
        return 1.0
    for other in aliases().get((key,), ()):
        if all(p in response.keys for p in other) and not all(p in result for p in other):
            return 1.0
    if key in response.content:
        return 0.0
    against = opposites().get(key)
    if against and any(not against.isdisjoint(response.scope_keys(s)) for s in response.scopes):
        return 1.0
    if is_told and not converses().get(key, frozenset()).isdisjoint(response.asserted):
        return 1.0
    if not key.isascii() and _has_arabic(key, response.asserted):
        return 1.0
    near = synonyms().get(key)
    if near and not near.isdisjoint(response.asserted):
        return SYNONYM
    if not key.isascii() and has_root(key, response.asserted_keys):
        return SYNONYM
    related = derived().get(key)
    if related and not related.isdisjoint(response.asserted):
        return SIMILAR
    if len(key) >= (LONG_NAME if word.is_capital else 4):
        size = max(4, len(key) - 2)
        head = key[:size]
        for message in response.asserted:
            is_like = message.startswith(head) and abs(len(message) - len(key)) <= 3
            if is_like and message not in result:
                return SIMILAR
    return 0.0


def _has_arabic(key: str, others: Container[str]) -> bool:
    """Whether a word stands among others with or without a particle before it."""
    if any(f"{particle}{key}" in others for particle in PARTICLES):
        return True
    return len(key) > MIN_STEM and key[0] in PARTICLES and key[1:] in others


def _is_alias(query: TextReading | None, response: TextReading, accepted: TextReading) -> bool:
    """Whether the response has another name of the whole accepted answer, or its initials."""
    keys = tuple(w.key for w in accepted.words if w.text not in ("the", "a", "an"))
    stated = response.keys - {response.words[place].key for place in response.denied}
    is_alias = query.keys if query else frozenset()
    for other in aliases().get(keys, ()):
        if all(part in stated for part in other) and not is_alias.issuperset(other):
            return True
    firsts = "".join(w.text[0] for w in accepted.words if w.is_capital)
    if len(firsts) >= 2 and len(firsts) == len(accepted.content):
        return any(w.text == firsts and w.is_capital for w in response.words)
    short = accepted.text.strip(" .").replace(".", "")
    if 2 <= len(short) <= 6 and short.isupper():
        capitals = "".join(w.text[0] for w in response.words if w.is_capital)
        return short.lower() in capitals
    return False


def _letters(response: TextReading, accepted: TextReading) -> float:
    """The share of the accepted answer's letter trigrams that the response has."""
    return _share_of(accepted.trigrams, response.trigrams)


def _share_of(wanted: AbstractSet[str], known: AbstractSet[str]) -> float:
    return len(wanted & known) / len(wanted) if wanted else 0.0


def _has_phrase(response: TextReading, accepted: TextReading) -> bool:
    """Whether the words of the accepted answer stand in the response in a row."""
    wanted = " ".join(w.key for w in accepted.words if w.text not in ("the", "a", "an"))
    if not wanted:
        return False
    message = " ".join(
        w.key if place not in response.denied else "-"
        for place, w in enumerate(response.words)
        if w.text not in ("the", "a", "an")
    )
    return f" {wanted} " in f" {message} "


def _is_opposed(response: TextReading, accepted: TextReading) -> bool:
    """Whether a short response has the opposite of a word of a short accepted answer instead."""
    is_short = len(response.words) <= LOOKED_AT // 2 and len(accepted.content) <= FEW
    if not is_short or response.scopes or accepted.scopes:
        return False
    if is_told_from_other_side(response, accepted):
        return False
    known = opposites()
    return any(
        not known[key].isdisjoint(response.asserted)
        for key in accepted.asserted
        if key in known and key not in response.content
    )


def _has_last(response: TextReading, accepted: TextReading) -> bool:
    """Whether the response has the last content word of the accepted answer, such as a surname."""
    keys = list(accepted.content)
    return bool(keys) and keys[-1] in response.asserted


def _polarity(query: TextReading | None, response: TextReading, accepted: TextReading) -> int:
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
        says_yes = _says_yes(response, query)
    return 1 if says_yes == wanted else -1


def _says_reason(response: TextReading, accepted: TextReading, query: TextReading | None) -> bool:
    """Whether a response has what stands behind yes or no, and denies neither more nor less."""
    known = query.content.keys() if query else frozenset()
    reason = accepted.content.keys() - known
    held = [key for key in reason if key in response.asserted]
    is_same = bool(response.scopes) == bool(accepted.scopes)
    return bool(reason) and len(held) >= SAID_TWICE * len(reason) and is_same


def _says_yes(reading: TextReading, query: TextReading | None) -> bool:
    """Whether a statement affirms what is asked: neither a negation nor an opposite, or both."""
    known, others = opposites(), refuting()
    says_yes = query.content if query else {}
    against = any(
        key not in says_yes
        and not (known.get(key, frozenset()) | others.get(key, frozenset())).isdisjoint(says_yes)
        for key in reading.content
    )
    against |= reading.has_denial and not (query is not None and query.has_denial)
    return reading.is_negated == against


def asks_yes_or_no(query: TextReading) -> bool:
    """Whether a question begins like one that asks for yes or no, and offers no choice."""
    polar = meaning_words().polar
    if not query.words:
        return False
    last = query.words[-1].sentence
    first = next(word for word in query.words if word.sentence == last)
    is_polar = first.text in polar or query.words[0].text in polar
    return is_polar and not any(word.text in _OPEN for word in query.words)


def _conflicts(
    query: TextReading | None, response: TextReading, accepted: TextReading
) -> Iterator[str]:
    if query is not None and _is_wrong_way(query, response, accepted):
        yield "compares the other way round"
    if query is not None and _takes_back(query, response):
        yield "takes back its answer"
    if _contradicts_itself(response):
        yield "contradicts itself"


def _denies_answer(query: TextReading, response: TextReading, accepted: TextReading) -> bool:
    """Whether every sentence with the accepted answer denies of it what the question asks for.

    "Ottawa is not the capital of Canada" denies the answer "Ottawa" to "What is the capital …?".
    """
    if not response.scopes or query.scopes or asks_yes_or_no(query):
        return False
    if len(response.scopes) > MANY_DENIALS:
        return False
    wanted = accepted.asserted.keys() - query.content.keys()
    if not wanted:
        return False
    result = query.content.keys()
    denying: set[int] = set()
    for scope in response.scopes:
        word = response.words[scope.place]
        denied = response.scope_keys(scope).keys()
        before = {w.key for w in response.words if w.clause == word.clause and w.start < word.start}
        if denied and denied <= result and wanted <= before:
            denying.add(word.sentence)
    saying = {w.sentence for w in response.words if w.key in wanted}
    return bool(denying) and saying <= denying


def _is_wrong_way(query: TextReading, response: TextReading, accepted: TextReading) -> bool:
    """Whether "A is bigger than B" makes the accepted answer the other one of a choice."""
    words, links = response.words, converses()
    for place, word in enumerate(words):
        if word.text not in ("than", "من") or place < 2:
            continue
        compared = words[place - 1]
        others = links.get(compared.key)
        if others is None:
            continue
        is_same = compared.key in query.keys
        if not is_same and others.isdisjoint(query.keys):
            continue
        own = [w for w in words if w.sentence == word.sentence]
        left = {w.key for w in own if w.end <= compared.start}
        right = {w.key for w in own if w.start > word.start}
        wanted = accepted.content.keys() - {compared.key}
        is_left, is_right = not wanted.isdisjoint(left), not wanted.isdisjoint(right)
        if is_left != is_right:
            is_denied = response.words.index(compared) in response.denied
            return (is_left != is_same) != is_denied
    return False


def _takes_back(query: TextReading, response: TextReading) -> bool:
    """Whether a response says yes, and then what answers the question with no."""
    if response.answer is not True or not asks_yes_or_no(query):
        return False
    known = refuting()
    return any(
        not known[key].isdisjoint(query.content) for key in response.asserted if key in known
    )


def _contradicts_itself(reading: TextReading) -> bool:
    """Whether one sentence denies what another one says in much the same words."""
    if len(reading.words) > LOOKED_AT:
        return False
    sentences: dict[int, set[str]] = {}
    for word in reading.words:
        if not word.is_empty:
            sentences.setdefault(word.sentence, set()).add(word.key)
    denying = {reading.words[scope.place].sentence for scope in reading.scopes}
    for scope in reading.scopes:
        own = sentences.get(reading.words[scope.place].sentence, set())
        denied = reading.scope_keys(scope).keys()
        for number, other in sentences.items():
            if number in denying or len(other) < 2 or denied.isdisjoint(other):
                continue
            if len(own & other) >= 2 and len(own & other) >= SAID_TWICE * min(len(own), len(other)):
                return True
    return _counts_twice(reading, sentences)


def _counts_twice(reading: TextReading, sentences: Mapping[int, set[str]]) -> bool:
    """Whether two sentences say the same with different figures."""
    figures: dict[int, list[Figure]] = {}
    places = {word.start: word.sentence for word in reading.words}
    for figure in reading.stated_figures:
        figures.setdefault(places.get(figure.start, -1), []).append(figure)
    single = [(number, own[0]) for number, own in figures.items() if len(own) == 1]
    for (one, figure), (two, other) in combinations(single, 2):
        a, b = (sentences.get(number, set()) - _figure_words(reading) for number in (one, two))
        is_same = len(a) >= 2 and len(b) >= 2 and (a <= b or b <= a)
        is_rival = figure.rivals(other) and figure.unit.dimension == other.unit.dimension
        if is_same and is_rival and not figure.equals(other):
            return True
    return False


def _figure_words(reading: TextReading) -> set[str]:
    return {
        word.key
        for word in reading.words
        if any(figure.start <= word.start < figure.end for figure in reading.figures)
    }
