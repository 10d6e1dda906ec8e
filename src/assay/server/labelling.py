"""Labels of people over a run: how far they agree, which samples come next, what they calibrate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assay import registry
from assay.core import DataError, NotFoundError, UsageError
from assay.runner.calibrate import calibrate
from assay.runner.calibration_report import Calibration, CalibrationRequest
from assay.runner.ratings import Ratings
from assay.stats.agreement import fleiss_kappa
from assay.stats.intervals import Estimate
from assay.store import Store
from assay.store.labels import (
    ScoredTest,
    StoredLabel,
    labels_in,
    queued,
    scored_tests,
    verdicts_in,
)
from assay.store.run_list import Run

NARROW = 0.15
"""The width of an interval of agreement that is narrow enough to stop labelling."""
NEAR = "close to the threshold: labels here move it most"
SPREAD = "drawn over all scores, so that the labels stand for the whole run"
ESCALATED = "no metric could decide it"


def agreement(labels: Sequence[StoredLabel]) -> Estimate | None:
    """How far raters agree beyond chance, over all pairs of raters of the same sample."""
    by_test: dict[int, list[float]] = {}
    for label in labels:
        by_test.setdefault(label.test_id, []).append(float(label.verdict == "pass"))
    several = [verdicts for verdicts in by_test.values() if len(verdicts) > 1]
    return fleiss_kappa(several) if several else None


def raters(labels: Sequence[StoredLabel]) -> list[dict[str, Any]]:
    """Each rater with the number of labels, and how often the others say the same."""
    names = sorted({label.rater for label in labels})
    result = []
    for name in names:
        own = {label.test_id: label.verdict for label in labels if label.rater == name}
        others = [lb for lb in labels if lb.rater != name and lb.test_id in own]
        same = sum(label.verdict == own[label.test_id] for label in others)
        result.append(
            {
                "rater": name,
                "labels": len(own),
                "shared": len(others),
                "agreement": same / len(others) if others else None,
            }
        )
    return result


def next_to_label(
    store: Store, run: Run, metric: str, rater: str, count: int
) -> tuple[list[tuple[ScoredTest, str]], int]:
    """The samples that a rater should look at next, each with the reason, and how many are left.

    First what was escalated, then in turn those nearest to the threshold and those drawn evenly
    over all scores: the former move the threshold, the latter keep the rates honest.
    """
    scored = scored_tests(store, run.id, metric)
    done = {label.test_id for label in labels_in(store, run.id) if label.rater == rater}
    waiting = queued(store, run.id)
    left = [one for one in scored if one.test_id not in done]
    first = [(one, waiting[one.test_id]) for one in left if one.test_id in waiting]
    unsure = [(o, ESCALATED) for o in left if o.verdict == "unsure" and o.test_id not in waiting]
    taken = {one.test_id for one, _ in (*first, *unsure)}
    rest = [one for one in left if one.value is not None and one.test_id not in taken]
    threshold = _threshold(run, metric, rest)
    near = sorted(rest, key=lambda one: (abs((one.value or 0.0) - threshold), one.test_id))
    even = _spread(sorted(rest, key=lambda one: (one.value or 0.0, one.test_id)))
    mixed: dict[int, tuple[ScoredTest, str]] = {}
    for close, drawn in zip(near, even, strict=True):
        mixed.setdefault(close.test_id, (close, NEAR))
        mixed.setdefault(drawn.test_id, (drawn, SPREAD))
    chosen = [*first, *unsure, *mixed.values()]
    return chosen[:count], len(chosen)


def _threshold(run: Run, metric: str, scored: Sequence[ScoredTest]) -> float:
    """The run's threshold, else the middle of its scores."""
    own = run.plan["metrics"][metric][1]
    if own is not None:
        return float(own)
    failing = [o.value for o in scored if o.verdict == "fail" and o.value is not None]
    passing = [o.value for o in scored if o.verdict == "pass" and o.value is not None]
    if failing and passing:
        ends = (max(failing), min(passing)), (min(failing), max(passing))
        low, high = min(ends, key=lambda pair: abs(pair[0] - pair[1]))
        return (low + high) / 2
    values = sorted(one.value for one in scored if one.value is not None)
    return values[len(values) // 2] if values else 0.0


def _spread(scored: list[ScoredTest]) -> list[ScoredTest]:
    """The same tests so that every beginning of the list covers all scores evenly."""
    order = sorted(range(len(scored)), key=lambda place: _reversed_bits(place, len(scored)))
    return [scored[place] for place in order]


def _reversed_bits(place: int, total: int) -> int:
    """The van der Corput order: halves, then quarters, then eighths."""
    width = max(1, (total - 1).bit_length())
    return int(f"{place:0{width}b}"[::-1], 2)


def calibration(
    store: Store, run: Run, metric: str, threshold: float | None = None
) -> Calibration | str:
    """What the labels say about a metric of a run; words where they do not suffice yet."""
    known = registry.metrics().get(metric)
    if known is None or metric not in run.plan["metrics"]:
        raise NotFoundError(f"run {run.name!r} has no scores of {metric!r}")
    verdicts = verdicts_in(store, run.id)
    ratings = Ratings(metric)
    ratings.signature = run.plan["metrics"][metric][0]
    for place, one in enumerate(scored_tests(store, run.id, metric)):
        ratings.add(f"{place}", one.value, verdicts.get(one.test_id))
    request = CalibrationRequest(positive=("pass",), threshold=threshold)
    try:
        return calibrate(ratings, known, request, threshold=run.plan["metrics"][metric][1])
    except (DataError, UsageError):
        return "Label samples until there are both good and bad ones with a score."


def is_enough(estimate: Estimate | None) -> bool:
    """Whether an interval is narrow enough to stop."""
    return bool(
        estimate and estimate.interval and estimate.interval.high - estimate.interval.low <= NARROW
    )
