"""How much of an accepted answer a response says, and which items of a list it lacks."""

from __future__ import annotations

from collections.abc import Container
from itertools import pairwise
from typing import NamedTuple

from assay.data.meaning import meaning_words
from assay.meaning.answer_conflicts import LOOKED_AT
from assay.meaning.reading import TextReading
from assay.meaning.roles import PARTICLES, is_told_from_other_side
from assay.meaning.transliteration import is_transliterated
from assay.meaning.word_coverage import SYNONYM, derived, has_root, light_keys, synonyms
from assay.meaning.word_relations import aliases, converses, opposites
from assay.meaning.words import Word

ASKED = 0.25
"""What a word of the answer counts that the question holds already."""
SIMILAR = 0.75
"""What a word counts that is nearly the same: another ending, a slip of the pen."""
MOST_NAMES = 6
"""Words of the longest name that is compared with others."""
LONG_NAME = 6
"""Letters from which on a name may be written otherwise: Maria is not Mario."""
ITEM = 3.0
"""Up to so many content words an item of a plain list has."""
MIN_STEM = 3
"""Letters that an Arabic word must keep without its particle."""


class Coverage(NamedTuple):
    """How much of an accepted answer a response says."""

    share: float
    is_incomplete: bool
    """Whether the response has one item of a plain list of three or more, and lacks another."""
    missing: list[str]


def coverage(query: TextReading | None, response: TextReading, accepted: TextReading) -> Coverage:
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
    missing_asked: list[str] = []
    item = clause = 0
    content = accepted.content
    joined = _joined(accepted)
    for place, word in enumerate(accepted.words):
        if (
            word.text in meaning_words().lists["item_joints"]
            or word.clause != clause
            or place in joined
        ):
            clause = word.clause
            item += 1
        if content.get(word.key) is not word:
            continue
        share = _share(word, response, result, is_told=is_told) if word.key not in shared else 0.0
        is_asked = word.key in result
        weights.append(ASKED if is_asked else 1.0)
        shares.append(share)
        items.append(item)
        if not share and place not in accepted.denied:
            own = missing_asked if is_asked else missing
            own.append(accepted.quote(word.start, word.end))
    for figure in accepted.figures:
        is_met = any(figure.equals(other) for other in response.stated_figures)
        is_asked = bool(query) and any(figure.equals(f) for f in (query.figures if query else ()))
        weights.append(ASKED if is_asked else 1.0)
        shares.append(float(is_met))
        item += 1
        items.append(item)
        if not is_met:
            own = missing_asked if is_asked else missing
            own.append(accepted.quote(figure.start, figure.end))
    if not weights:
        keys = accepted.keys
        share = len(keys & response.keys) / len(keys) if keys else 0.0
        return Coverage(share, False, [])
    sums: dict[int, list[float]] = {}
    for number, weight, share in zip(items, weights, shares, strict=True):
        entry = sums.setdefault(number, [0.0, 0.0])
        entry[0] += weight * share
        entry[1] += weight
    recall = sum(w * s for w, s in zip(weights, shares, strict=True)) / sum(weights)
    is_list = len(sums) > 2 and all(whole <= ITEM for _, whole in sums.values())
    is_list = is_list and not accepted.figures and _is_plain_list(accepted)
    has_one = any(covered >= 0.75 * whole for covered, whole in sums.values())
    lacks_one = any(covered < 0.6 * whole for covered, whole in sums.values())
    if len(sums) == 2 and _is_pair(query, accepted, response):
        is_list, lacks_one = True, any(not covered for covered, _ in sums.values())
    if max(weights) == ASKED:  # the answer is one of the question's own words
        missing = missing_asked
    return Coverage(recall, is_list and has_one and lacks_one, missing)


def _shared_with_other(
    query: TextReading | None, response: TextReading, accepted: TextReading
) -> frozenset[str]:
    """The words of a name that the response has as part of another name.

    "Alexander Graham Bell" says nothing of "Alexander Fleming": each has a word that the other
    lacks. A title, an initial or a word of the question makes no other name.
    """
    known = set(query.keys) if query else set()
    if head := _with_other_modifier(query, response, accepted):
        return frozenset((head,))
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


