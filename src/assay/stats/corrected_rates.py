"""The true rate of positive records, from labels of some and a score of all."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np

from assay.core import Interval
from assay.stats.agreement import Confusion
from assay.stats.intervals import Estimate, Z, wilson

FEWEST_LABELS = 5
"""No stratum has fewer labels."""
MOST_STRATA = 5
"""More hardly narrow an interval (Cochran 1977, section 5A.8)."""


class Stratum(NamedTuple):
    """Records with alike scores: how many, how many have a label, how many a positive one."""

    records: int
    labelled: int
    positives: int


def stratum_edges(scores: Sequence[float], labelled: Sequence[float]) -> list[float]:
    """Where strata of a score begin, from the second one on; `labelled` are some of the scores.

    Up to five, about even in records, each with five labels or more. They are chosen by the scores
    alone, never by what the labels say, so that rates within them are as if they had been fixed
    before.
    """
    every, some = np.sort(np.asarray(scores, float)), np.sort(np.asarray(labelled, float))
    strata = min(MOST_STRATA, len(some) // (2 * FEWEST_LABELS))
    edges: list[float] = []
    begun = taken = 0
    while begun < len(every) and len(edges) + 1 < strata and taken + FEWEST_LABELS <= len(some):
        share = -(-(len(every) - begun) // (strata - len(edges)))
        last = max(every[begun + share - 1], some[taken + FEWEST_LABELS - 1])
        begun = int(np.searchsorted(every, last, "right"))
        taken = int(np.searchsorted(some, last, "right"))
        if begun == len(every) or len(some) - taken < FEWEST_LABELS:
            break
        edges.append(float(every[begun]))
    return edges


def stratified_rate(strata: Sequence[Stratum], *, these_only: bool = False) -> Estimate:
    """The rate of positive records, of which some were labelled by chance.

        value = Σ (records / all records) · (positives / labelled)

    over strata of a score: what the labels say, spread over all records by what the score says.
    It has no bias whatever the score is worth; a good score makes it narrow (post-stratification,
    Cochran 1977; with two strata the difference estimator of prediction-powered inference,
    Angelopoulos et al. 2023, at its best weight).

    The interval is Wilson's at the number of labels that a plain sample of the same variance would
    have had. That variance is taken with half a record of either kind more in each stratum, so
    that strata of one kind have some, and it includes the chance by which the records came to be
    those at hand; with `these_only` the rate is that of the records themselves.
    """
    strata = [stratum for stratum in strata if stratum.records]
    total = sum(stratum.records for stratum in strata)
    if not any(stratum.labelled for stratum in strata):
        return Estimate(None, None)
    value = within = middle = squares = 0.0
    for records, labelled, positives in strata:
        share, mild = records / total, (positives + 0.5) / (labelled + 1)
        value += share * (positives / labelled if labelled else mild)
        middle += share * mild
        squares += share * mild * mild
        left = (1 - labelled / records) if these_only else 1.0
        within += left * share**2 * mild * (1 - mild) / (labelled + 1)
    between = 0.0 if these_only else max(0.0, squares - middle**2) / total
    value = min(1.0, max(0.0, value))
    if within + between <= 0:
        return Estimate(value, Interval(value, value))
    size = middle * (1 - middle) / (within + between)
    return Estimate(value, wilson(value * size, size))


def rogan_gladen(called: int, records: int, confusion: Confusion) -> Estimate:
    """The rate of positive records among others than the labelled ones.

        value = (share called positive + specificity − 1) / (recall + specificity − 1)

    (Rogan and Gladen 1978), for records that were labelled elsewhere, or chosen by their label:
    it needs recall and specificity to be the same there, not the rate. The interval is Lang and
    Reiczigel's (2014), which includes the chance in all three. No value for verdicts that are no
    better than chance, whose interval says nothing.
    """
    positives = confusion.true_positive + confusion.false_negative
    negatives = confusion.true_negative + confusion.false_positive
    if not (positives and negatives and records):
        return Estimate(None, None)
    recall, specificity = confusion.true_positive / positives, confusion.true_negative / negatives
    if recall + specificity <= 1:
        return Estimate(None, Interval(0.0, 1.0))
    value = (called / records + specificity - 1) / (recall + specificity - 1)
    return Estimate(min(1.0, max(0.0, value)), _lang_reiczigel(called, records, confusion))


def _lang_reiczigel(called: int, records: int, confusion: Confusion) -> Interval:
    """Their closed form: each share is drawn a little to the middle, then the variances add up."""
    size = records + Z * Z
    share = (called + Z * Z / 2) / size
    of_positives = confusion.true_positive + confusion.false_negative + 2
    of_negatives = confusion.true_negative + confusion.false_positive + 2
    recall = (confusion.true_positive + 1) / of_positives
    specificity = (confusion.true_negative + 1) / of_negatives
    better = recall + specificity - 1
    if better <= 0:
        return Interval(0.0, 1.0)
    middle = (share + specificity - 1) / better
    one = recall * (1 - recall) / of_positives
    other = specificity * (1 - specificity) / of_negatives
    variance = share * (1 - share) / size + middle**2 * one + (1 - middle) ** 2 * other
    moved = middle + 2 * Z * Z * (middle * one - (1 - middle) * other)
    half = Z * sqrt(variance) / better
    return Interval(min(1.0, max(0.0, moved - half)), min(1.0, max(0.0, moved + half)))
