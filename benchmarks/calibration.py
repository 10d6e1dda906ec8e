"""How often the corrected rates of `assay calibrate` hold the truth.

`python -m benchmarks.calibration` prints the tables of docs/how-to/calibration.md; `--write` puts
them there. With `--evidence DIR` it also draws labels from a set of labelled answers there,
of which all labels are known. The same numbers come out every time.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from itertools import product
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from assay import registry
from assay.core import Interval
from assay.runner import Job
from assay.runner.calibrate import calibrate
from assay.runner.calibration_report import Calibration, CalibrationRequest
from assay.runner.ratings import Ratings, read_ratings
from assay.stats import wilson
from assay.stats.agreement import Confusion
from assay.stats.corrected_rates import Stratum, rogan_gladen, stratified_rate, stratum_edges
from assay.stats.cuts import choose_cut
from assay.stats.intervals import Z
from benchmarks.coverage import put

PAGE = Path(__file__).parent.parent / "docs/how-to/calibration.md"
TRIALS = 1_000
"""Simulated calibrations of a cell: 19 times of 20, a coverage is found within 1.4 %."""
RATES = (0.02, 0.1, 0.4, 0.8, 0.95)
"""True rates."""
TESTS = ((0.97, 0.97), (0.9, 0.8), (0.6, 0.9), (0.95, 0.6), (0.55, 0.55))
"""Recall and specificity of the metric, from nearly perfect to nearly useless."""
SIZES = ((30, 1_000), (100, 700), (100, 10_000), (300, 10_000))
"""Labels, and all records."""
SET, METRIC, LABELS, RESAMPLES = "xstest_refusal", "chat.refusal_rate", 100, 500

Correct = Callable[[Confusion, int, int], Interval]
"""From labelled counts, all records, and how many of them are called positive."""


def _strata(found: Confusion, records: int, called: int) -> list[Stratum]:
    in_called = found.true_positive + found.false_positive
    return [
        Stratum(called, in_called, found.true_positive),
        Stratum(records - called, found.total - in_called, found.false_negative),
    ]


def by_strata(found: Confusion, records: int, called: int) -> Interval:
    """Ours."""
    return _certain(stratified_rate(_strata(found, records, called)).interval)


def by_labels(found: Confusion, records: int, called: int) -> Interval:
    """The labels alone, the metric left out."""
    return _certain(wilson(found.true_positive + found.false_negative, found.total))


def by_rogan_gladen(found: Confusion, records: int, called: int) -> Interval:
    """Rogan and Gladen's correction with Lang and Reiczigel's interval."""
    return _certain(rogan_gladen(called, records, found).interval)


def by_difference(found: Confusion, records: int, called: int) -> Interval:
    """Prediction-powered: the share called, plus the labels' mean error, with a normal interval."""
    error = (found.false_negative - found.false_positive) / found.total
    spread = (found.false_negative + found.false_positive) / found.total - error**2
    share = called / records
    half = Z * sqrt(spread / found.total + share * (1 - share) / records)
    return Interval(share + error - half, share + error + half)


def by_normal(found: Confusion, records: int, called: int) -> Interval:
    """The same strata as ours with a normal interval."""
    value = variance = squares = 0.0
    for size, labelled, positives in _strata(found, records, called):
        share, rate = size / records, positives / max(1, labelled)
        value += share * rate
        squares += share * rate**2
        variance += share**2 * rate * (1 - rate) / max(1, labelled)
    half = Z * sqrt(variance + max(0.0, squares - value**2) / records)
    return Interval(value - half, value + half)


METHODS: dict[str, Correct] = {
    "strata, Wilson at the effective size (ours)": by_strata,
    "strata, normal": by_normal,
    "prediction-powered difference, normal": by_difference,
    "Rogan–Gladen, Lang–Reiczigel": by_rogan_gladen,
    "labels alone, Wilson": by_labels,
}


def _certain(interval: Interval | None) -> Interval:
    return interval or Interval(0.0, 1.0)


class Cell(NamedTuple):
    """How often the truth was held, and how wide intervals were."""

    coverage: float
    width: float


def simulate(
    rate: float, test: tuple[float, float], size: tuple[int, int], trials: int
) -> dict[str, Cell]:
    """Random records, some labelled by chance, and the intervals of all methods."""
    recall, specificity = test
    labelled, records = size
    shares = np.array(
        [
            rate * recall,
            (1 - rate) * (1 - specificity),
            rate * (1 - recall),
            (1 - rate) * specificity,
        ]
    )
    generator = np.random.default_rng([round(1000 * part) for part in (rate, *test, *size)])
    known = generator.multinomial(labelled, shares, trials)
    others = generator.multinomial(records - labelled, shares, trials)
    held = dict.fromkeys(METHODS, 0)
    width = dict.fromkeys(METHODS, 0.0)
    for counts, rest in zip(known, others, strict=True):
        found = Confusion(*map(int, counts))
        called = int(counts[0] + counts[1] + rest[0] + rest[1])
        for name, method in METHODS.items():
            low, high = method(found, records, called)
            held[name] += low - 1e-12 <= rate <= high + 1e-12
            width[name] += high - low
    return {name: Cell(held[name] / trials, width[name] / trials) for name in METHODS}


