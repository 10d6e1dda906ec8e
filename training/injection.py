"""Fits the models behind `safety.injection`: of questions, and of retrieved texts.

Of questions: `injection` (n-grams) and `injection_query` (n-grams and kinds of attack patterns).
Of retrieved texts: `injection_sentence` (n-grams of single sentences) and `injection_context`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.metrics import roc_auc_score

from assay.linear.ngrams import BUCKETS, hashed_ngrams
from assay.safety.injection import LEXICON, SENTENCE_CHARACTERS, measures, signs
from assay.safety.marks import Mark, sentence_ends
from assay.textproc.normal import normalise
from assay.textproc.patterns import matcher
from training.fit import fit_measures, fit_ngrams, ngram_matrix, write_measures, write_ngrams
from training.harmless import harmless_sentences
from training.ordinary import ordinary_texts
from training.records import fingerprint, folds, held_out, read_records, read_set

Array = Any
"""A numpy array."""
QUESTIONS, CONTEXTS = "prompt_injection", "bipia_indirect"
PRIOR = {
    "override": 3.0,
    "extraction": 3.0,
    "secret_request": 2.0,
    "user_data_request": 2.0,
    "jailbreak": 3.0,
    "role": 0.4,
    "authority": 1.0,
    "fake_markup": 2.0,
    "addressed": 2.5,
    "exfiltration": 3.0,
    "concealment": 2.0,
    "reply_order": 0.6,
    "encoded": 1.0,
    "several": 1.0,
    "talk": -3.0,
    "repeated": 1.5,
    "ngrams": 1.0,
    "sentence": 1.0,
}
"""Weights that a person would give; the data moves them."""
TASKS = ("halueval_general", "pandalm_pairs")
"""Sets whose questions are harmless tasks."""
HARMLESS = ("xquad_retrieval", "faithdial_audit", "wice_citation", "begin")
"""Sets whose contexts hold no attack."""
OTHERS = 1600
OWN_WEIGHT = 6.0
ORDINARY_WEIGHT = 0.3
"""What a record of the labelled set and an ordinary text weigh beside a training record."""
STRENGTH = 2.0
SOURCES_BENIGN = 700
"""Benign training records of one source at most, so that none drowns the attacks."""


def train(data: Path, evidence: Path) -> None:
    """Fit both pairs of models and print held-out figures."""
    _questions(data, evidence)
    _contexts(data, evidence)


def found_signs(text: str) -> tuple[str, Any]:
    """The normalised text and its signs of attack."""
    known = normalise(text)
    hits = matcher(frozenset({LEXICON})).find(known)
    return known.text, signs(known.text, [Mark(h.pattern, h.start, h.end) for h in hits])


def _questions(data: Path, evidence: Path) -> None:
    known = _sampled(read_records(data, "injection"))
    known += [{"text": text, "label": 0, "source": "harmless"} for text in harmless_sentences()]
    known += [{"text": text, "label": 0, "source": "ordinary"} for text in ordinary_texts(data)]
    known += [{"text": text, "label": 0, "source": "tasks"} for text in _tasks(evidence)]
    own = read_set(evidence, QUESTIONS)
    texts = [r["text"] for r in known] + [r["query"] for r in own]
    y = np.array([r["label"] for r in known] + [r["label"] for r in own])
    groups = [f"{r['source']}:{r['text'][:40]}" for r in known]
    groups += [r["meta"].get("group") or r["id"] for r in own]
    is_own = np.arange(len(texts)) >= len(known)
    is_ordinary = np.array([r.get("source") == "ordinary" for r in (*known, *own)])
    weights = np.where(is_own, OWN_WEIGHT, np.where(is_ordinary, ORDINARY_WEIGHT, 1.0))
    fold = folds(groups)
    X = ngram_matrix(texts)
    logits = np.zeros(len(texts))
    for inside, outside in held_out(fold):
        model = fit_ngrams(X[inside], y[inside], weights[inside], strength=STRENGTH)
        logits[outside] = model.decision_function(X[outside])
    rows = []
    for text, logit in zip(texts, logits, strict=True):
        known_text, found = found_signs(text)
        rows.append(measures(known_text, found, logit, 0.0))
    names = [name for name in rows[0] if name != "sentence"]
    M = np.array([[row[name] for name in names] for row in rows])
    values = np.zeros(len(texts))
    for inside, outside in held_out(fold):
        model = _fit(M[inside], y[inside], weights[inside], names)
        values[outside] = _probability(model, M[outside])
    print(f"{QUESTIONS}: n-grams {_auc(y, logits, is_own):.3f}, all {_auc(y, values, is_own):.3f}")
    for cut in (0.5, 0.6, 0.7, 0.8):
        print(f"  at {cut}: {_slices(own, values[is_own], cut)}")
    whole = fit_ngrams(X, y, weights, strength=STRENGTH)
    manifest = {"data": fingerprint(data / "injection.jsonl.gz"), "sets": [QUESTIONS]}
    write_ngrams("injection", whole.coef_, whole.intercept_[0], manifest)
    final = _fit(M, y, weights, names)
    write_measures(
        "injection_query",
        final[0],
        dict(zip(names, map(float, final[1]), strict=True)),
        manifest,
    )


def _tasks(evidence: Path) -> list[str]:
    """Harmless tasks for a model: "Write …", "Imagine you are …"; every second one for fitting."""
    texts = dict.fromkeys(r["query"] for name in TASKS for r in read_set(evidence, name))
    return [*texts][::2]


def _contexts(data: Path, evidence: Path) -> None:
    own = read_set(evidence, CONTEXTS)
    fold = folds([r["meta"].get("group") or r["id"] for r in own])
    pieces: list[str] = []
    labels: list[int] = []
    owners: list[int] = []
    for number, record in enumerate(own):
        attack = record["meta"].get("attack_text", "")
        for context in record["contexts"]:
            clean = context.replace(attack, "\n") if attack else context
            text = normalise(clean).lower
            start = 0
            for end in sentence_ends(text):
                if len(text[start:end].strip()) > 2:
                    pieces.append(text[start:end])
                    labels.append(0)
                    owners.append(number)
                start = end
        if attack:
            text = normalise(attack).lower
            start = 0
            for end in sentence_ends(text)[:3]:
                if len(text[start:end].strip()) > 8:
                    pieces.append(text[start:end])
                    labels.append(1)
                    owners.append(number)
                start = end
    for text in _other_contexts(evidence):
        start = 0
        for end in sentence_ends(text):
            if len(text[start:end].strip()) > 2:
                pieces.append(text[start:end])
                labels.append(0)
                owners.append(-1)
            start = end
    X, y, owner = _sentence_matrix(pieces), np.array(labels), np.array(owners)
    weights = np.where(y == 1, (y == 0).sum() / max(1, (y == 1).sum()) / 4, 1.0)
    truth = np.array([r["label"] for r in own])
    rows: list[dict[str, float]] = [{} for _ in own]
    for inside, outside in held_out(fold):
        mine = np.isin(owner, [*inside, -1])
        model = fit_ngrams(X[mine], y[mine], weights[mine], strength=3.0)
        coefficients = np.ravel(model.coef_)
        for number in outside:
            rows[number] = _context_row(own[number]["contexts"], coefficients, model.intercept_[0])
    names = [name for name in rows[0] if name != "ngrams"]
    M = np.array([[row[name] for name in names] for row in rows])
    values = np.zeros(len(own))
    ones = np.ones(len(own))
    for inside, outside in held_out(fold):
        values[outside] = _probability(
            _fit(M[inside], truth[inside], ones[inside], names), M[outside]
        )
    hottest = M[:, names.index("sentence")]
    print(f"{CONTEXTS}: sentence {roc_auc_score(truth, hottest):.3f}", end=", ")
    print(f"all {roc_auc_score(truth, values):.3f}")
    for cut in (0.5, 0.7, 0.8, 0.9):
        hit = values > cut
        print(
            f"  at {cut}: recall {hit[truth == 1].mean():.3f}, false {hit[truth == 0].mean():.3f}"
        )
    unseen = [
        _context_row([t], coefficients, model.intercept_[0]) for t in _harmless(evidence)[1::2]
    ]
    final = _fit(M, truth, ones, names)
    others = _probability(final, np.array([[row[name] for name in names] for row in unseen]))
    print(f"  harmless contexts of other sets above 0.7: {(others > 0.7).mean():.4f}")
    whole = fit_ngrams(X, y, weights, strength=3.0)
    manifest = {"data": fingerprint(evidence / f"{CONTEXTS}.dev.jsonl.gz"), "sets": [CONTEXTS]}
    write_ngrams("injection_sentence", whole.coef_, whole.intercept_[0], manifest)
    write_measures(
        "injection_context",
        final[0],
        dict(zip(names, map(float, final[1]), strict=True)),
        manifest,
    )


def _other_contexts(evidence: Path) -> list[str]:
    """Harmless retrieved texts of other sets, every second one for fitting."""
    return [normalise(text).lower for text in _harmless(evidence)[::2]]


def _harmless(evidence: Path) -> list[str]:
    """Contexts of sets without attacks, in English and Arabic, one of each text."""
    texts = [c for name in HARMLESS for r in read_set(evidence, name) for c in r["contexts"]]
    return list(dict.fromkeys(texts))[:OTHERS]


def _context_row(contexts: list[str], coefficients: Array, bias: float) -> dict[str, float]:
    """The measures of the most suspicious context."""
    rows = []
    for context in contexts:
        known, found = found_signs(context)
        ngrams = hashed_ngrams(known.lower(), SENTENCE_CHARACTERS)
        ends = sentence_ends(known.lower())
        logit = bias
        if len(ngrams.buckets):
            place = np.minimum(np.searchsorted(ends, ngrams.starts, side="right"), len(ends) - 1)
            sums = np.bincount(place, coefficients[ngrams.buckets], len(ends))
            counts = np.bincount(place, minlength=len(ends))
            logit = float((bias + sums / np.sqrt(np.maximum(counts, 1))).max())
        rows.append(measures(known, found, 0.0, logit))
    return max(rows, key=lambda row: row["sentence"] + 2 * row["several"])


def _sentence_matrix(pieces: list[str]) -> Array:
    """One row a sentence: its n-grams as often as they occur, over the root of their number."""
    indices, lengths = [], []
    for piece in pieces:
        buckets = hashed_ngrams(piece, SENTENCE_CHARACTERS).buckets
        indices.append(buckets)
        lengths.append(len(buckets))
    values = np.repeat(1.0 / np.sqrt(np.maximum(lengths, 1)), lengths)
    ends = np.concatenate([[0], np.cumsum(lengths)])
    found = csr_matrix((values, np.concatenate(indices), ends), shape=(len(pieces), BUCKETS))
    found.sum_duplicates()
    return found


def _fit(X: Array, y: Array, weights: Array, names: list[str]) -> tuple[float, Array]:
    prior = np.array([PRIOR[name] for name in names])
    bounds = [
        (None, 0.9 * PRIOR[name]) if PRIOR[name] < 0 else (PRIOR[name] / 2, None) for name in names
    ]
    return fit_measures(X, y, weights, prior, bounds)


def _probability(model: tuple[float, Array], X: Array) -> Array:
    return 1.0 / (1.0 + np.exp(-(X @ model[1] + model[0])))


def _auc(y: Array, values: Array, where: Array) -> float:
    return float(roc_auc_score(y[where], values[where]))


def _slices(own: list[dict[str, Any]], values: Array, cut: float) -> str:
    """Recall on attacks and false alarms by source."""
    said = []
    for source in sorted({r["meta"]["source"] for r in own}):
        here = np.array([r["meta"]["source"] == source for r in own])
        said.append(f"{source} {float((values[here] > cut).mean()):.3f}")
    return ", ".join(said)


def _sampled(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """At most `SOURCES_BENIGN` benign records of a source, the first in the order of the file."""
    counts: dict[str, int] = {}
    kept = []
    for record in records:
        if record["label"] == 0:
            counts[record["source"]] = counts.get(record["source"], 0) + 1
            if counts[record["source"]] > SOURCES_BENIGN:
                continue
        kept.append(record)
    return kept
