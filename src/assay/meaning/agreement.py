"""How far a response agrees with an accepted answer to the same question, in named measures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import log1p
from typing import NamedTuple

from assay.data.meaning import ARABIC_FOLDED, meaning_words
from assay.meaning.differences import Difference, differences, shared_content
from assay.meaning.reading import Reading, aliases, converses, opposites
from assay.meaning.words import Word

ASKED = 0.25
"""What a word of the answer counts that the question holds already."""
SIMILAR = 0.75
"""What a word counts that is nearly the same: another ending, a slip of the pen."""
COMPARED = 3
"""Of more accepted answers, so many that share most letters with the response are compared."""
FEW = 4
"""Up to so many content words an accepted answer is a short one."""
SAID_TWICE = 0.6
"""Share of words that two sentences of one text share when they are about the same."""
CONFLICTS = ("figure", "negation", "opposite", "roles", "other_answer", "denied", "inconsistent")
"""Measures of which any one speaks against the response."""
_FIGURES = frozenset(("number", "unit", "limit", "date", "weekday", "time", "rate"))
_WORDINGS = frozenset(("quantity_words", "frequency_words", "modality", "time_order"))
LOOKED_AT = 60
"""A longer text is not searched for sentences that contradict each other."""
_LETTERS = re.compile(r"[^\W_]+")
_ALTERNATIVES = re.compile(r"/|\|")
_OPEN = frozenset(("or", "ام", "which", "who", "what", "where", "when", "how", "why"))
"""Words that make a choice or an open question of one that begins like a yes-or-no question."""
_ITEMS = frozenset(("and", "or", "و", "او", "plus", "as"))


class Agreement(NamedTuple):
    """A response beside the accepted answer that fits it best."""

    accepted: Reading
    measures: Mapping[str, float]
    differences: Sequence[Difference]
    missing: Sequence[str]
    """Words and figures of the accepted answer that the response lacks."""
    conflicts: Sequence[str]
    """Further reasons in words, each the rest of a sentence that begins with "it"."""


def agreement(
    query: Reading | None, response: Reading, accepted: Sequence[Reading]
) -> Agreement | None:
    """The response beside the accepted answer that fits best; None without one."""
    known = [one for one in accepted if one.words]
    if len(known) > COMPARED:
        near = trigrams(response)
        known = sorted(known, key=lambda one: _share_of(trigrams(one), near))[-COMPARED:]
    found = [_agreement(query, response, one) for one in known]
    return max(found, key=_fit, default=None)


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


def _agreement(query: Reading | None, response: Reading, accepted: Reading) -> Agreement:
    own = differences(response, accepted, query)
    is_alias = _is_alias(response, accepted)
    cover = Coverage(1.0, False, []) if is_alias else _coverage(query, response, accepted)
    recall, missing = cover.share, cover.missing
    known = set(accepted.content) | (set(query.content) if query else set())
    content = response.content
    inside = sum(1 for key in content if key in known)
    count = len(content) + len(response.figures)
    kinds = [difference.kind for difference in own]
    conflicts = [*_conflicts(query, response, accepted)]
    polarity = _polarity(query, response, accepted)
    if polarity < 0 and "answer" not in kinds:
        conflicts.append("answers the other way")
    figures = accepted.stated_figures
    met = sum(any(f.equals(other) for other in response.stated_figures) for f in figures)
    denied = {response.words[place].key for place in response.denied}
    asked = query.content if query else {}
    lost = [
        key
        for key in accepted.asserted
        if key in denied and key not in response.asserted and key not in asked
    ]
    is_short = len(accepted.content) + len(figures) <= FEW
    letters = 1.0 if is_alias else _letters(response, accepted)
    is_phrase = is_alias or _has_phrase(response, accepted)
    measures = {
        "recall": recall,
        "recall_short": recall if is_short else 0.0,
        "full": float(recall > 0.999),
        "incomplete": float(cover.is_incomplete),
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
        "roles": float("roles" in kinds),
        "same_answer": float(polarity > 0),
        "other_answer": float(polarity < 0 or "answer" in kinds),
        "denied": float(bool(lost)),
        "inconsistent": float(bool(conflicts) and polarity >= 0),
        "unknown": float(says_unknown(response)),
    }
    return Agreement(accepted, measures, own, missing, conflicts)


def says_unknown(reading: Reading) -> bool:
    """Whether the text says that its author does not know."""
    lower = reading.text.lower().translate(ARABIC_FOLDED)
    return any(phrase in lower for phrase in meaning_words().unknowns)


class Coverage(NamedTuple):
    """How much of an accepted answer a response says."""

    share: float
    is_incomplete: bool
    """Whether the response has one item of a list and lacks another."""
    missing: list[str]


def _coverage(query: Reading | None, response: Reading, accepted: Reading) -> Coverage:
    """The share of the accepted answer's words and figures that the response says.

    Items are what commas and "and" part.
    """
    asked = query.content if query else {}
    is_told = len(response.names.keys() & accepted.names.keys()) > 1  # from the other side, perhaps
    weights: list[float] = []
    shares: list[float] = []
    items: list[int] = []
    missing: list[str] = []
    item = clause = 0
    content = accepted.content
    for place, word in enumerate(accepted.words):
        if word.text in _ITEMS or word.clause != clause:
            clause = word.clause
            item += 1
        if content.get(word.key) is not word:
            continue
        share = _share(word, response, is_told)
        is_asked = word.key in asked
        weights.append(ASKED if is_asked else 1.0)
        shares.append(share)
        items.append(item)
        if not share and not is_asked and place not in accepted.denied:
            missing.append(word.text)
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
    said = [covered >= 0.75 * whole for covered, whole in sums.values()]
    is_list = len(said) > 2 or any(word.text in _ITEMS for word in accepted.words)
    return Coverage(recall, is_list and any(said) and not all(said), missing)


def _share(word: Word, response: Reading, is_told: bool) -> float:
    """How far the response says a word: less than 1 for a similar one, 0 where it denies it."""
    key = word.key
    if key in response.asserted:
        return 1.0
    for other in aliases().get((key,), ()):
        if all(part in response.keys for part in other):
            return 1.0
    if key in response.content:
        return 0.0
    against = opposites().get(key)
    if against and any(not against.isdisjoint(response.scope_keys(s)) for s in response.scopes):
        return 1.0
    if is_told and not converses().get(key, frozenset()).isdisjoint(response.asserted):
        return 1.0
    if not key.isascii() and any(f"{particle}{key}" in response.asserted for particle in "وفبلك"):
        return 1.0
    if len(key) >= 4:
        size = max(4, len(key) - 2)
        head = key[:size]
        for said in response.asserted:
            if said.startswith(head) and abs(len(said) - len(key)) <= 3:
                return SIMILAR
    return 0.0


def _is_alias(response: Reading, accepted: Reading) -> bool:
    """Whether the response has another name of the whole accepted answer, or its initials."""
    keys = tuple(w.key for w in accepted.words if w.text not in ("the", "a", "an"))
    stated = response.keys - {response.words[place].key for place in response.denied}
    for other in aliases().get(keys, ()):
        if all(part in stated for part in other):
            return True
    firsts = "".join(w.text[0] for w in accepted.words if w.is_capital)
    if len(firsts) >= 2 and len(firsts) == len(accepted.content):
        return any(w.text == firsts and w.is_capital for w in response.words)
    short = accepted.text.strip(" .").replace(".", "")
    if 2 <= len(short) <= 6 and short.isupper():
        capitals = "".join(w.text[0] for w in response.words if w.is_capital)
        return short.lower() in capitals
    return False


def _letters(response: Reading, accepted: Reading) -> float:
    """The share of the accepted answer's letter trigrams that the response has."""
    return _share_of(trigrams(accepted), trigrams(response))