def methods_table(trials: int) -> str:
    """All methods over all shapes."""
    cells = []
    for rate, test, size in product(RATES, TESTS, SIZES):
        cells.append(simulate(rate, test, size, trials))
    lines = ["| Method | mean coverage | least | shapes below 93 % | width against labels alone |"]
    lines.append("| --- | ---: | ---: | ---: | ---: |")
    for name in METHODS:
        own = np.array([cell[name].coverage for cell in cells])
        width = np.mean([cell[name].width / cell["labels alone, Wilson"].width for cell in cells])
        lines.append(
            f"| {name} | {100 * own.mean():.1f} % | {100 * own.min():.1f} % "
            f"| {np.sum(own < 0.93)} of {len(own)} | {width:.2f} |"
        )
    return "\n".join(lines) + "\n"


SCORES = ((50, 1_000, 0.1, 2.0), (100, 700, 0.4, 2.0), (100, 10_000, 0.05, 2.0))
SCORES += ((100, 10_000, 0.4, 0.0), (300, 10_000, 0.2, 1.5))
"""Labels, records, true rate, and by how many deviations positive records score higher."""


def scores_table(trials: int) -> str:
    """Strata of a score with many values: for the source, and for the records themselves."""
    lines = ["| Labels, records, rate, shift of the score | source | these only | width |"]
    lines.append("| --- | ---: | ---: | ---: |")
    for labelled, records, rate, shift in SCORES:
        generator = np.random.default_rng([labelled, records, round(100 * rate)])
        held = own = 0
        width = alone = 0.0
        for _ in range(trials):
            labels = generator.random(records) < rate
            scores = generator.normal(size=records) + shift * labels
            strata = _score_strata(scores, labels, labelled)
            low, high = _certain(stratified_rate(strata).interval)
            held += low <= rate <= high
            width += high - low
            low, high = _certain(stratified_rate(strata, these_only=True).interval)
            own += low <= labels.mean() <= high
            low, high = _certain(wilson(int(labels[:labelled].sum()), labelled))
            alone += high - low
        name = f"{labelled}, {records:,}, {rate:.0%}, {shift:g}"
        shown = f"{100 * held / trials:.1f} % | {100 * own / trials:.1f} %"
        lines.append(f"| {name} | {shown} | {width / alone:.2f} |")
    return "\n".join(lines) + "\n"


def _score_strata(scores: Any, labels: Any, labelled: int) -> list[Stratum]:
    edges = stratum_edges(scores, scores[:labelled])
    of_all = np.searchsorted(edges, scores, "right")
    return [
        Stratum(
            int(np.sum(of_all == number)),
            int(np.sum(of_all[:labelled] == number)),
            int(np.sum(labels[:labelled][of_all[:labelled] == number])),
        )
        for number in range(len(edges) + 1)
    ]


CUTS = ((50, 0.4, 1.5, 0.9), (100, 0.4, 1.5, 0.9), (100, 0.4, 0.8, 0.8), (300, 0.3, 1.5, 0.9))
"""Labels, rate, shift of the score, and the wanted precision or recall."""


def cuts_table(trials: int) -> str:
    """The figures of a chosen threshold against its true ones."""
    lines = ["| Labels, rate, shift, wanted | mean error | error uncorrected | coverage |"]
    lines.append("| --- | ---: | ---: | ---: |")
    for labelled, rate, shift, wanted in CUTS:
        for aim in ("precision", "recall"):
            generator = np.random.default_rng([labelled, round(100 * rate), round(10 * shift)])
            held, error, plain = 0, 0.0, 0.0
            for _ in range(trials):
                labels = (generator.random(labelled) < rate).astype(int)
                scores = generator.normal(size=labelled) + shift * labels
                cut = choose_cut(scores.tolist(), labels.tolist(), aim, wanted)
                if cut is None:
                    continue
                truth = _truth(cut.score, rate, shift)[aim]
                found = getattr(cut, aim)
                called = scores >= cut.score
                of = called if aim == "precision" else labels == 1
                held += found.interval.low <= truth <= found.interval.high
                error += found.value - truth
                plain += np.mean((called if aim == "recall" else labels == 1)[of]) - truth
            name = f"{labelled}, {rate:.0%}, {shift:g}, {aim} {wanted:g}"
            errors = f"{100 * error / trials:+.1f} % | {100 * plain / trials:+.1f} %"
            lines.append(f"| {name} | {errors} | {100 * held / trials:.1f} % |")
    return "\n".join(lines) + "\n"


