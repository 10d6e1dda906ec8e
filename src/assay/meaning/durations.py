"""How long something takes, beside the times at which a passage says that it begins and ends."""

from __future__ import annotations

from collections.abc import Sequence

from assay.data.meaning import meaning_words
from assay.meaning.claim_difference import ClaimDifference
from assay.meaning.figures import Figure
from assay.meaning.reading import TextReading
from assay.meaning.word_coverage import light_keys
from assay.meaning.word_relations import list_keys

DAY, HALF_DAY = 1440, 720
"""Minutes."""


def other_duration(
    claim: TextReading, sentences: Sequence[TextReading]
) -> ClaimDifference | bool | None:
    """Whether something takes as long as a sentence leaves between two times of day.

    None where the statement gives no length of time, or no sentence about it has two times.
    """
    lasting = meaning_words().lists["lasting"]
    if len(claim.figures) != 1 or lasting.isdisjoint(claim.spellings) or claim.scopes:
        return None
    figure = claim.figures[0]
    if figure.unit.dimension != "duration" or figure.limit:
        return None
    own = claim.content.keys() - light_keys() - list_keys("lasting")
    for sentence in sentences:
        times = [one for one in sentence.figures if one.kind == "time"]
        if len(times) != 2 or len(sentence.figures) != 2 + _labels(sentence):
            continue
        if own.isdisjoint(sentence.keys):
            continue
        if _minutes(*times) * 60 == figure.value * figure.unit.factor:
            return True
        spans = (figure.start, figure.end, times[0].start, times[1].end)
        quoted = claim.quote(*spans[:2]), sentence.quote(*spans[2:])
        return ClaimDifference("number", *quoted, *spans)
    return None


def _labels(sentence: TextReading) -> int:
    """How many plain numbers a sentence has, such as that of a flight."""
    return sum(f.kind == "number" and not f.unit.dimension for f in sentence.figures)


def _minutes(one: Figure, two: Figure) -> float:
    """From one time of day to the next other one."""
    is_loose = one.is_loose or two.is_loose
    return (two.value - one.value) % (HALF_DAY if is_loose else DAY)
