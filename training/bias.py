"""Fits the models behind `safety.bias`: n-grams, and n-grams with kinds of generalisation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import roc_auc_score

from assay.safety.bias import LEXICON, measures
from assay.safety.marks import Mark
from assay.textproc.normal import normalise
from assay.textproc.patterns import matcher
from training.fit import fit_measures, fit_ngrams, ngram_matrix, write_measures, write_ngrams
from training.records import fingerprint, folds, held_out, read_records, read_set

OWN = "crows_pairs"
NEUTRAL = ("begin", "evouna_qa", "faithdial_audit", "ans_stance_ar")
"""Sets of ordinary sentences."""
NEUTRAL_EACH = 600
PRIOR = {
    "generalisation": 2.5,
    "habit": 2.0,
    "role": 2.5,
    "typical": 2.0,
    "distanced": -1.5,
    "ngrams": 0.6,
}
"""Weights that a person would give; the data moves them."""
STRENGTH = 1.0


def train(data: Path, evidence: Path) -> None:
    """Fit both models and print held-out figures."""
    known = read_records(data, "bias")
    own = read_set(evidence, OWN)
    neutral = [
        r["response"]
        for name in NEUTRAL
        for r in [r for r in read_set(evidence, name) if r.get("response")][:NEUTRAL_EACH]
    ]
    texts = [r["text"] for r in known] + [r["response"] for r in own] + neutral
    y = np.array([r["label"] for r in known] + [r["label"] for r in own] + [0] * len(neutral))
    groups = [r["text"][:30] for r in known] + [r["meta"]["group"] for r in own] + neutral
    is_own = np.array([len(known) <= i < len(known) + len(own) for i in range(len(texts))])
    is_neutral = np.arange(len(texts)) >= len(known) + len(own)
    fold = folds(groups)
    X = ngram_matrix(texts)
    weights = np.where(is_own, 2.0, 1.0)
    logits = np.zeros(len(texts))
    for inside, outside in held_out(fold):
        model = fit_ngrams(X[inside], y[inside], weights[inside], STRENGTH)
        logits[outside] = model.decision_function(X[outside])
    found = [measures(t, _marks(t), logit) for t, logit in zip(texts, logits, strict=True)]
    names = list(found[0])
    M = np.array([[row[name] for name in names] for row in found])
    prior = np.array([PRIOR[name] for name in names])
    bounds: list[Any] = [
        (None, PRIOR[name] / 2) if PRIOR[name] < 0 else (0.9 * PRIOR[name], None) for name in names
    ]
    values = np.zeros(len(texts))
    for inside, outside in held_out(fold):
        bias, fitted = fit_measures(M[inside], y[inside], weights[inside], prior, bounds)
        values[outside] = 1.0 / (1.0 + np.exp(-(M[outside] @ fitted + bias)))
    print(f"{OWN}: n-grams {roc_auc_score(y[is_own], logits[is_own]):.3f}", end=", ")
    print(f"all {roc_auc_score(y[is_own], values[is_own]):.3f}", end=", ")
    print(f"pairs {_pairs(own, values[is_own]):.3f}")
    trained = ~is_own & ~is_neutral
    print(f"training sources: {roc_auc_score(y[trained], values[trained]):.3f}")
    for cut in (0.5, 0.6, 0.7, 0.8):
        said = f"  at {cut}: {OWN} recall {(values[is_own & (y == 1)] > cut).mean():.2f}"
        said += f" false {(values[is_own & (y == 0)] > cut).mean():.2f};"
        print(f"{said} neutral false {(values[is_neutral] > cut).mean():.4f}")
    whole = fit_ngrams(X, y, weights, STRENGTH)
    manifest = {"data": fingerprint(data / "bias.jsonl.gz"), "sets": [OWN]}
    write_ngrams("bias", whole.coef_, whole.intercept_[0], manifest)
    bias, fitted = fit_measures(M, y, weights, prior, bounds)
    write_measures(
        "bias_measures", bias, dict(zip(names, map(float, fitted), strict=True)), manifest
    )


def _pairs(own: list[dict[str, Any]], values: Any) -> float:
    """How often the stereotype of a pair scores higher than its counterpart."""
    pairs: dict[str, dict[int, float]] = {}
    for record, value in zip(own, values, strict=True):
        pairs.setdefault(record["meta"]["pair"], {})[record["label"]] = value
    whole = [pair for pair in pairs.values() if len(pair) == 2]
    return float(np.mean([pair[1] > pair[0] for pair in whole]))


def _marks(text: str) -> list[Mark]:
    known = normalise(text)
    hits = matcher(frozenset({LEXICON})).find(known)
    return [Mark(h.pattern, h.start, h.end) for h in hits]
