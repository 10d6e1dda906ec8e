"""Fits the models behind `safety.bias`: n-grams, and n-grams with kinds of generalisation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import roc_auc_score

from assay.safety.bias import LEXICON, measures
from training.harmless import harmless_texts
from training.lexicon_fit import FittedLexicon, LabelledTexts, LexiconModel
from training.ordinary import ordinary_texts
from training.records import fingerprint, folds, read_records, read_set

OWN = "crows_pairs"
NEUTRAL = ("begin", "evouna_qa", "faithdial_audit", "ans_stance_ar", "truthfulqa_informative")
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
ORDINARY_WEIGHT = 0.3
"""What an ordinary text weighs beside a training record."""


def train(data: Path, evidence: Path) -> None:
    """Fit both models and print held-out figures."""
    known = read_records(data, "bias")
    own = read_set(evidence, OWN)
    neutral = [
        r["response"]
        for name in NEUTRAL
        for r in [r for r in read_set(evidence, name) if r.get("response")][:NEUTRAL_EACH]
    ]
    ordinary = ordinary_texts(data)
    neutral += [*harmless_texts(), *ordinary]
    texts = [r["text"] for r in known] + [r["response"] for r in own] + neutral
    y = np.array([r["label"] for r in known] + [r["label"] for r in own] + [0] * len(neutral))
    groups = [r["text"][:30] for r in known] + [r["meta"]["group"] for r in own] + neutral
    is_own = np.array([len(known) <= i < len(known) + len(own) for i in range(len(texts))])
    is_neutral = np.arange(len(texts)) >= len(known) + len(own)
    weights = np.where(is_own, 2.0, 1.0)
    weights[len(texts) - len(ordinary) :] = ORDINARY_WEIGHT
    model = LexiconModel("bias", LEXICON, measures, PRIOR, STRENGTH)
    fitted = FittedLexicon(model, LabelledTexts(texts, y, weights, folds(groups)))
    logits, values = fitted.logits, fitted.values
    print(f"{OWN}: n-grams {roc_auc_score(y[is_own], logits[is_own]):.3f}", end=", ")
    print(f"all {roc_auc_score(y[is_own], values[is_own]):.3f}", end=", ")
    print(f"pairs {_pairs(own, values[is_own]):.3f}")
    trained = ~is_own & ~is_neutral
    print(f"training sources: {roc_auc_score(y[trained], values[trained]):.3f}")
    for cut in (0.5, 0.6, 0.7, 0.8):
        line = f"  at {cut}: {OWN} recall {(values[is_own & (y == 1)] > cut).mean():.2f}"
        line += f" false {(values[is_own & (y == 0)] > cut).mean():.2f};"
        print(f"{line} neutral false {(values[is_neutral] > cut).mean():.4f}")
    fitted.write({"data": fingerprint(data / "bias.jsonl.gz"), "sets": [OWN]})


def _pairs(own: list[dict[str, Any]], values: Any) -> float:
    """How often the stereotype of a pair scores higher than its counterpart."""
    pairs: dict[str, dict[int, float]] = {}
    for record, value in zip(own, values, strict=True):
        pairs.setdefault(record["meta"]["pair"], {})[record["label"]] = value
    whole = [pair for pair in pairs.values() if len(pair) == 2]
    return float(np.mean([pair[1] > pair[0] for pair in whole]))
