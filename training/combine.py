"""Fits how rules and encoder go together (`data/models/combined.json`).

    python -m training.combine --evidence DIR --encoder DIR --held-rules DIR --held-encoder DIR
        [--exam training/combine_cases.jsonl]... [--most N] [--rows DIR] [NAME ...]
    python -m training.combine --alone --encoder DIR --exam training/combine_cases.jsonl
        --exam training/fresh_cases.jsonl relevance

For each question a logistic model over the logit of the rules and the logits of the encoder, with
weights of known sign. Everything is measured on groups that were held out; `combine_rows.py` reads
them. `--held-rules DIR` gives rules fitted without the first fold (`python -m training --folds`,
its folder `0`), `--held-encoder DIR` an encoder trained without it. With `--rows DIR`
what was read is kept, so that another fit takes seconds. With `--alone` only the cases of `--exam`
are read, from which no encoder has learnt: then no other encoders are needed. The figures of the
labelled sets, and whether values are calibrated by them, stay those of the fit before.

The figures say between which two values a verdict would have to be left open so that at most
`WRONG` of the others are wrong. Where it is left open is chosen afterwards (`training/bands.py`).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from functools import partial
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import roc_auc_score

from assay.backends.encoder_files import manifest_of
from assay.evidence.labelled_records import set_file
from assay.linear.combined import FILE, LIMIT, bounded
from training.combine_rows import (
    DOWN,
    EXAM,
    FIXED,
    FOLDS,
    FRESH,
    LANGUAGE,
    QUESTIONS,
    WRITTEN,
    Measures,
    Question,
    Readers,
    Row,
    read_rows,
)
from training.fit import FOLDER, write_table
from training.measures import fit_measures
from training.records import fingerprint

Array = Any
"""A numpy array."""
WRONG = 0.10
"""At most this share of the records that are decided may be wrong."""
CALIBRATED = 0.05
"""Values whose calibration error on held-out records is larger are not taken for probabilities."""
FLAT = 0.03
"""Cuts with so much more decided wrongly than at the best one are as good."""
BINS = 10
"""Bins of the calibration error."""
WRITTEN_WEIGHT = 0.5
"""The cases that we wrote count half a set: the encoder learnt from others of the same hand."""
STEPS = 61
"""Places that are tried for each end of a band."""
ROUNDS = 5
"""How often the statement that decides a record is chosen anew."""
PENALTY = 1e-3


def fitted(name: str, rows: Sequence[Row], *, is_exam_alone: bool = False) -> dict[str, Any]:
    """Fit, measure on held-out folds, print, and choose a threshold.

    Of the few cases of the exam half are right: one half is their threshold, any other is chance.
    """
    question = QUESTIONS[name]
    rows = [_limited(row, question) for row in rows]
    y = np.array([row.label for row in rows])
    weights = _set_weights(rows, question.cases)
    values = _held_out(question, rows, weights)
    probabilities = 1 / (1 + np.exp(-values))
    figures = _figures(question, [*question.bounds], rows, values)
    print(f"== {name}, {len(rows)} records")
    for set_name, row in figures.items():
        print(f"  {set_name:24} {row}")
    threshold = 0.5
    if not (is_exam_alone or question.is_even):
        threshold = _threshold(rows, y, probabilities, weights, question.false_alarms)
    low, high = _band(y, probabilities, weights, threshold)
    shares = _shares(rows, probabilities, weights, threshold, (low, high))
    final, bias = _fit(question, rows, weights)
    print(f"  threshold {threshold:.3f}, unsure {low:.3f} to {high:.3f}, {shares}")
    print(f"  bias {bias:.3f}", {key: round(value, 3) for key, value in final.items()})
    return {
        "bias": round(bias, 6),
        "weights": {key: round(value, 6) for key, value in final.items()},
        "threshold": round(threshold, 4),
        **({"most": question.most} if question.most < LIMIT else {}),
        **({"rules_most": question.rules_most} if question.rules_most < LIMIT else {}),
        **({"sure": question.sure} if question.sure is not None else {}),
        "unsure": None,
        "calibrated": shares["calibration error"] <= CALIBRATED,
        "figures": {**figures, **shares},
    }


def _limited(row: Row, question: Question) -> Row:
    """The record with what rules and encoder say kept within their bounds."""
    most = {"model": question.most, "rules": question.rules_most}
    parts = [
        {name: bounded(value, most.get(name, inf)) for name, value in part.items()}
        for part in row.parts
    ]
    return row._replace(parts=parts)


def _held_out(question: Question, rows: Sequence[Row], weights: Array) -> Array:
    """The logit of each record by a model that was fitted without its fold."""
    fold = np.array([row.fold for row in rows])
    values = np.zeros(len(rows))
    for number in range(FOLDS):
        fitted_on = np.flatnonzero(fold != number).tolist()
        model = _fit(question, [rows[i] for i in fitted_on], weights[fitted_on])
        for place in np.flatnonzero(fold == number).tolist():
            values[place] = _logit(_deciding(question, rows[place], model), model)
    return values


def _shares(
    rows: Sequence[Row],
    values: Array,
    weights: Array,
    threshold: float,
    band: tuple[float, float],
) -> dict[str, Any]:
    """How much is decided within a band, how much of it is wrong, and how true the values are."""
    y = np.array([row.label for row in rows])
    decided = (values <= band[0]) | (values >= band[1])
    wrong = (values > threshold) != (y == 1)
    shares: dict[str, Any] = {
        "band": [round(end, 4) for end in band],
        "decided": _share(weights, decided, decided | True),
        "wrong of decided": _share(weights, wrong, decided),
        "wrong of all without a band": _share(weights, wrong, decided | True),
        "calibration error": round(_calibration_error(y, values, weights), 3),
        "largest gap in a set": round(_largest_gap(rows, y, values), 3),
    }
    alike = np.array([row.is_look_alike for row in rows])
    if alike.any():
        shares["false alarms on look-alikes"] = round(float((values[alike] > threshold).mean()), 3)
    return shares


def _share(weights: Array, part: Array, whole: Array) -> float | None:
    """The weight of a part within a whole; None where there is no whole."""
    total = float(weights[whole].sum())
    return round(float(weights[part & whole].sum()) / total, 3) if total else None


def _calibration_error(y: Array, values: Array, weights: Array) -> float:
    """How far the values of a bin lie from its share of positive records, in the mean of bins."""
    bins = np.minimum(BINS - 1, (values * BINS).astype(int))
    gaps = [abs(float((weights * (values - y))[bins == one].sum())) for one in range(BINS)]
    return sum(gaps) / float(weights.sum())


def _largest_gap(rows: Sequence[Row], y: Array, values: Array) -> float:
    """How far the mean value of a set lies from its share of positive records, at most.

    Sets have different shares of positive records; the values know nothing of that.
    """
    names = np.array([row.set for row in rows])
    sets = [names == name for name in dict.fromkeys(names) if name not in (EXAM, FRESH, WRITTEN)]
    return max((abs(float(values[own].mean() - y[own].mean())) for own in sets), default=0.0)


def _fit(question: Question, rows: Sequence[Row], weights: Array) -> tuple[dict[str, float], float]:
    """Weights and bias; of a record with several parts the one that decides it counts."""
    names = [*question.bounds]
    first = 1.0 if question.is_least else -1.0
    chosen = [min(row.parts, key=lambda part: first * _by_rules(part)) for row in rows]
    fitted: tuple[dict[str, float], float] = ({}, 0.0)
    for _ in range(ROUNDS if any(len(row.parts) > 1 for row in rows) else 1):
        read = [place for place, part in enumerate(chosen) if FIXED not in part]
        X = np.array([[chosen[place][name] for name in names] for place in read])
        y = [rows[place].label for place in read]
        fitted = fit_measures(X, y, names, weights[read], question.bounds, PENALTY)
        chosen = [_deciding(question, row, fitted) for row in rows]
    return fitted


def _deciding(question: Question, row: Row, fitted: tuple[Mapping[str, float], float]) -> Measures:
    pick = min if question.is_least else max
    return pick(row.parts, key=lambda part: _logit(part, fitted))


def _by_rules(part: Measures) -> float:
    return part[FIXED] if FIXED in part else part["rules"]


def _logit(part: Measures, fitted: tuple[Mapping[str, float], float]) -> float:
    weights, bias = fitted
    if FIXED in part:
        return part[FIXED]
    return bias + sum(weight * part[name] for name, weight in weights.items())


def _set_weights(rows: Sequence[Row], cases: float) -> Array:
    """Each record's weight: sets count alike but for our own cases, and both labels of a set."""
    keys = [(row.set, row.label) for row in rows]
    counts = {key: keys.count(key) for key in set(keys)}
    shares = {WRITTEN: WRITTEN_WEIGHT, EXAM: cases, FRESH: cases}
    return np.array([shares.get(key[0], 1.0) / counts[key] for key in keys])


