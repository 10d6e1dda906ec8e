"""How far a response agrees with an accepted answer to the same question, in named measures."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from math import log1p
from typing import NamedTuple

from assay.meaning.agents import names_other_agent, tells_right_side
from assay.meaning.answer_conflicts import (
    LOOKED_AT,
    OTHER_COMPARISON,
    OTHER_ORDER,
    answer_conflicts,
    compares_right,
    denies_answer,
    leaves_open,
)
from assay.meaning.answer_coverage import Coverage, coverage, is_alias_of
from assay.meaning.answer_polarity import is_told, polarity_of, says_unknown
from assay.meaning.attachment import is_comparable, is_inverted
from assay.meaning.changes import tells_change
from assay.meaning.claim_difference import ClaimDifference
from assay.meaning.command_options import other_option
from assay.meaning.conflicts import FIGURES
from assay.meaning.differences import differences
from assay.meaning.final_answers import final_answer
from assay.meaning.outcomes import other_outcome
from assay.meaning.reading import TextReading
from assay.meaning.roles import is_told_from_other_side, is_told_round
from assay.meaning.word_coverage import light_keys, synonyms
from assay.meaning.word_relations import opposites

COMPARED = 3
"""Of more accepted answers, so many that share most letters with the response are compared."""
LONGEST_LIST = 6
"""Words up to which a text that ends with a full stop may be a list of answers."""
FEW = 4
"""Up to so many content words an accepted answer is a short one."""
CONFLICTS = ("figure", "negation", "opposite", "roles", "other_answer", "denied", "inconsistent")
"""Measures of which any one speaks against the response."""
OTHER_WAY, GUESSED_WAY = "answers the other way", "seems to answer the other way"
EXCLUDING = FIGURES | {"quantity_words", "certainty"}
"""Differences with which a response is not right."""
_WORDINGS = frozenset(("quantity_words", "frequency_words", "modality", "certainty", "time_order"))
_LETTERS = re.compile(r"[^\W_]+")
_ALTERNATIVES = re.compile(r"/|\|")
_RATE = re.compile(
    r"\w/(?:h|s|min|sec|second|minute|hour|day|night|week|month|year|person|user|km|kg|l|m)\b", re.I
)
"""A slash of "50 km/h" or "600/month"."""


class Agreement(NamedTuple):
    """A response beside the accepted answer that fits it best."""

    accepted: TextReading
    measures: Mapping[str, float]
    differences: Sequence[ClaimDifference]
    missing: Sequence[str]
    """Words and figures of the accepted answer that the response lacks."""
    is_turned: bool
    """Whether it tells the same from the other side: "older than", "newer than"."""
    conflicts: Sequence[str]
    """Further reasons in words, each the rest of a sentence that begins with "it"."""
    is_alias: bool = False
    """Whether it has another name of the whole accepted answer: UK."""
    is_complete: bool = False
    """Whether it says all that is expected, and nothing else but light words such as "use"."""
    is_guessed: bool = False
    """Whether yes or no was read out of a response that has neither word."""


def agreement(
    query: TextReading | None, response: TextReading, accepted: Sequence[TextReading]
) -> Agreement | None:
    """The response beside the accepted answer that fits best; None without one.

    Of two worked solutions only the answers that they end with are compared: there is more than one
    way to a result.
    """
    known = [one for one in accepted if one.words]
    if len(known) > COMPARED:
        near = response.trigrams
        known = sorted(known, key=lambda one: _share_of(one.trigrams, near))[-COMPARED:]
    result = [_compared(query, response, one) for one in known]
    return max(result, key=_fit, default=None)


def _compared(query: TextReading | None, response: TextReading, accepted: TextReading) -> Agreement:
    wanted = final_answer(accepted)
    given = final_answer(response) if wanted else None
    if wanted is None or given is None:
        return _agreement(query, response, accepted)
    own = _agreement(query, given.reading, wanted.reading)
    placed = [
        one._replace(start=one.start + given.start, end=one.end + given.start)
        for one in own.differences
    ]
    return own._replace(differences=placed)


def is_decided(own: Agreement) -> bool:
    """Whether the rules need no other opinion.

    They name a contradiction besides other names, an item is missing, all of the accepted answer's
    figures are met and nothing else is missing, it says all that is expected and nothing else, it
    is a plain yes or no, another name of the same, or told from the other side. Of 404 answers of
    our labelled sets that say just what is expected, 98 % were right. Yes or no in words that
    neither deny nor take up the question is a guess: of 43 on cases of the exam and others without
    a negation or an opposite, 16 were wrong.
    """
    measures = own.measures
    is_contradicted = any(one != GUESSED_WAY for one in own.conflicts) or any(
        one.kind != "name" for one in own.differences
    )
    has_figures = measures["figures_met"] == 1.0 and measures["full"] == 1.0
    is_answered = (
        own.accepted.is_plain_answer
        and not own.is_guessed
        and bool(measures["same_answer"] or measures["other_answer"])
    )
    is_known = is_contradicted or has_figures or is_answered
    is_known |= own.is_complete or own.is_turned or own.is_alias
    return is_known or bool(measures["incomplete_list"] or measures["opposite"])


def is_excluded(own: Agreement) -> bool:
    """Whether a figure, a quantity, a certainty or an order differs: not both can be right."""
    is_other = not {OTHER_COMPARISON, OTHER_ORDER}.isdisjoint(own.conflicts)
    return is_other or any(one.kind in EXCLUDING for one in own.differences)


def alternatives(text: str) -> list[str]:
    """The answers that a text names, where slashes or bars part several: "Dec./December".

    A slash in a sentence or a sum, as in "50 km/h in towns", parts none.
    """
    parts = [part.strip() for part in _ALTERNATIVES.split(text)]
    is_sentence = (
        len(text.split()) > LONGEST_LIST
        and text.rstrip().endswith((".", "!", "?", "؟"))
        and " / " not in text
    )
    if "\n" in text or is_sentence or _RATE.search(text):
        return [text]
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
    own = differences(response, accepted, query) or _other_number(response, accepted)
    is_alias = is_alias_of(query, response, accepted)
    cover = Coverage(1.0, False, []) if is_alias else coverage(query, response, accepted)
    recall, missing = cover.share, cover.missing
    known = set(accepted.content) | (set(query.content) if query else set())
    content = response.content
    inside = sum(1 for key in content if key in known)
    count = len(content) + len(response.figures)
    kinds = [difference.kind for difference in own]
    conflicts = [*answer_conflicts(query, response, accepted)]
    is_right_side = tells_right_side(query, response, accepted) if query else None
    outcome = other_outcome(response, (accepted,))
    is_other_agent = query is not None and (
        is_right_side is False or names_other_agent(query, response, accepted)
    )
    is_other_agent |= isinstance(outcome, ClaimDifference)
    if is_other_agent:
        conflicts.append("has the roles the other way round")
    is_other_option = other_option(response.text, accepted.text)
    if is_other_option:
        conflicts.append("gives another option of the command")
    is_left_open = leaves_open(query, response, accepted)
    if is_left_open:
        conflicts.append("names another answer beside it, and leaves open which is right")
    polarity = polarity_of(query, response, accepted)
    is_guessed = polarity != 0 and response.answer is None and not is_told(response, query)
    if polarity < 0 and "answer" not in kinds:
        conflicts.append(GUESSED_WAY if is_guessed else OTHER_WAY)
    figures = accepted.stated_figures
    met = sum(any(f.equals(other) for other in response.stated_figures) for f in figures)
    denied = {response.words[place].key for place in response.denied}
    result = query.content if query else {}
    lost = [
        key
        for key in accepted.asserted
        if key in denied and key not in response.asserted and key not in result
    ]
    is_denied = query is not None and denies_answer(query, response, accepted)
    if is_denied:
        conflicts.append("denies that the expected answer is right")
    is_short = len(accepted.content) + len(figures) <= FEW
    letters = 1.0 if is_alias else _letters(response, accepted)
    is_phrase = is_alias or _has_phrase(response, accepted)
    measures = {
        "recall": recall,
        "recall_short": recall if is_short else 0.0,
        "full": float(recall > 0.999),
        "full_length": log1p(len(response.words)) if recall > 0.999 else 0.0,
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
        "figure": float(any(kind in FIGURES for kind in kinds)),
        "negation": float("negation" in kinds),
        "opposite": float("opposite" in kinds or _is_opposed(response, accepted)),
        "wording": float(any(kind in _WORDINGS for kind in kinds)),
        "name": float("name" in kinds),
        "roles": float("roles" in kinds or is_other_agent),
        "same_answer": float(polarity > 0),
        "other_answer": float(polarity < 0 or "answer" in kinds or is_other_option or is_left_open),
        "denied": float(bool(lost) or is_denied),
        "inconsistent": float(bool(conflicts) and polarity >= 0 and not is_denied),
        "unknown": float(says_unknown(response)),
    }
    is_turned = is_comparable(response, accepted) and is_inverted(response, accepted)
    is_turned |= bool(is_right_side or (query and compares_right(query, response, accepted)))
    is_turned |= outcome is True or is_told_round(response, accepted)
    is_turned |= tells_change(response, accepted) is True
    is_complete = recall > 0.999 and not missing and set(content) <= known | light_keys()
    return Agreement(
        accepted, measures, own, missing, is_turned, conflicts, is_alias, is_complete, is_guessed
    )


def _other_number(response: TextReading, accepted: TextReading) -> list[ClaimDifference]:
    """Where both texts are nothing but a figure, and it is another one.

    Elsewhere a figure of the question is none of the answer's.
    """
    if response.content or accepted.content:
        return []
    one, other = response.stated_figures, accepted.stated_figures
    if len(one) != 1 or len(other) != 1 or one[0].equals(other[0]):
        return []
    spans = (one[0].start, one[0].end, other[0].start, other[0].end)
    quoted = response.quote(*spans[:2]), accepted.quote(*spans[2:])
    return [ClaimDifference("number", *quoted, *spans)]


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
    known, near = opposites(), synonyms()
    return any(
        not known[key].isdisjoint(response.asserted)
        for key in accepted.asserted
        if key in known
        and key not in response.content
        and near.get(key, frozenset()).isdisjoint(response.asserted)
    )


def _has_last(response: TextReading, accepted: TextReading) -> bool:
    """Whether the response has the last content word of the accepted answer, such as a surname."""
    keys = list(accepted.content)
    return bool(keys) and keys[-1] in response.asserted
