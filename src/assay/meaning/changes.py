"""Amounts that went from one to another: "raised from 40 to 50 euros" is ten euros more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from assay.data.meaning import meaning_words
from assay.meaning.claim_difference import ClaimDifference
from assay.meaning.figures import Figure
from assay.meaning.reading import TextReading


def changed_amount(
    claim: TextReading, sentences: Sequence[TextReading]
) -> ClaimDifference | bool | None:
    """Whether a statement has the way right in which an amount changed; None where it is open.

    It must state by how much, and the passage both amounts.
    """
    way = _way(claim)
    if not way or claim.denies:
        return None
    for sentence in sentences:
        for one, two in _ranges(sentence):
            change = (two.value - one.value) * two.unit.factor
            for figure in claim.stated_figures:
                is_same = figure.unit.dimension == two.unit.dimension and figure.kind == "number"
                own = figure.value * figure.unit.factor
                if is_same and abs(own - abs(change)) <= 1e-6 * max(1.0, own) and change:
                    if (change > 0) == (way > 0):
                        return True
                    spans = (figure.start, figure.end, one.start, two.end)
                    quoted = claim.quote(*spans[:2]), sentence.quote(*spans[2:])
                    return ClaimDifference("opposite", *quoted, *spans)
    return None


def tells_change(response: TextReading, accepted: TextReading) -> bool | None:
    """Whether a response gives the two amounts of an expected change in that order, not turned.

    "In spring it was 5.4 %, in autumn 6.1" does not say that it fell from 6.1 to 5.4 %. None where
    no change is expected, or the response does not give both or speaks of then and now.
    """
    way = _way(accepted)
    if not way or len(response.figures) < 2:
        return None
    for one, two in _ranges(accepted):
        wanted = (one.value, two.value)
        told = [(a.value, b.value) for a, b in _ranges(response)]
        if wanted in told:
            return _way(response) == way or None
        known = [f.value for f in response.stated_figures if f.value in wanted]
        is_dated = not meaning_words().lists["then_and_now"].isdisjoint(response.spellings)
        if wanted[::-1] in told or (known == [*wanted[::-1]] and not is_dated):
            return False
    return None


def _way(claim: TextReading) -> int:
    """1 where a statement speaks of more, -1 where of less; 0 for both or none."""
    lists = meaning_words().lists
    is_more = not lists["changed_up"].isdisjoint(claim.spellings)
    is_less = not lists["changed_down"].isdisjoint(claim.spellings)
    return is_more - is_less


def _ranges(sentence: TextReading) -> Iterator[tuple[Figure, Figure]]:
    """The amounts that stand as "from … to …", or as "to … from …"."""
    starts, goals = meaning_words().lists["origins"], meaning_words().lists["goals"]
    figures = [figure for figure in sentence.figures if figure.kind == "number"]
    for one, two in pairwise(figures) if len(figures) > 1 else ():
        if one.unit != two.unit or not one.unit.dimension:
            continue
        before = next((w for w in reversed(sentence.words) if w.end <= one.start), None)
        between = [w for w in sentence.words if one.end <= w.start < two.start]
        is_range = len(between) == 1 and not goals.isdisjoint((between[0].text, between[0].bare))
        if before is None:
            continue
        if is_range and before.text in starts:
            yield one, two
        elif before.text in goals and between and between[-1].text in starts:
            yield two, one
