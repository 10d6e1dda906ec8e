"""Fits `similarity` (with and without an embedder) to grades of people."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy.stats import spearmanr

from assay.meaning.likeness import likeness
from training.correctness import reading
from training.fit import write_measures
from training.measures import Bounds, apply, fit_measures
from training.records import fingerprint, folds, held_out, read_set
from training.vectors import cosines

SETS = ("stsb_captions", "sts16_postediting", "sts17_arabic")
BEST = 5.0
"""The highest grade."""
BOUNDS: Bounds = {
    **dict.fromkeys(("words", "covered", "letters", "pairs", "all_words", "cosine"), (0.0, None)),
    "conflict": (None, -0.5),
    "name": (None, 0.0),
}


def train(data: Path, evidence: Path) -> None:
    """Fit, measure on records that were held out, and write both models."""
    records = [(name, r) for name in SETS for r in read_set(evidence, name)]
    records = [(name, r) for name, r in records if r["lang"] in ("en", "ar")]
    pairs = [(reading(r["response"]), reading(r["reference"])) for _, r in records]
    rows = [likeness(*pair) for pair in pairs]
    likenesses = cosines([(a.text, b.text) for a, b in pairs])
    y = np.array([r["label"] / BEST for _, r in records])
    fold = folds([r.get("meta", {}).get("group") or r["reference"] for _, r in records])
    sets = np.array([name for name, _ in records])
    names = [*rows[0]]
    plain = np.array([list(row.values()) for row in rows])
    full = np.column_stack([plain, likenesses])
    paths = [evidence / f"{name}.dev.jsonl.gz" for name in SETS]
    for model, X, own in (
        ("similarity", plain, names),
        ("similarity_semantic", full, [*names, "cosine"]),
    ):
        scores = np.zeros(len(y))
        for fitted_on, measured_on in held_out(fold):
            fitted = fit_measures(X[fitted_on], y[fitted_on], own, None, BOUNDS)
            scores[measured_on] = apply(X[measured_on], own, fitted)
        figures = {}
        for name in SETS:
            kept = sets == name
            figures[f"spearman {name}"] = round(float(spearmanr(scores[kept], y[kept])[0]), 3)
        print(model, figures)
        found, bias = fit_measures(X, y, own, None, BOUNDS)
        print({name: round(weight, 2) for name, weight in found.items()})
        write_measures(model, bias, found, {"figures": figures, "data": fingerprint(*paths)})
    for name in SETS:
        kept = sets == name
        print(f"{name}: cosine alone {spearmanr(likenesses[kept], y[kept])[0]:.3f}")