def _with_other_modifier(
    query: TextReading | None, response: TextReading, accepted: TextReading
) -> str:
    """The noun of a short answer that the response has with another word before it; else empty.

    "The legal department" says nothing of "the finance department".
    """
    content = list(accepted.content.values())
    if len(content) != 2 or accepted.figures or accepted.names or accepted.scopes:
        return ""
    modifier, head = content
    if modifier.end + 1 != head.start or not head.text.isascii():
        return ""
    if _share(modifier, response, (), is_told=False) or modifier.key in response.keys:
        return ""
    known = query.keys if query else frozenset[str]()
    others = [one for one, two in pairwise(response.words) if two.key == head.key]
    is_other = [not w.is_empty and w.key not in known and w.key not in light_keys() for w in others]
    return head.key if is_other and all(is_other) else ""


def _begin_alike(one: str, other: str) -> bool:
    """Whether two words of a name may be forms of one: Alex, Alexander."""
    return one.startswith(other[:3]) or other.startswith(one[:3])


def _is_distinct(word: Word) -> bool:
    """Whether a word of a name tells it from others: no title, no initial."""
    return len(word.text) > 1 and word.text not in meaning_words().lists["titles"]


def _is_plain_list(accepted: TextReading) -> bool:
    """Whether commas, or several a word for "and", part a text of one sentence."""
    words = accepted.words
    is_parted = any(mark in accepted.text for mark in ",،") or len(_joined(accepted)) > 1
    is_bare = not any(mark in accepted.text for mark in '()"/«»')
    is_all = not any(word.text in ("or", "او") for word in words)
    return is_parted and is_bare and is_all and len({word.sentence for word in words}) == 1


def _is_pair(query: TextReading | None, accepted: TextReading, response: TextReading) -> bool:
    """Whether a short answer of one clause names two things, and the response is short as well."""
    words = accepted.words
    joined = _joined(accepted)
    joints = [place for place, w in enumerate(words) if w.text in ("and", "و") or place in joined]
    is_one = len({word.clause for word in words}) == 1 and len(response.words) <= LOOKED_AT // 3
    is_inside = len(joints) == 1 and joints[0] not in (0, len(words) - 1)
    asks_two = query is not None and not meaning_words().lists["two"].isdisjoint(query.spellings)
    named = accepted.names.keys() - {words[0].key}
    return is_one and is_inside and (not named or asks_two)


def _joined(reading: TextReading) -> list[int]:
    """The places of Arabic words that begin with the "and" that is written together with them.

    Where all words but the first begin with its letter, it is "and" even before a word that no
    list knows.
    """
    words = reading.words
    places = [place for place, word in enumerate(words) if word.text.startswith("و")]
    is_bare_list = len(places) > 1 and places == [*range(1, len(words))]
    return places if is_bare_list else [n for n in places if words[n].text != words[n].bare]


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
    if key.startswith("re") and len(key) > LONG_NAME and key[2:] in response.asserted:
        return SIMILAR
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


def is_alias_of(query: TextReading | None, response: TextReading, accepted: TextReading) -> bool:
    """Whether the response has another name of the whole accepted answer, or its initials.

    A name in another script is another name: جورج أورويل.
    """
    keys = tuple(w.key for w in accepted.words if w.text not in ("the", "a", "an"))
    while keys and accepted.words[-len(keys)].text in meaning_words().lists["placing"]:
        keys = keys[1:]
    stated = response.keys - {response.words[place].key for place in response.denied}
    is_alias = query.keys if query else frozenset()
    for other in aliases().get(keys, ()):
        if all(part in stated for part in other) and not is_alias.issuperset(other):
            return True
    names = [word for word in accepted.words if not word.is_empty]
    if len(names) <= MOST_NAMES and is_transliterated(names, response.words):
        return all(word.is_capital or not word.text.isascii() for word in names)
    firsts = "".join(w.text[0] for w in accepted.words if w.is_capital)
    if len(firsts) >= 2 and len(firsts) == len(accepted.content):
        return any(w.text == firsts and w.is_capital for w in response.words)
    short = accepted.text.strip(" .").replace(".", "")
    if 2 <= len(short) <= 6 and short.isupper():
        capitals = "".join(w.text[0] for w in response.words if w.is_capital)
        return short.lower() in capitals
    return False