def _figures(
    question: Question, names: Sequence[str], rows: Sequence[Row], values: Array
) -> dict[str, dict[str, float]]:
    """Set → the AUROC of rules, encoder and both on held-out records."""
    pick = min if question.is_least else max
    model = "model" if "model" in names else "entailed"
    sign = -1.0 if names and question.bounds[model] == DOWN else 1.0
    rules = np.array([pick(map(_by_rules, row.parts)) for row in rows])
    alone = np.array([pick(sign * _alone(part, model) for part in row.parts) for row in rows])
    figures = {}
    for name in dict.fromkeys(row.set for row in rows):
        own = np.array([row.set == name for row in rows])
        y = np.array([row.label for row in rows])[own]
        scores = {"rules": rules[own], "encoder": alone[own], "both": values[own]}
        if len(set(y.tolist())) > 1:
            areas = {key: round(float(roc_auc_score(y, value)), 3) for key, value in scores.items()}
            figures[name] = {"records": len(y), **areas}
    return figures


def _alone(part: Measures, model: str) -> float:
    return part[FIXED] if FIXED in part else part[model]


def _threshold(
    rows: Sequence[Row], y: Array, values: Array, weights: Array, false_alarms: float = 1.0
) -> float:
    """Where fewest records are decided wrongly, with few false alarms on look-alikes.

    Of cuts that are as good but for `FLAT` the one next to 0.5 is taken: which of them is best is
    chance, and the values are probabilities.
    """
    alike = values[np.array([row.is_look_alike for row in rows])]
    wrong = {
        float(cut): float(weights[(values > cut) != (y == 1)].sum())
        for cut in np.unique(np.round(values, 3))
        if not len(alike) or (alike > cut).mean() <= false_alarms
    }
    most = min(wrong.values(), default=0.0) * (1 + FLAT)
    good = [cut for cut, own in wrong.items() if own <= most]
    return min(good, key=lambda cut: abs(cut - 0.5), default=0.5)


