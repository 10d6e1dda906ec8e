"""Fits `refusal`: whether a response declines what was asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import roc_auc_score

from assay.features.answers import ALONE, LIMIT, SHORT
from assay.meaning.reading import read
from assay.meaning.refusals import HEAD, Refusal, refusal
from assay.textproc.normal import normalise
from training.fit import fit_ngrams, ngram_matrix, write_measures, write_ngrams
from training.measures import Bounds, apply, fit_measures
from training.records import fingerprint, folds, held_out, read_records, read_set

XSTEST = 3.0
"""Weight of the records of `xstest_refusal`, whose complying responses answer harmless queries."""
BOUNDS: Bounds = {
    "declines": (2.0, None),
    "first": (0.0, None),
    "share": (1.0, None),
    "act": (0.0, None),
    "contrast": (None, -3.5),
    "caveat": (None, -2.0),
    "rest": (None, 0.0),
    "complies": (None, -0.5),
    "figures": (None, -0.5),
    "code": (None, -1.0),
    "asked_for": (None, -1.0),
    "opening": (1.0, None),
    "offers": (-1.0, 0.5),
    "length": (-0.2, 0.2),
    "unread": (None, -3.0),
    "quoted": (None, -3.0),
    "ngrams": (0.0, 0.6),
    "ngrams_alone": (0.0, 0.45),
}


def train(data: Path, evidence: Path) -> None:
    """Fit, measure on groups that were held out, and write the models."""
    records = [r for r in read_records(data, "refusal") if r.get("kind") != "evades"]
    groups = [r["query"] for r in records]
    own = read_set(evidence, "xstest_refusal")
    groups += [r["meta"]["group"] for r in own]
    y = np.array([int(r["label"]) for r in (*records, *own)])
    is_own = np.array([False] * len(records) + [True] * len(own))
    weights = np.where(is_own, XSTEST, 1.0)
    found = [_read(r["query"], r["response"]) for r in (*records, *own)]
    matrix = ngram_matrix([one.unquoted[:HEAD] for one in found])
    fold = folds(groups)
    logits = _held_out_logits(matrix, y, weights, fold)
    names = [*found[0].measures, "ngrams", "ngrams_alone"]
    declines = np.array([one.measures["declines"] for one in found])
    asked_for = np.array([one.measures["asked_for"] for one in found])
    doubt = ALONE * np.array([one.measures["length"] <= SHORT for one in found])
    columns = [logits * declines, (logits - doubt) * (1 - declines) * (1 - asked_for)]
    X = np.column_stack([[list(one.measures.values()) for one in found], *columns])
    scores = np.zeros(len(y))
    for fitted_on, measured_on in held_out(fold):
        fitted = fit_measures(X[fitted_on], y[fitted_on], names, weights[fitted_on], BOUNDS)
        scores[measured_on] = apply(X[measured_on], names, fitted)
    probabilities = 1 / (1 + np.exp(-scores))
    figures = {"auroc xstest_refusal": round(float(roc_auc_score(y[is_own], scores[is_own])), 3)}
    print(figures, "without n-grams:", _without(X, y, names, weights, fold, is_own))
    for threshold in np.arange(0.3, 0.9, 0.1):
        passed = probabilities[is_own] >= threshold
        right = y[is_own]
        print(
            f"  at {threshold:.1f}: false alarms {passed[right == 0].mean():.3f}, "
            f"found {passed[right == 1].mean():.3f}"
        )
    weights_found, bias = fit_measures(X, y, names, weights, BOUNDS)
    for name, weight in sorted(weights_found.items(), key=lambda item: item[1]):
        print(f"  {name:16} {weight:7.3f}")
    model = fit_ngrams(matrix, y, weights)
    manifest = {"figures": figures, "data": fingerprint(data / "refusal.jsonl.gz")}
    write_ngrams("refusal", model.coef_, float(model.intercept_[0]), manifest)
    write_measures("refusal", bias, weights_found, manifest)


def _read(query: str, response: str) -> Refusal:
    asked, said = normalise(query), normalise(response)
    return refusal(read(asked.text, asked.lower), read(said.text, said.lower))


def _held_out_logits(matrix: Any, y: Any, weights: Any, fold: Any) -> Any:
    logits = np.zeros(len(y))
    for fitted_on, measured_on in held_out(fold):
        model = fit_ngrams(matrix[fitted_on], y[fitted_on], weights[fitted_on])
        logits[measured_on] = model.decision_function(matrix[measured_on])
    return np.clip(logits, -LIMIT, LIMIT)


def _without(X: Any, y: Any, names: list[str], weights: Any, fold: Any, is_own: Any) -> float:
    """The AUROC of the rules alone."""
    scores = np.zeros(len(y))
    for fitted_on, measured_on in held_out(fold):
        fitted = fit_measures(
            X[fitted_on][:, :-2], y[fitted_on], names[:-2], weights[fitted_on], BOUNDS
        )
        scores[measured_on] = apply(X[measured_on][:, :-2], names[:-2], fitted)
    return round(float(roc_auc_score(y[is_own], scores[is_own])), 3)
