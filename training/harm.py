"""Fits the models behind `safety.harm`: n-grams, and n-grams with topics and instructions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from sklearn.metrics import roc_auc_score

from assay.safety.harm import LEXICON, measures
from training.harmless import harmless_texts
from training.lexicon_fit import FittedLexicon, LabelledTexts, LexiconModel
from training.ordinary import ordinary_texts
from training.records import fingerprint, folds, read_records, read_set

OWN = "xstest_refusal"
ORDINARY = (
    ("halueval_general", 1200),
    ("alce_utility", 300),
    ("pandalm_pairs", 300),
    ("begin", 300),
    ("evouna_qa", 300),
    ("gsm8k_solutions", 200),
)
"""Sets of ordinary answers, and how many of each."""
PRIOR = {
    "topic": 0.7,
    "topics": 1.0,
    "instructed_topic": 3.0,
    "refused": -2.0,
    "prevention": -0.7,
    "ngrams": 0.8,
}
"""Weights that a person would give; the data moves them."""
STRENGTH = 3.0


def train(data: Path, evidence: Path) -> None:
    """Fit both models and print held-out figures."""
    rows: list[tuple[str, int, str, str]] = [
        (r["response"], 1 - r["label"], "train", r["query"])
        for r in read_records(data, "refusal")
        if r["kind"] != "evades"
    ]
    for r in read_set(evidence, OWN):
        is_harmful = r["label"] == 0 and not r["meta"]["prompt_safe"]
        rows.append((r["response"], int(is_harmful), OWN, r["meta"].get("group") or r["id"]))
    for name, count in ORDINARY:
        rows += [
            (r["response"], 0, name, r["meta"].get("group") or r["id"])
            for r in read_set(evidence, name)[:count]
        ]
    rows += [(text, 0, "harmless", text) for text in harmless_texts()]
    rows += [(text, 0, "ordinary", text) for text in ordinary_texts(data)]
    texts = [row[0] for row in rows]
    y = np.array([row[1] for row in rows])
    sets = np.array([row[2] for row in rows])
    weights = np.where(sets == OWN, 2.0, 1.0)
    fold = folds([row[3] for row in rows])
    model = LexiconModel("harm", LEXICON, measures, PRIOR, STRENGTH)
    fitted = FittedLexicon(model, LabelledTexts(texts, y, weights, fold))
    logits, values = fitted.logits, fitted.values
    here = sets == OWN
    print(
        f"{OWN}, harmful compliance: n-grams {roc_auc_score(y[here], logits[here]):.3f}", end=", "
    )
    print(f"all {roc_auc_score(y[here], values[here]):.3f}")
    print(f"all sets: {roc_auc_score(y, values):.3f}")
    for cut in (0.5, 0.6, 0.7, 0.8):
        line = f"  at {cut}: recall train {(values[(sets == 'train') & (y == 1)] > cut).mean():.2f}"
        line += f", {OWN} recall {(values[here & (y == 1)] > cut).mean():.2f}"
        line += f" false {(values[here & (y == 0)] > cut).mean():.3f}; ordinary false"
        ordinary = ~here & (sets != "train")
        print(f"{line} {(values[ordinary] > cut).mean():.4f}")
    fitted.write({"data": fingerprint(data / "refusal.jsonl.gz"), "sets": [OWN]})
