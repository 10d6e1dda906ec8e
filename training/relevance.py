"""Fits `relevance`: whether a response addresses the query, be it right or wrong."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.metrics import balanced_accuracy_score, roc_auc_score

from assay.meaning.refusals import refusal
from assay.meaning.relevance import relevance
from training.correctness import reading
from training.fit import write_measures
from training.measures import Bounds, apply, fit_measures
from training.records import fingerprint, folds, held_out, read_records, read_set
from training.vectors import cosines

Array = Any
WEIGHTS = {
    "truthfulqa_informative": 0.5,
    "evouna_qa": 1.0,
    "xquad_en": 1.0,
    "xquad_ar": 1.0,
    "arcd": 1.0,
}
BOUNDS: Bounds = {
    **dict.fromkeys(("order", "pronoun", "new"), (0.0, None)),
    "cosine": (0.0, None),
    "given": (1.5, None),
    "shared": (0.0, 2.0),
    "long_shared": (0.0, 4.0),
    "length": (-0.1, 0.3),
    "open": (-0.5, 0.5),
    "long": (-1.5, None),
    **dict.fromkeys(("unshared", "declines", "question"), (None, 0.0)),
    "not_given": (None, -4.5),
    "yes_to_open": (None, -2.0),
    "order_to_other": (None, -2.0),
    "other_figure": (None, -3.0),
    "echo": (None, -3.0),
    "unknown": (None, -1.5),
    "evasive": (None, -1.5),
    "empty": (None, -4.0),
    "other_script": (None, -1.0),
}
MOSTLY = 1.8
"""Weight of a response that addresses its query: in use most do, while half of these do not."""
SEED = 5


class Example(NamedTuple):
    """A query with a response that addresses it or not."""

    query: str
    response: str
    label: int
    group: str
    source: str


def train(data: Path, evidence: Path) -> None:
    """Fit, measure on groups that were held out, and write the model."""
    examples = [*_informative(evidence), *_swapped(evidence), *_paragraphs(evidence), *_arcd(data)]
    pairs = [(reading(one.query), reading(one.response)) for one in examples]
    rows = [relevance(*pair, refusal(*pair)).measures for pair in pairs]
    plain = np.array([list(row.values()) for row in rows])
    likenesses = cosines([(query.text, response.text) for query, response in pairs])
    _fit("relevance", plain, list(rows[0]), examples, evidence)
    full = np.column_stack([plain, likenesses])
    _fit("relevance_semantic", full, [*rows[0], "cosine"], examples, evidence)


def _fit(model: str, X: Array, names: list[str], examples: list[Example], evidence: Path) -> None:
    """Fit one model, measure it on groups that were held out, and write it."""
    y = np.array([one.label for one in examples])
    sources = np.array([one.source for one in examples])
    weights = np.array([WEIGHTS[one.source] * (MOSTLY if one.label else 1) for one in examples])
    fold = folds([one.group for one in examples])
    scores = np.zeros(len(y))
    for fitted_on, measured_on in held_out(fold):
        fitted = fit_measures(X[fitted_on], y[fitted_on], names, weights[fitted_on], BOUNDS)
        scores[measured_on] = apply(X[measured_on], names, fitted)
    figures = {}
    print(model)
    for name in WEIGHTS:
        own = sources == name
        figures[f"auroc {name}"] = round(float(roc_auc_score(y[own], scores[own])), 3)
        balanced = balanced_accuracy_score(y[own], scores[own] > 0)
        passed = [(scores[own & (y == label)] > 0).mean() for label in (1, 0)]
        print(
            f"{name}: AUROC {figures[f'auroc {name}']}, balanced {balanced:.3f}, n {own.sum()}, "
            f"of those that address it {passed[0]:.3f} pass, of the others {passed[1]:.3f}"
        )
    found, bias = fit_measures(X, y, names, weights, BOUNDS)
    print({name: round(weight, 2) for name, weight in found.items()})
    sets = ("truthfulqa_informative", "evouna_qa", "xquad_ar_en")
    manifest = {
        "figures": figures,
        "data": fingerprint(*(evidence / f"{name}.dev.jsonl.gz" for name in sets)),
    }
    write_measures(model, bias, found, manifest)


def _informative(evidence: Path) -> Iterator[Example]:
    """Answers that inform, and dodges."""
    name = "truthfulqa_informative"
    for record in read_set(evidence, name):
        group = record["meta"]["group"]
        yield Example(record["query"], record["response"], int(record["label"]), group, name)


def _swapped(evidence: Path) -> Iterator[Example]:
    """Answers to their own question, and to another one."""
    records = read_set(evidence, "evouna_qa")
    others = records[:]
    random.Random(SEED).shuffle(others)
    for record, other in zip(records, others, strict=True):
        group = record["meta"]["group"]
        yield Example(record["query"], record["response"], 1, group, "evouna_qa")
        if other["meta"]["group"] != group:
            yield Example(record["query"], other["response"], 0, group, "evouna_qa")


def _paragraphs(evidence: Path) -> Iterator[Example]:
    """Answers to their own question, and to another one on the same paragraph."""
    chance = random.Random(SEED)
    groups: dict[str, list[tuple[str, str, str, str]]] = defaultdict(list)
    for record in read_set(evidence, "xquad_ar_en"):
        if record["label"] == 1:
            meta = record["meta"]
            question = record["response"].removesuffix(meta["answer_ar"]).strip()
            row = (record["query"], meta["answer_en"], question, meta["answer_ar"])
            groups[meta["group"]].append(row)
    for group, rows in groups.items():
        for place, (query, answer, arabic, arabic_answer) in enumerate(rows):
            yield Example(query, answer, 1, group, "xquad_en")
            yield Example(arabic, arabic_answer, 1, group, "xquad_ar")
            others = [row for n, row in enumerate(rows) if n != place]
            if others:
                other = chance.choice(others)
                yield Example(query, other[1], 0, group, "xquad_en")
                yield Example(arabic, other[3], 0, group, "xquad_ar")


def _arcd(data: Path) -> Iterator[Example]:
    """Arabic answers to their own question, and to another one."""
    for record in read_records(data, "support"):
        if record["source"] == "arcd" and record.get("kind") in ("own", "other_answer"):
            query, mark, answer = record["b"].partition("؟")
            if mark and answer.strip():
                label = int(record["kind"] == "own")
                yield Example(query + mark, answer.strip(), label, record["a"], "arcd")
