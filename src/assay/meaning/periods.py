"""When something begins and ends: "from 3 to 10 April" begins on the third."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal

from assay.data.meaning import meaning_words
from assay.meaning.attachment import is_range
from assay.meaning.claim_difference import ClaimDifference
from assay.meaning.figures import Figure
from assay.meaning.reading import TextReading
from assay.meaning.word_coverage import light_keys
from assay.meaning.word_relations import list_keys

KINDS = ("date", "time", "weekday")


def other_end(
    claim: TextReading, sentences: Sequence[TextReading]
) -> ClaimDifference | Literal[True] | None:
    """Whether a statement has the day or hour on which something begins, or ends, as a passage has.

    None where no passage tells of such a stretch of time.
    """
    lists = meaning_words().lists
    begins, ends = (not lists[name].isdisjoint(claim.spellings) for name in ("beginning", "ending"))
    points = [figure for figure in claim.stated_figures if figure.kind in KINDS]
    if begins == ends or len(points) != 1 or claim.scopes:
        return None
    said = claim.content.keys() - list_keys("beginning", "ending") - light_keys()
    for sentence in sentences:
        for first, last in _periods(sentence) if said & sentence.keys else ():
            right, wrong = (first, last) if begins else (last, first)
            if points[0].equals(right):
                return True if said <= sentence.keys else None
            if points[0].equals(wrong):
                spans = (points[0].start, points[0].end, right.start, right.end)
                quoted = claim.quote(*spans[:2]), sentence.quote(*spans[2:])
                return ClaimDifference(right.kind, *quoted, *spans)
    return None


def _periods(sentence: TextReading) -> Iterator[tuple[Figure, Figure]]:
    """The two ends of each stretch of time in a sentence."""
    points = {f.start: f for f in sentence.figures if f.kind in KINDS}  # of several days the last
    for first, last in pairwise(points.values()):
        if first.kind == last.kind and is_range(sentence, first, last):
            yield first, last
