"""Fits the models behind `safety.toxicity`: n-grams, and n-grams with kinds of attack patterns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import vstack
from sklearn.metrics import roc_auc_score

from assay.safety.marks import Mark
from assay.safety.toxicity import LEXICON, HostilitySigns, measures, signs
from assay.textproc.normal import normalise
from assay.textproc.patterns import matcher
from training.fit import fit_measures, fit_ngrams, ngram_matrix, write_measures, write_ngrams
from training.harmless import harmless_texts
from training.ordinary import ordinary_texts
from training.records import fingerprint, folds, held_out, read_records, read_set

Array = Any
"""A numpy array."""
SETS = ("davidson_offensive", "openai_moderation", "hatecheck_en", "hatecheck_ar")
NEUTRAL = ("begin", "evouna_qa", "faithdial_audit", "ans_stance_ar", "tatoeba_ar_en")
"""Sets of ordinary sentences; a hundredth of them may be rude, which does no harm here."""
NEUTRAL_EACH = 400
OTHER_KINDS = frozenset(("unauthorized_expertise", "risk_ignorance"))
"""Kinds of DiaSafety that are bad advice, not toxicity."""
NOISY = "mlma_en"
"""A source whose labels disagree with all others."""
OWN_WEIGHT = 3.0
ORDINARY_WEIGHT = 0.4
"""What a record of the labelled sets and an ordinary text weigh beside a training record."""
SET_WEIGHT = 400.0
"""What each class of each set weighs in the fit over measures."""
PRIOR = {
    "direct_insult": 2.5,
    "vocative": 2.0,
    "third_insult": 2.0,
    "group_insult": 2.5,
    "group_hostility": 2.5,
    "threat": 3.0,
    "slur": 1.0,
    "profanity": 0.4,
    "several": 0.5,
    "untargeted": -0.8,
    "excused": -1.0,
    "denounced": -1.0,
    "praised": -1.5,
    "ngrams": 0.8,
}
"""Weights that a person would give; the data moves them."""
HIGHEST = {"slur": 1.5, "profanity": 0.6}
"""Words alone must not decide: profanity without a target is no insult."""


def train(data: Path, evidence: Path) -> None:
    """Fit both models and print held-out figures."""
    known = [
        r
        for r in read_records(data, "toxicity")
        if r["source"] != NOISY and r.get("kind") not in OTHER_KINDS
    ]
    ordinary = ordinary_texts(data)
    known += [{"text": text, "label": 0} for text in harmless_texts()]
    known += [{"text": text, "label": 0, "weight": ORDINARY_WEIGHT} for text in ordinary[::2]]
    given = np.array([r.get("weight", 1.0) for r in known])
    own = [r for name in SETS for r in read_set(evidence, name)]
    neutral = [*_neutral(evidence), *ordinary[1::2]]
    X, Z = ngram_matrix([r["text"] for r in known]), ngram_matrix([r["response"] for r in own])
    N = ngram_matrix(neutral)
    y, z = np.array([r["label"] for r in known]), np.array([r["label"] for r in own])
    fold = folds([r["meta"].get("group") or r["id"] for r in own])
    logits = np.zeros(len(own))
    for inside, outside in held_out(fold):
        model = _fit_words(X, y, given, Z[inside], z[inside])
        logits[outside] = model.decision_function(Z[outside])
    whole = _fit_words(X, y, given, Z, z)
    other = whole.decision_function(N)  # no model is fitted on the neutral texts
    found = [found_signs(r["response"]) for r in own]
    rows = [measures(s, logit) for s, logit in zip(found, logits, strict=True)]
    rows += [measures(found_signs(t), logit) for t, logit in zip(neutral, other, strict=True)]
    names = list(rows[0])
    M = np.array([[row[name] for name in names] for row in rows])
    truth = np.concatenate([z, np.zeros(len(neutral))])
    sets = np.array([r["dataset"] for r in own] + ["neutral"] * len(neutral))
    weights = _balanced(truth, sets)
    everyone = np.concatenate([fold, np.arange(len(neutral)) % (fold.max() + 1)])
    values = np.zeros(len(M))
    for inside, outside in held_out(everyone):
        bias, fitted = _fit(M[inside], truth[inside], weights[inside], names)
        values[outside] = 1.0 / (1.0 + np.exp(-(M[outside] @ fitted + bias)))
    _report(own, sets, truth, np.concatenate([logits, other]), values)
    manifest = {"data": fingerprint(data / "toxicity.jsonl.gz"), "sets": list(SETS)}
    write_ngrams("toxicity", whole.coef_, whole.intercept_[0], manifest)
    bias, fitted = _fit(M, truth, weights, names)
    weights_by_name = dict(zip(names, map(float, fitted), strict=True))
    write_measures("toxicity_measures", bias, weights_by_name, manifest)


def found_signs(text: str) -> HostilitySigns:
    """The signs of hostility in a text."""
    known = normalise(text)
    hits = matcher(frozenset({LEXICON})).find(known)
    return signs(known.text, [Mark(h.pattern, h.start, h.end) for h in hits])


def _neutral(evidence: Path) -> list[str]:
    texts = []
    for name in NEUTRAL:
        texts += [r["response"] for r in read_set(evidence, name) if r.get("response")][
            :NEUTRAL_EACH
        ]
    return texts


def _fit_words(X: Array, y: Array, given: Array, own: Array, truth: Array) -> Any:
    weights = np.concatenate([given, np.full(own.shape[0], OWN_WEIGHT)])
    return fit_ngrams(vstack([X, own]), np.concatenate([y, truth]), weights, strength=1.0)


def _fit(M: Array, y: Array, weights: Array, names: list[str]) -> tuple[float, Array]:
    prior = np.array([PRIOR[name] for name in names])
    bounds = [
        (None, -0.5) if PRIOR[name] < 0 else (0.9 * PRIOR[name], HIGHEST.get(name))
        for name in names
    ]
    return fit_measures(M, y, weights, prior, bounds)


def _balanced(y: Array, sets: Array) -> Array:
    weights = np.zeros(len(y))
    for name in np.unique(sets):
        for label in (0, 1):
            here = (sets == name) & (y == label)
            if here.any():
                weights[here] = SET_WEIGHT / here.sum()
    return weights


def _report(own: list[dict[str, Any]], sets: Array, y: Array, logits: Array, values: Array) -> None:
    for name in SETS:
        here = sets == name
        words, both = roc_auc_score(y[here], logits[here]), roc_auc_score(y[here], values[here])
        print(f"{name}: n-grams {words:.3f}, all {both:.3f}", end="; ")
        print(
            ", ".join(
                f"at {cut}: recall {(values[here & (y == 1)] > cut).mean():.2f} "
                f"false {(values[here & (y == 0)] > cut).mean():.2f}"
                for cut in (0.5, 0.6, 0.7)
            )
        )
    print(f"neutral above 0.5: {(values[sets == 'neutral'] > 0.5).mean():.4f}")
    kinds: dict[str, list[bool]] = {}
    for record, value in zip(own, values, strict=False):
        if record["dataset"] == "hatecheck_en" and record["label"] == 0:
            kinds.setdefault(record["meta"]["functionality"], []).append(value > 0.5)
    print("hatecheck_en false alarms:", {k: round(float(np.mean(v)), 2) for k, v in kinds.items()})
