"""Single cases under a rule with a limit: a dog of 25 kg, where dogs over 20 kg need a muzzle."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, product
from typing import Literal

from assay.data.meaning import meaning_words
from assay.meaning.attachment import is_range
from assay.meaning.claim_difference import ClaimDifference
from assay.meaning.figures import SPAN, Figure, days_of, measure_of
from assay.meaning.reading import TextReading
from assay.meaning.word_coverage import alike, light_keys

MOST_KEPT = 2
"""Figures that a statement has at most which gives a limit in other words."""
BEFORE = 5
"""So many words before a figure the word stands that makes a single case of it: "a stay of"."""


def is_case_of(figure: Figure, claim: TextReading, limit: Figure) -> bool:
    """Whether a figure of a single case lies within a limit."""
    if figure.limit or not limit.limit or figure.kind != "number" or limit.kind != "number":
        return False
    return _is_single(figure, claim) and _is_within(_aged(figure, claim, limit), limit) is True


def is_case_within(figure: Figure, claim: TextReading, sentence: TextReading) -> bool:
    """Whether the age of a single case lies in a range: a ten-year-old, of "from 6 to 12 years"."""
    if figure.kind != "number" or not _is_single(figure, claim):
        return False
    ages = [other for other in sentence.figures if other.kind == "number"]
    for one, two in pairwise(ages):
        own = _aged(figure, claim, one)
        is_age = own.unit.dimension == one.unit.dimension == two.unit.dimension
        is_age = is_age and (own is not figure or own.unit.dimension == "calendar")
        if is_age and one.value <= own.value <= two.value and is_range(sentence, one, two):
            return True
    return False


def freed_by_limit(
    claim: TextReading, sentences: Sequence[TextReading]
) -> ClaimDifference | Literal[True] | None:
    """Whether a single case that a statement frees of a duty lies beyond the limit of the duty.

    "A drone of 200 g need not be registered" follows from "drones of 250 g or more must be", and
    "a drone of 300 g need not be registered" is against it.
    """
    lists = meaning_words().lists
    if not claim.scopes or lists["freed_of"].isdisjoint(claim.texts):
        return None
    cases = [f for f in claim.figures if f.kind == "number" and not f.limit]
    cases = [figure for figure in cases if _is_single(figure, claim)]
    for sentence in sentences if cases else ():
        duty = "must" in sentence.classes.get("modality", ())
        if not duty or sentence.scopes or not _is_about(claim, sentence):
            continue
        for figure, limit in product(cases, sentence.figures):
            is_within = limit.limit and _is_within(_aged(figure, claim, limit), limit)
            if is_within is False:
                return True
            if is_within:
                spans = (figure.start, figure.end, limit.start, limit.end)
                quoted = claim.quote(*spans[:2]), sentence.quote(*spans[2:])
                return ClaimDifference("number", *quoted, *spans)
    return None


def beyond_limit(claim: TextReading, sentences: Sequence[TextReading]) -> ClaimDifference | None:
    """A number that a statement allows, and the limit of a sentence does not.

    "Members can borrow twelve books" is against "up to ten items", and "a nine-year-old can take
    it" against "children under 12 should not".
    """
    permitting = meaning_words().lists["permitting"]
    if claim.denies or (permitting.isdisjoint(claim.spellings) and claim.answer is not True):
        return None
    known = [figure for one in sentences for figure in one.figures]
    own = [f for f in claim.figures if f.kind == "number" and not f.limit]
    own = [f for f in own if f.unit.dimension != "%" and not any(map(f.equals, known))]
    own = [f for f in own if not _is_label(f, claim)]
    for sentence in sentences if own else ():
        if not _is_about(claim, sentence) or _names_exception(claim, sentence):
            continue
        for figure in own:
            if limit := _excluding(figure, claim, sentence):
                spans = (figure.start, figure.end, limit.start, limit.end)
                quoted = claim.quote(*spans[:2]), sentence.quote(*spans[2:])
                return ClaimDifference("number", *quoted, *spans)
    return None


def _excluding(figure: Figure, claim: TextReading, sentence: TextReading) -> Figure | None:
    """The limit of a sentence that excludes a figure, where no other one of it allows the figure.

    Of "under 18 or over 65" the second allows 70.
    """
    found = None
    for limit in sentence.figures:
        if limit.kind != "number" or not limit.limit:
            continue
        is_within = _is_within(_aged(figure, claim, limit), limit)
        if is_within is None or _counts_other(figure, claim, limit, sentence):
            continue
        if is_within == sentence.denies:
            found = found or limit
        elif not sentence.denies:
            return None
    return found


def _counts_other(figure: Figure, claim: TextReading, limit: Figure, sentence: TextReading) -> bool:
    """Whether a figure counts what a sentence names, and the limit something else.

    "Ten members" is not beyond "members may borrow up to six books".
    """
    own, its = _word_behind(claim, figure), _word_behind(sentence, limit)
    return bool(own) and own != its and own in sentence.keys and not figure.unit.dimension


def _word_behind(reading: TextReading, figure: Figure) -> str:
    """The key of the word right behind a figure, where it carries meaning; else empty."""
    word = next((word for word in reading.words if word.start >= figure.end), None)
    return word.key if word and word.key in reading.content else ""


def _is_label(figure: Figure, claim: TextReading) -> bool:
    """Whether a number names what it stands behind: "room 25 can be booked"."""
    lists = meaning_words().lists
    before = next((w for w in reversed(claim.words) if w.end <= figure.start), None)
    behind = next((w for w in claim.words if w.start >= figure.end), None)
    if figure.unit.dimension or before is None or behind is None:
        return False
    is_named = before.key in claim.content and before.text not in lists["ages"]
    return is_named and behind.text in lists["permitting"]


def _names_exception(claim: TextReading, sentence: TextReading) -> bool:
    """Whether a statement says "with" or "if" of what a sentence excludes without or unless."""
    lists = meaning_words().lists
    is_open = not (lists["without"] | lists["unless"]).isdisjoint(sentence.spellings)
    return is_open and not (lists["conditions"] | {"with"}).isdisjoint(claim.spellings)


def _is_about(claim: TextReading, sentence: TextReading) -> bool:
    """Whether a sentence has half of the words of a statement, or others of like meaning."""
    figures = [(figure.start, figure.end) for figure in claim.figures]
    own = [
        key
        for key, word in claim.content.items()
        if not any(start <= word.start < end for start, end in figures)
    ]
    held = [key for key in own if key in sentence.keys or alike(key, sentence.keys)]
    return 0 < len(own) <= 2 * len(held)


def _aged(figure: Figure, claim: TextReading, limit: Figure) -> Figure:
    """The years of an age without their unit, where a limit has none: "under 12"."""
    is_age = figure.unit.dimension == "calendar" and not limit.unit.dimension
    is_age = is_age and not meaning_words().lists["ages"].isdisjoint(claim.spellings)
    return figure._replace(unit=limit.unit) if is_age else figure


def _is_within(figure: Figure, limit: Figure) -> bool | None:
    """Whether a figure lies within a limit; None where they measure different things."""
    one, two = _amount(figure, limit), _amount(limit, figure)
    if one is None or two is None:
        return None
    return one >= two if limit.limit == "least" else one <= two


def _amount(figure: Figure, other: Figure) -> float | None:
    """The amount in a unit that both have; None where they measure different things."""
    measure = measure_of(figure.unit.dimension)
    if measure != measure_of(other.unit.dimension):
        return None
    return days_of(figure) if measure == SPAN else figure.value * figure.unit.factor


def _is_single(figure: Figure, claim: TextReading) -> bool:
    before = [word.text for word in claim.words if word.end <= figure.start][-BEFORE:]
    return not meaning_words().lists["single_case"].isdisjoint(before)


def kept_limit(claim: TextReading, sentences: Sequence[TextReading]) -> bool | None:
    """True where a statement gives a limit in other words, or one that an exact amount keeps.

    "At most two" for "not more than two", "under 50 euros" for 45. Neither has more than one limit,
    and the statement compares nothing else.
    """
    lists = meaning_words().lists
    figures = claim.stated_figures
    if claim.scopes or len(_limits_of(claim)) != 1 or len(figures) > MOST_KEPT:
        return None
    beside = [w for w in claim.words if not any(f.start <= w.start < f.end for f in figures)]
    if any(word.text in lists["bounding"] for word in beside):
        return None
    own = claim.content.keys() - light_keys()
    for sentence in sentences:
        is_open = not lists["conditions"].isdisjoint(sentence.spellings - claim.spellings)
        if is_open or sentence.scopes or len(_limits_of(sentence)) > 1:
            continue
        if own <= sentence.keys and all(_has_with_limit(figure, sentence) for figure in figures):
            return True
    return None


def _limits_of(reading: TextReading) -> list[Figure]:
    return [figure for figure in reading.stated_figures if figure.limit]


def _has_with_limit(figure: Figure, sentence: TextReading) -> bool:
    return any(
        figure.holds_for(other) or (figure.equals(other) and figure.limit == other.limit)
        for other in sentence.stated_figures
    )
