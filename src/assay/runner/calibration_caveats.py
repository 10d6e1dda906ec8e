"""What a reader must know before trusting the figures of a calibration."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

from assay.runner.calibration_report import Calibration

FEW_LABELS, FEW_OF_A_KIND = 50, 10
"""Below these, a calibration says little, and its report says so."""
BEYOND_CHANCE = 3.29
"""Standard errors that chance exceeds once in a thousand times."""


def notes(calibration: Calibration, called: int, *, is_part: bool) -> Iterator[str]:
    """All of them, each a sentence; `called` are the records that are called positive."""
    yield from _about_labels(calibration)
    yield from _about_threshold(calibration)
    yield from _about_scores(calibration)
    yield from _about_drawing(calibration, called, is_part=is_part)


def _about_labels(calibration: Calibration) -> Iterator[str]:
    fewer = min(calibration.positives, calibration.labelled - calibration.positives)
    if calibration.labelled < FEW_LABELS:
        yield (
            f"{calibration.labelled} labels are few: every interval is wide; 100 or more "
            "are better."
        )
    if fewer < FEW_OF_A_KIND:
        kind = "positive" if fewer == calibration.positives else "negative"
        yield f"Only {fewer} labels are {kind}: figures about them are rough."


def _about_threshold(calibration: Calibration) -> Iterator[str]:
    interval = calibration.auroc.interval
    if interval is None or interval.low <= 0.5:
        yield (
            "The metric is no better than chance on these labels, as far as they show: "
            "do not use it as a verdict; the corrected rate rests on the labels alone."
        )
    if not calibration.verdicts[-1].is_reached:
        yield (
            f"No threshold reaches a {calibration.aim} of {calibration.at_least:g}; the "
            "nearest is shown."
        )


def _about_scores(calibration: Calibration) -> Iterator[str]:
    without = calibration.records - calibration.scored
    is_counted = calibration.method == "strata"
    if calibration.unscored:
        use = "count for the rate only" if is_counted else "are left out"
        yield f"{calibration.unscored} labelled records have no score and {use}."
    if without and not is_counted:
        yield f"{without} records have no score and are left out of the rate."
    elif without and not calibration.unscored:
        yield (
            f"{without} records have no score and none of them a label, so any of them may be "
            "positive: half are counted as such, and the interval allows for more and fewer."
        )


def _about_drawing(calibration: Calibration, called: int, *, is_part: bool) -> Iterator[str]:
    counts = calibration.verdicts[-1].counts
    own = counts.true_positive + counts.false_positive
    if calibration.method == "rogan-gladen":
        yield (
            "The labelled records are others than those whose rate is wanted: the correction holds "
            "only if the metric errs as often on both."
        )
        return
    if _differs(own, counts.total, called, calibration.scored):
        yield (
            "The labelled records score unlike the others, so they were not drawn by chance alone: "
            "the rate corrects for that as far as the score shows; AUROC, recall and kappa do not."
        )
    if not is_part:
        yield "The labelled records are treated as a random part of all records, as you declared."


def _differs(some: int, of_some: int, every: int, of_every: int) -> bool:
    """Whether a part is called positive more or less often than chance can explain."""
    rest, of_rest = every - some, of_every - of_some
    if of_some <= 0 or of_rest <= 0:
        return False
    share = every / of_every
    spread = sqrt(share * (1 - share) * (1 / of_some + 1 / of_rest))
    return abs(some / of_some - rest / of_rest) > BEYOND_CHANCE * spread