def _share_of(wanted: set[str], known: set[str]) -> float:
    return len(wanted & known) / len(wanted) if wanted else 0.0


def trigrams(reading: Reading) -> set[str]:
    """Runs of three letters of the content words."""
    text = " " + " ".join(word.bare for word in reading.words if not word.is_empty) + " "
    return {text[n : n + 3] for n in range(len(text) - 2)}


def _has_phrase(response: Reading, accepted: Reading) -> bool:
    """Whether the words of the accepted answer stand in the response in a row."""
    wanted = " ".join(w.key for w in accepted.words if w.text not in ("the", "a", "an"))
    if not wanted:
        return False
    said = " ".join(
        w.key if place not in response.denied else "-"
        for place, w in enumerate(response.words)
        if w.text not in ("the", "a", "an")
    )
    return f" {wanted} " in f" {said} "


def _is_opposed(response: Reading, accepted: Reading) -> bool:
    """Whether a short response has the opposite of a word of a short accepted answer instead."""
    is_short = len(response.words) <= LOOKED_AT // 2 and len(accepted.content) <= FEW
    if not is_short or response.scopes or accepted.scopes:
        return False
    if len(response.names.keys() & accepted.names.keys()) > 1:
        return False
    known = opposites()
    return any(
        not known[key].isdisjoint(response.asserted)
        for key in accepted.asserted
        if key in known and key not in response.content
    )


def _has_last(response: Reading, accepted: Reading) -> bool:
    """Whether the response has the last content word of the accepted answer, such as a surname."""
    keys = list(accepted.content)
    return bool(keys) and keys[-1] in response.asserted


def _polarity(query: Reading | None, response: Reading, accepted: Reading) -> int:
    """1 where both say yes or both no, −1 where one says yes and the other no, else 0."""
    is_polar = query is not None and asks_yes_or_no(query)
    wanted = accepted.answer
    if wanted is None and is_polar:
        wanted = _says_yes(accepted, query)
    if wanted is None:
        return 0
    said = response.answer
    if said is None:
        if says_unknown(response):
            return 0
        if not is_polar and shared_content(response, accepted) < SAID_TWICE:
            return 0
        said = _says_yes(response, query)
    return 1 if said == wanted else -1


def _says_yes(reading: Reading, query: Reading | None) -> bool:
    """Whether a statement affirms what is asked: neither a negation nor an opposite, or both."""
    known = opposites()
    asked = query.content if query else {}
    is_opposite = any(
        not known[key].isdisjoint(asked) and key not in asked
        for key in reading.content
        if key in known
    )
    return reading.is_negated == is_opposite


def asks_yes_or_no(query: Reading) -> bool:
    """Whether a question begins like one that asks for yes or no, and offers no choice."""
    polar = meaning_words().polar
    if not query.words:
        return False
    last = query.words[-1].sentence
    first = next(word for word in query.words if word.sentence == last)
    is_polar = first.text in polar or query.words[0].text in polar
    return is_polar and not any(word.text in _OPEN for word in query.words)


def _conflicts(query: Reading | None, response: Reading, accepted: Reading) -> Iterator[str]:
    if query is not None and _is_wrong_way(query, response, accepted):
        yield "compares the other way round"
    if _contradicts_itself(response):
        yield "contradicts itself"


def _is_wrong_way(query: Reading, response: Reading, accepted: Reading) -> bool:
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
            return is_left != is_same
    return False


def _contradicts_itself(reading: Reading) -> bool:
    """Whether one sentence denies what another one says in much the same words."""
    if not reading.scopes or len(reading.words) > LOOKED_AT:
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
    return False
