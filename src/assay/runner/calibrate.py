"""Calibration: what a metric is worth against people's labels, and the rate that follows.

A metric's scores of all records (`ratings`) are joined with the labels of some (`labels`). The
figures are those of `assay.stats.agreement`, `cuts` and `corrected_rates`;
docs/how-to/calibration.md says how they were chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf, isnan, nextafter
from typing import Any, NamedTuple

import numpy as np

from assay.core import DataError, Metric, UsageError
from assay.runner.calibration_caveats import notes
from assay.runner.calibration_report import (
    Calibration,
    CalibrationRequest,
    Direction,
    LabelVerdicts,
    Method,
    Origin,
)
from assay.runner.human_labels import Positive, number, read_positive
from assay.runner.ratings import Ratings
from assay.stats.agreement import auroc_estimate, confusion, kappa, rate
from assay.stats.corrected_rates import Stratum, rogan_gladen, stratified_rate, stratum_edges
from assay.stats.cuts import choose_cut, even_cut
from assay.stats.grouped import grouped_interval
from assay.stats.intervals import Estimate
from assay.stats.ranking import auroc, spearman, spearman_of


class _Known(NamedTuple):
    """The labelled records that have a score."""

    scores: list[float]
    grades: list[Any]
    """The labels as they were given."""
    labels: list[int]
    """1 for positive ones, else 0."""


class _Reading(NamedTuple):
    """How the scores of a metric are read as verdicts."""

    metric: Metric
    direction: Direction

    @property
    def means_pass(self) -> bool:
        """Whether passing the threshold goes with the positive label."""
        return (self.direction == "higher") == (self.metric.polarity != "lower")

    def turned(self, scores: Sequence[float]) -> list[float]:
        """The scores, so that they rise towards the positive label."""
        return [-score for score in scores] if self.direction == "lower" else list(scores)

    def threshold(self, cut: float, scores: Sequence[float]) -> float:
        """The threshold that calls positive what a cut of the turned scores does.

        A score that equals a threshold holds it. Where holding it means negative, a cut at a score
        itself has to move past it.
        """
        mark = -cut if self.direction == "lower" else cut
        if self.means_pass or mark not in scores:
            return mark
        return nextafter(mark, inf if self.direction == "lower" else -inf)

    def is_positive(self, value: float, threshold: float) -> bool:
        """The verdict on a score, as gates with that threshold would have it."""
        return self.metric.holds(value, threshold) == self.means_pass

    def called(self, scores: Sequence[float], threshold: float) -> int:
        """How many scores are called positive."""
        return sum(self.is_positive(score, threshold) for score in scores)

    def condition(self, threshold: float) -> str:
        """The verdict in words."""
        is_low = self.metric.polarity == "lower"
        sign = {(False, True): ">=", (False, False): "<", (True, True): "<=", (True, False): ">"}
        return f"{sign[is_low, self.means_pass]} {threshold:g}"


def calibrate(
    labelled: Ratings,
    metric: Metric,
    wanted: CalibrationRequest,
    *,
    threshold: float | None = None,
    everything: Ratings | None = None,
) -> Calibration:
    """Hold a metric against labels and correct the rate that it finds.

    `threshold` is the metric's own, `everything` are the records whose rate is wanted, those with
    labels among them or not; without it they are all records of `labelled`.
    """
    if not labelled.labels:
        raise DataError("no record has a label; name the field of the labels with --labels")
    rule = read_positive(wanted.positive, list(labelled.labels.values()))
    known = _known(labelled, rule)
    reading = _Reading(metric, wanted.direction or _direction(known))
    marks = _marks(reading, known, wanted, threshold)
    pool = everything or labelled
    method, is_part = _method(labelled, pool, wanted)
    scored = [value for value in pool.values if not isnan(value)]
    called = reading.called(scored, marks[-1].threshold)
    calibration = Calibration(
        metric=metric.id,
        signature=labelled.signature,
        positive=rule.description,
        records=len(pool.values),
        scored=len(scored),
        labelled=len(known.labels),
        positives=sum(known.labels),
        unscored=len(labelled.labels) - len(known.labels),
        unread=labelled.unread + (everything.unread if everything else 0),
        direction=reading.direction,
        aim=wanted.aim,
        at_least=wanted.at_least,
        auroc=auroc_estimate(reading.turned(known.scores), known.labels, wanted.seed),
        spearman=_spearman(known, wanted.seed),
        weighted_kappa=_weighted_kappa(known, wanted.seed),
        verdicts=marks,
        raw_rate=rate(called, len(scored)),
        labels_rate=rate(sum(map(rule.holds, labelled.labels.values())), len(labelled.labels)),
        corrected_rate=(
            stratified_rate(_strata(labelled, pool, rule), these_only=wanted.these_only)
            if method == "strata"
            else _carried_over(reading, known, scored, wanted.threshold)
        ),
        method=method,
        these_only=wanted.these_only,
    )
    return replace(calibration, warnings=tuple(notes(calibration, called, is_part=is_part)))


def _known(ratings: Ratings, rule: Positive) -> _Known:
    """The labelled records that have a score; refused where they are of one kind."""
    places = [place for place in ratings.labels if not isnan(ratings.values[place])]
    grades = [ratings.labels[place] for place in places]
    known_records = _Known(
        [ratings.values[place] for place in places],
        grades,
        [int(rule.holds(grade)) for grade in grades],
    )
    if not places:
        raise DataError(f"no labelled record has a score of {ratings.metric!r}")
    if len(set(known_records.labels)) == 1:
        kind = "positive" if known_records.labels[0] else "negative"
        raise DataError(
            f"all labelled records that have a score are {kind} (positive is {rule.description}), "
            f"{len(places)} in number; label more, until there are both kinds"
        )
    return known_records


def _direction(known: _Known) -> Direction:
    separation = auroc(known.scores, known.labels)
    return "lower" if separation is not None and separation < 0.5 else "higher"


def _marks(
    reading: _Reading, known: _Known, wanted: CalibrationRequest, threshold: float | None
) -> list[LabelVerdicts]:
    """The verdicts by the metric's own threshold, then by the given or the chosen one."""
    marks = [] if threshold is None else [_verdicts(reading, known, threshold, "own", wanted.seed)]
    if wanted.threshold is not None:
        return [*marks, _verdicts(reading, known, wanted.threshold, "given", wanted.seed)]
    turned = reading.turned(known.scores)
    cut = choose_cut(turned, known.labels, wanted.aim, wanted.at_least, wanted.seed)
    assert cut
    mark = reading.threshold(cut.score, known.scores)
    plain = _verdicts(reading, known, mark, "chosen", wanted.seed)
    chosen = plain._replace(
        is_reached=cut.is_reached,
        precision=cut.precision,
        recall=cut.recall,
        agreement=cut.agreement,
        kappa=cut.kappa,
    )
    return [*marks, chosen]