def _band(y: Array, values: Array, weights: Array, threshold: float) -> tuple[float, float]:
    """The two ends that decide most records with at most `WRONG` of the decided ones wrong.

    On either side at most twice that share is wrong, so that no side pays for the other.
    """
    lows = [0.0, *np.quantile(values[values <= threshold], np.linspace(0, 1, STEPS)), threshold]
    highs = [threshold, *np.quantile(values[values > threshold], np.linspace(0, 1, STEPS)), 1.0]
    below = [_side(weights, values <= low, y == 1) for low in lows]
    above = [
        _side(weights, values >= max(high, np.nextafter(threshold, 1)), y == 0) for high in highs
    ]
    best, chosen = -1.0, (0.0, 1.0)
    for low, (size, wrong) in zip(lows, below, strict=True):
        for high, (other_size, other_wrong) in zip(highs, above, strict=True):
            decided = size + other_size
            is_right = wrong + other_wrong <= WRONG * decided and (
                wrong <= 2 * WRONG * size and other_wrong <= 2 * WRONG * other_size
            )
            if is_right and decided > best:
                best, chosen = decided, (float(low), float(high))
    return chosen


def _side(weights: Array, beyond: Array, wrong: Array) -> tuple[float, float]:
    """How much lies beyond an end, and how much of it is wrong."""
    return float(weights[beyond].sum()), float(weights[beyond & wrong].sum())


def main() -> None:
    """Fit the named combiners, or all, and write them."""
    parser = argparse.ArgumentParser(prog="python -m training.combine", description=__doc__)
    parser.add_argument("--evidence", type=Path, default=Path(), help="folder of labelled sets")
    parser.add_argument("--encoder", type=Path, required=True, help="folder of the encoder")
    parser.add_argument("--held-rules", type=Path, help="rules fitted without the first fold")
    parser.add_argument("--held-encoder", type=Path, help="an encoder trained without it")
    parser.add_argument(
        "--exam",
        type=Path,
        action="append",
        default=[],
        help="cases in pairs, as one more set",
    )
    parser.add_argument("--alone", action="store_true", help="read the cases of --exam alone")
    parser.add_argument("--most", type=int, help="records that are read of each set; default: all")
    parser.add_argument("--rows", type=Path, help="folder that keeps what was read")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(QUESTIONS)}")
    given = parser.parse_args()
    names = given.names or [*QUESTIONS]
    if not (given.alone or (given.held_rules and given.held_encoder)):
        parser.error("labelled sets need --held-rules and --held-encoder; --alone reads none")
    if unknown := {*names} - {*QUESTIONS}:
        parser.error(f"unknown: {', '.join(sorted(unknown))}; expected of {', '.join(QUESTIONS)}")
    readers = Readers(given.encoder, given.held_rules, given.held_encoder)
    read = partial(
        read_rows,
        evidence=given.evidence,
        readers=readers,
        exam=given.exam,
        most=given.most,
        kept=given.rows,
        is_exam_alone=given.alone,
    )
    result = {name: fitted(name, read(name), is_exam_alone=given.alone) for name in names}
    known = json.loads((FOLDER / FILE).read_text("utf-8"))
    manifest = known["manifest"]
    for name, entry in result.items():
        own = entry.pop("figures")
        before = manifest["figures"].get(name, {})
        cases = {one: own[one] for one in (EXAM, FRESH) if one in own}
        manifest["figures"][name] = {**before, **cases} if given.alone else own
        if given.alone:
            entry["calibrated"] = known["combiners"][name][LANGUAGE]["calibrated"]
        known["combiners"][name] = {LANGUAGE: entry}
    encoder = manifest_of(str(given.encoder))
    manifest["encoder"] = f"{encoder.model}@{encoder.version}"
    used = {one for name in names for one in QUESTIONS[name].sets}
    paths = [path for one in sorted(used) if (path := set_file(given.evidence, one))]
    manifest["data"] = {**manifest["data"], **({} if given.alone else fingerprint(*paths))}
    write_table(FILE, known)


if __name__ == "__main__":
    main()
