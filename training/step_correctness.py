"""Fits what the checks of a reasoning step say about it: `models/step_correctness.json`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression

from assay.features.step_checks import MODEL, measures
from assay.stats.ranking import auroc
from assay.textproc.step_checks import check_step
from training.fit import write_measures
from training.records import fingerprint, folds, held_out, read_set

SETS = ("reasoning_steps", "gsm8k_first_error")


def train(data: Path, evidence: Path) -> None:
    """Fit on the development halves, and measure on groups that were held out."""
    rows, labels, groups, sets = [], [], [], []
    for name in SETS:
        for record in read_set(evidence, name):
            before = record.get("contexts", [])
            checks = tuple(check_step(record["response"], before, record["query"]))
            rows.append(list(measures(checks).values()))
            labels.append(1 - record["label"])
            groups.append(record["meta"]["group"])
            sets.append(name)
    X, y, set_of = np.array(rows), np.array(labels), np.array(sets)
    scores = np.zeros(len(y))
    for fit, test in held_out(folds(groups)):
        scores[test] = LogisticRegression().fit(X[fit], y[fit]).decision_function(X[test])
    for name in SETS:
        own = set_of == name
        print(f"{name}: AUROC {auroc(scores[own].tolist(), y[own].tolist()):.3f}, n {own.sum()}")
    model = LogisticRegression().fit(X, y)
    weights = dict(zip(measures(()), model.coef_[0].tolist(), strict=True))
    used = fingerprint(*(evidence / f"{name}.dev.jsonl.gz" for name in SETS))
    write_measures(MODEL, float(model.intercept_[0]), weights, {"data": used})
