"""A part of a whole: "20 of the 50 applicants were women" says that 40 % of them were."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from assay.data.meaning import meaning_words
from assay.meaning.claim_difference import ClaimDifference
from assay.meaning.comparisons import HALF, MOST_WORDS, is_said
from assay.meaning.figures import NO_UNIT, Figure
from assay.meaning.reading import TextReading
from assay.meaning.word_coverage import light_keys
from assay.meaning.word_relations import opposites
from assay.meaning.words import Word

ROUNDED = 1.0
"""Percentage points that a share may be rounded by."""
ROUGH = 6.0
"""Those that "about", "nearly" and the like allow."""
_NONE: frozenset[str] = frozenset()


class Share(NamedTuple):
    """A part and its whole in a sentence, and what is said of the part."""

    percent: float
    start: int
    end: int
    whole: frozenset[str]
    """The keys of what the whole consists of."""
    part: frozenset[str]
    """The keys of what is said of the part."""


def other_share(
    claim: TextReading, sentences: Sequence[TextReading]
) -> ClaimDifference | bool | None:
    """Whether a share that a statement gives in percent, or as "half" or "most", is right.

    None where it gives none, or no sentence has a part and a whole of the same things.
    """
    figures = [figure for figure in claim.figures if figure.unit.dimension == "%"]
    is_most = not meaning_words().lists["most"].isdisjoint(claim.spellings)
    if len(figures) + is_most != 1 or claim.scopes or len(claim.words) > MOST_WORDS:
        return None
    own = frozenset(key for key, word in claim.content.items() if not _is_in(word.start, figures))
    own -= light_keys() | meaning_words().lists["most"] | {"percent"}
    for sentence in sentences:
        share = share_in(sentence)
        if share is None or sentence.scopes:
            continue
        percent = _share_of(own, share)
        if percent is None:
            continue
        if figures and _fits(figures[0], percent, claim):
            return True
        if not figures and percent > HALF:
            return True
        stated = figures[0] if figures else _most(claim)
        spans = (stated.start, stated.end, share.start, share.end)
        quoted = claim.quote(*spans[:2]), sentence.quote(*spans[2:])
        return ClaimDifference("number", *quoted, *spans)
    return None


def share_in(sentence: TextReading) -> Share | None:
    """The part and the whole that two counts of a sentence are; None where they are none.

    "20 of the 50 were women", "of the 50, 20 were women", "50, of whom 20 were women".
    """
    if "of" not in sentence.texts:
        return None
    counts = [f for f in sentence.figures if f.kind == "number" and f.unit == NO_UNIT]
    counts = [figure for figure in counts if not figure.is_ordinal]
    if len(counts) != 2 or len(sentence.words) > MOST_WORDS:
        return None
    one, two = counts
    before = [w.text for w in sentence.words if w.end <= one.start]
    between = [w for w in sentence.words if one.end <= w.start < two.start]
    behind = [w for w in sentence.words if w.start >= two.end]
    texts = [w.text for w in between]
    is_part_first = texts in (["of"], ["of", "the"])  # "45 out of 60" is one figure
    is_whole_first = "of" in before[-2:] or any(
        first == "of" and second in meaning_words().lists["parted"]
        for first, second in pairwise(texts)
    )
    if is_part_first:
        part, whole, named, said = one, two, behind[:1], behind[1:]
    elif is_whole_first:
        part, whole, named, said = two, one, between, behind
    else:
        return None
    if not 0 < part.value < whole.value:
        return None
    keys = (frozenset(w.key for w in words if not w.is_empty) for words in (named, said))
    return Share(100.0 * part.value / whole.value, one.start, two.end, *keys)


def _share_of(own: frozenset[str], share: Share) -> float | None:
    """The share of what a statement says of some of the whole; None where it says other things."""
    if own.isdisjoint(share.whole):
        return None
    wanted = own - share.whole
    near = {key for key in wanted if is_said(key, share.part)}
    against = {key for key in wanted if not opposites().get(key, _NONE).isdisjoint(share.part)}
    if against and not near:
        return 100.0 - share.percent
    return share.percent if near and 2 * len(near) >= len(wanted) else None


def _fits(figure: Figure, percent: float, claim: TextReading) -> bool:
    """Whether a share in percent is the one that a figure gives."""
    if figure.limit:
        return percent >= figure.value if figure.limit == "least" else percent <= figure.value
    is_rough = not meaning_words().lists["roughly"].isdisjoint(claim.spellings)
    return abs(figure.value - percent) <= (ROUGH if is_rough else ROUNDED)


def _is_in(place: int, figures: Sequence[Figure]) -> bool:
    return any(figure.start <= place < figure.end for figure in figures)


def _most(claim: TextReading) -> Word:
    most = meaning_words().lists["most"]
    return next(word for word in claim.words if word.text in most or word.bare in most)