def _verdicts(
    reading: _Reading, known: _Known, threshold: float, origin: Origin, seed: int
) -> LabelVerdicts:
    """The verdicts by one threshold."""
    verdicts = [reading.is_positive(score, threshold) for score in known.scores]
    counts = confusion(verdicts, known.labels)
    return LabelVerdicts(
        threshold=threshold,
        origin=origin,
        says_positive=reading.condition(threshold),
        is_reached=True,
        counts=counts,
        precision=counts.precision,
        recall=counts.recall,
        agreement=counts.agreement,
        kappa=kappa(list(map(float, verdicts)), known.labels, seed=seed),
    )


def _method(labelled: Ratings, pool: Ratings, wanted: CalibrationRequest) -> tuple[Method, bool]:
    """How the rate is corrected, and whether the labelled records are among those it is of."""
    is_part = labelled is pool or all(
        pool.has(id, labelled.values[place])
        for id, place in labelled.ids.items()
        if place in labelled.labels
    )
    method: Method = wanted.method or ("strata" if is_part else "rogan-gladen")
    if wanted.these_only and (method != "strata" or not is_part):
        raise UsageError(
            "--these-only is for labelled records that are among those whose rate is wanted "
            "(method strata); leave it out"
        )
    return method, is_part


def _carried_over(
    reading: _Reading, known: _Known, scored: Sequence[float], threshold: float | None
) -> Estimate:
    """The rate of other records; verdicts are by a cut that was not chosen for its success."""
    if threshold is None:
        cut = even_cut(reading.turned(known.scores), known.labels)
        if cut is None:
            return Estimate(None, None)
        threshold = reading.threshold(cut, known.scores)
    verdicts = [reading.is_positive(score, threshold) for score in known.scores]
    called = reading.called(scored, threshold)
    return rogan_gladen(called, len(scored), confusion(verdicts, known.labels))


def _strata(labelled: Ratings, pool: Ratings, rule: Positive) -> list[Stratum]:
    """All records by their score; those without a score are a stratum of their own."""
    places = list(labelled.labels)
    own = np.array([labelled.values[place] for place in places])
    positive = np.array([rule.holds(labelled.labels[place]) for place in places])
    every = np.frombuffer(pool.values) if len(pool.values) else np.array([])
    edges = stratum_edges(every[~np.isnan(every)], own[~np.isnan(own)])

    def stratum(values: Any) -> Any:
        return np.where(np.isnan(values), len(edges) + 1, np.searchsorted(edges, values, "right"))

    of_every, of_own = stratum(every), stratum(own)
    return [
        Stratum(
            int(np.sum(of_every == number)),
            int(np.sum(of_own == number)),
            int(np.sum(positive[of_own == number])),
        )
        for number in range(len(edges) + 2)
    ]


def _graded(known: _Known) -> list[float] | None:
    """Labels that are grades, as numbers."""
    numbers = [number(grade) for grade in known.grades]
    grades = [grade for grade in numbers if grade is not None]
    return grades if len(grades) == len(numbers) and len(set(grades)) > 2 else None


def _spearman(known: _Known, seed: int) -> Estimate | None:
    grades = _graded(known)
    if grades is None:
        return None
    interval = grouped_interval(spearman_of(known.scores, grades), range(len(grades)), seed)
    if interval and interval.low == interval.high:  # a perfect order, which every draw repeats
        interval = None
    return Estimate(spearman(known.scores, grades), interval)


def _weighted_kappa(known: _Known, seed: int) -> Estimate | None:
    grades = _graded(known)
    if grades is None or not set(known.scores) <= set(grades):
        return None
    return kappa(known.scores, grades, "quadratic", seed)