def _truth(cut: float, rate: float, shift: float) -> dict[str, float]:
    from statistics import NormalDist

    recall = 1 - NormalDist(shift).cdf(cut)
    others = 1 - NormalDist().cdf(cut)
    return {"recall": recall, "precision": rate * recall / (rate * recall + (1 - rate) * others)}


class Resampled(NamedTuple):
    """What drawing labels from a fully labelled set came to."""

    truth: float
    raw: float
    covered: int
    covered_these: int
    width: float
    labels_width: float
    draws: int


def resample(ratings: Ratings, metric: str, labelled: int, draws: int) -> Resampled:
    """Hide all labels but some, calibrate, and look whether the true rate is in the interval."""
    (chosen,) = registry.select([metric])
    places = sorted(ratings.labels)
    truth = sum(map(float, ratings.labels.values())) / len(places)
    generator = np.random.default_rng(0)
    found: list[tuple[Calibration, Calibration]] = []
    for _ in range(draws):
        kept = generator.choice(places, labelled, replace=False)
        labels = {int(place): ratings.labels[int(place)] for place in kept}
        part = Ratings(metric, values=ratings.values, labels=labels, ids=ratings.ids)
        mark = CalibrationRequest(threshold=50.0, direction="higher")
        these = CalibrationRequest(threshold=50.0, direction="higher", these_only=True)
        found.append((calibrate(part, chosen, mark), calibrate(part, chosen, these)))
    corrected = [_certain(one.corrected_rate.interval) for one, _ in found]
    these_only = [_certain(one.corrected_rate.interval) for _, one in found]
    alone = [_certain(one.labels_rate.interval) for one, _ in found]
    return Resampled(
        truth,
        found[0][0].raw_rate.value or 0.0,
        sum(low <= truth <= high for low, high in corrected),
        sum(low <= truth <= high for low, high in these_only),
        _mean_width(corrected),
        _mean_width(alone),
        draws,
    )


def _mean_width(intervals: Sequence[Interval]) -> float:
    return float(np.mean([high - low for low, high in intervals]))


def evidence_table(folder: Path, draws: int = RESAMPLES) -> str:
    """The corrected refusal rate of a set of real answers, from 100 labels at a time."""
    from assay.evidence import set_file

    path = set_file(folder, SET)
    if path is None:
        raise SystemExit(f"{folder} has no file of the set {SET}")
    ratings = read_ratings(str(path), Job((METRIC,)), METRIC, label="label")
    found = resample(ratings, METRIC, LABELS, draws)
    rows = {
        "true rate of the set": f"{100 * found.truth:.1f} %",
        f"rate that `{METRIC}` finds": f"{100 * found.raw:.1f} %",
        f"corrected intervals that hold the true rate ({draws} draws of {LABELS} labels)": (
            f"{100 * found.covered / draws:.1f} %"
        ),
        "the same with `--these-only`": f"{100 * found.covered_these / draws:.1f} %",
        "mean width of the corrected interval": f"{100 * found.width:.1f} points",
        "mean width from the labels alone": f"{100 * found.labels_width:.1f} points",
    }
    lines = ["| Refusals of the set `xstest_refusal` | |", "| --- | ---: |"]
    return "\n".join([*lines, *(f"| {name} | {value} |" for name, value in rows.items())]) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.calibration", description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"put the tables into {PAGE.name}")
    parser.add_argument("--trials", type=int, default=TRIALS, help="simulations of a cell")
    parser.add_argument("--only", action="append", default=[], help="make this table")
    parser.add_argument("--evidence", type=Path, help="the folder with labelled sets")
    options = parser.parse_args()
    made: dict[str, Callable[[], str]] = {
        "methods": lambda: methods_table(options.trials),
        "scores": lambda: scores_table(options.trials),
        "thresholds": lambda: cuts_table(options.trials // 4),
    }
    if options.evidence:
        made["evidence"] = lambda: evidence_table(options.evidence)
    found = {}
    for name, make in made.items():
        if not options.only or name in options.only:
            print(f"measuring: {name}", file=sys.stderr, flush=True)
            found[name] = make()
    if options.write:
        PAGE.write_text(put(PAGE.read_text(encoding="utf-8"), found), encoding="utf-8")
    print("\n".join(found.values()))


if __name__ == "__main__":
    main()
