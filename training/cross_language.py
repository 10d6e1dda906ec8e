"""Fits `cross_language`: whether two texts in different languages say the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from sklearn.metrics import roc_auc_score

from assay.meaning.likeness import translation_likeness
from training.correctness import reading
from training.fit import write_measures
from training.measures import Bounds, apply, fit_measures
from training.records import fingerprint, folds, held_out, read_set
from training.vectors import cosines

SETS = ("tatoeba_ar_en", "xquad_ar_en")
BOUNDS: Bounds = {
    "cosine": (0.0, None),
    "figures": (None, -1.0),
    "figures_met": (0.0, None),
    "lengths": (None, 0.0),
    "denials": (None, 0.0),
    "questions": (None, 0.0),
}


def train(data: Path, evidence: Path) -> None:
    """Fit, measure on groups that were held out, and write the model."""
    records = [(name, r) for name in SETS for r in read_set(evidence, name)]
    pairs = [(reading(r["reference"]), reading(r["response"])) for _, r in records]
    likenesses = cosines([(a.text, b.text) for a, b in pairs])
    rows = [
        {"cosine": float(likeness), **translation_likeness(*pair)}
        for pair, likeness in zip(pairs, likenesses, strict=True)
    ]
    names = list(rows[0])
    X = np.array([list(row.values()) for row in rows])
    y = np.array([int(r["label"]) for _, r in records])
    fold = folds([r["meta"]["group"] for _, r in records])
    sets = np.array([name for name, _ in records])
    scores = np.zeros(len(y))
    for fitted_on, measured_on in held_out(fold):
        fitted = fit_measures(X[fitted_on], y[fitted_on], names, None, BOUNDS)
        scores[measured_on] = apply(X[measured_on], names, fitted)
    figures = {}
    for name in SETS:
        own = sets == name
        figures[f"auroc {name}"] = round(float(roc_auc_score(y[own], scores[own])), 3)
        right = ((scores[own] > 0) == y[own]).mean()
        alone = roc_auc_score(y[own], X[own][:, 0])
        print(f"{name}: {figures[f'auroc {name}']}, cosine alone {alone:.3f}, right {right:.3f}")
    found, bias = fit_measures(X, y, names, None, BOUNDS)
    print({name: round(weight, 2) for name, weight in found.items()})
    paths = [evidence / f"{name}.dev.jsonl.gz" for name in SETS]
    write_measures("cross_language", bias, found, {"figures": figures, "data": fingerprint(*paths)})
