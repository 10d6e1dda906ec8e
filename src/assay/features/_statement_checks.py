"""What all sentences around say to a statement, besides the one that is nearest to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from assay.data.meaning import meaning_words
from assay.meaning import ClaimDifference, TextReading
from assay.meaning.acts import other_author
from assay.meaning.advice import other_advice
from assay.meaning.bindings import moved_amount, other_thing
from assay.meaning.causes import causal_order
from assay.meaning.changeovers import applied_on
from assay.meaning.changes import changed_amount
from assay.meaning.charges import charged
from assay.meaning.commitments import (
    denied_alike,
    done_already,
    done_by_none,
    exempted,
    kept_for_others,
    met_condition,
    overstated,
    permitted_to_excluded,
    said_of_all,
    said_of_denied,
)
from assay.meaning.comparisons import compared
from assay.meaning.contacts import other_contact
from assay.meaning.durations import other_duration
from assay.meaning.event_order import told_order
from assay.meaning.extracts import in_part
from assay.meaning.labels import labelled
from assay.meaning.limits import beyond_limit, freed_by_limit, kept_limit
from assay.meaning.modalities import other_modality, same_modality
from assay.meaning.moves import went_over
from assay.meaning.opening_days import other_days, other_hours
from assay.meaning.other_places import other_subject, other_unit
from assay.meaning.outcomes import other_outcome
from assay.meaning.partial_denials import not_of_all
from assay.meaning.periods import other_end
from assay.meaning.placings import other_placing
from assay.meaning.pronouns import other_antecedent
from assay.meaning.refutations import refuted
from assay.meaning.remainder import given_to_rest, said_of_everybody
from assay.meaning.routes import turned_conversion, turned_route
from assay.meaning.shares import other_share
from assay.meaning.sites import other_site
from assay.meaning.widening import leaves_only_out
from assay.meaning.word_coverage import alike, light_keys

CHECKS = (
    permitted_to_excluded,
    other_subject,
    other_thing,
    moved_amount,
    refuted,
    overstated,
    done_already,
    met_condition,
    done_by_none,
    said_of_all,
    given_to_rest,
    said_of_everybody,
    said_of_denied,
    other_modality,
    kept_for_others,
    beyond_limit,
    other_advice,
    other_author,
    other_contact,
    other_hours,
    turned_route,
    turned_conversion,
    other_placing,
    other_site,
    other_unit,
)
"""What is looked for where the nearest sentence says nothing against a statement, in order."""
MOST_NEW = 2
"""Up to so many words of a statement, besides those of the question, are its answer."""
LEAST_SAID = 3
"""Words that say something in a statement that a sentence has as it is."""
MOST_ACCOUNTED = 3
"""So many words of a statement may stand for others of a place."""
FREED = frozenset(("negation", "opposite", "modality"))
"""Differences that are none where the statement is about those whom a rule leaves out."""
COMPARED = frozenset(("negation", "opposite", "roles", "binding"))
"""Differences that are none where a comparison, a charge or an outcome is right."""
CHANGED = frozenset(("number", "opposite", "roles", "date"))
"""Differences that are none where an amount changed as the statement says."""
PARTIAL = frozenset(("negation", "opposite", "quantity_words"))
"""Differences that are none where "not all" is right."""
DAYS = frozenset(("weekday", "opposite", "negation"))
"""Differences that are none where something is open or closed on the days that are named."""
PERIODS = frozenset(("date", "time", "weekday", "opposite"))
"""Differences that are none where something begins or ends when a statement says so."""
LIMITED = frozenset(("number", "limit", "negation", "modality", "opposite"))
"""Differences that are none where a single case is free of a duty that has a limit."""
MOVED = frozenset(("number", "date", "opposite", "roles", "binding"))
"""Differences that are none where a statement says what was so before a change."""
TOLD = frozenset(("roles", "time_order"))
"""Differences that are none where the passage tells two events in the same order."""
LABELLED = frozenset(("number", "name", "binding"))
"""Differences that are none where a statement says what stands under the label that it names."""
Judge = Callable[[TextReading, Sequence[TextReading]], ClaimDifference | bool | None]
JUDGES: tuple[tuple[Judge, frozenset[str]], ...] = (
    (exempted, FREED),
    (compared, COMPARED),
    (changed_amount, CHANGED),
    (applied_on, CHANGED),
    (went_over, MOVED),
    (charged, COMPARED),
    (other_outcome, COMPARED),
    (not_of_all, PARTIAL),
    (leaves_only_out, PARTIAL),
    (other_share, CHANGED),
    (other_duration, CHANGED),
    (other_days, DAYS),
    (other_end, PERIODS),
    (freed_by_limit, LIMITED),
    (kept_limit, LIMITED - {"opposite"}),
    (labelled, LABELLED),
    (same_modality, frozenset(("modality",))),
    (in_part, frozenset(("roles",))),
)
"""What may find a statement right, or say what speaks against it; the differences of these kinds
are none where it is right."""


def is_said(claim: TextReading, sentences: Sequence[TextReading]) -> bool:
    """Whether one sentence has all words of a statement, denies nothing and has no exception.

    What another one denies is then of something else, unless it has the statement's first word too:
    "members may bring a guest, others may not".
    """
    own = [key for key in claim.content if key not in light_keys()]
    if len(own) < LEAST_SAID or claim.scopes:
        return False
    if any(one.scopes and own[0] in one.keys for one in sentences):
        return False
    lists = meaning_words().lists
    bounding = lists["exceptions"] | lists["contrast"] | lists["only"] | lists["conditions"]
    return any(
        not one.scopes and one.content.keys() >= {*own} and bounding.isdisjoint(one.spellings)
        for one in sentences
    )


class Checked(NamedTuple):
    """What speaks against a statement, after a look at all sentences around."""

    differences: list[ClaimDifference]
    is_right: bool
    """Whether the passage says so by an order, an amount, an exemption or a part of a whole."""


def checked(
    reading: TextReading,
    differences: list[ClaimDifference],
    near: Sequence[TextReading],
    passage: Sequence[TextReading] = (),
) -> Checked:
    """The differences of a statement that are left, or found, among the sentences around.

    `passage` are those of one context, in its order.
    """
    result = differences
    is_right, is_compared = False, False
    settled = frozenset[str]()
    for judge, answered in JUDGES:
        verdict = judge(reading, near)
        if verdict is True:
            settled |= answered
            result = [one for one in result if one.kind not in answered]
            is_right = True
        elif (
            verdict
            and verdict.kind not in settled
            and all(one.is_denial for one in result)  # a denial counts in like words only
        ):
            result = [verdict]
        is_compared |= judge is compared and verdict is not None
    told = told_order(reading, passage)
    if told is True and not reading.stated_figures:
        result = [one for one in result if one.kind not in TOLD]
        is_right = True
    elif isinstance(told, ClaimDifference) and not result:
        result = [told]
    if not result and (other := other_antecedent(reading, passage)):
        result = [other]
    if not result and not is_compared and (crossed := causal_order(reading, near)):
        result = [crossed]
    return Checked(result, is_right or (not result and denied_alike(reading, near)))


def said_around(reading: TextReading, near: Sequence[TextReading]) -> ClaimDifference | None:
    """The first thing that the sentences around say against a statement."""
    for check in CHECKS:
        if (one := check(reading, near)) is not None:
            return one
    return None


def new_word(reading: TextReading, given: TextReading | None, keys: frozenset[str]) -> str:
    """The word with which a statement answers a question, where no place has the like of it.

    `keys` are those of all words around; empty without such a word.
    """
    if given is None:
        return ""
    if not given.text.endswith(("?", "؟")) or reading.keys.isdisjoint(given.content):
        return ""
    light = light_keys()
    new = [key for key in reading.content if key not in given.keys and key not in light]
    if not 0 < len(new) <= MOST_NEW or any(key in keys or alike(key, keys) for key in new):
        return ""
    if reading.stated_figures or reading.denies:
        return ""
    word = reading.content[new[0]]
    return reading.quote(word.start, word.end)


def accounted(reading: TextReading, keys: frozenset[str]) -> frozenset[str]:
    """The words that stand for others of a place, where it has something for every word."""
    missing = reading.content.keys() - keys
    if len(missing) > MOST_ACCOUNTED or len(missing) == len(reading.content) > 1:
        return frozenset()
    return frozenset(missing) if all(alike(key, keys) for key in missing) else frozenset()
