"""Fits `context_relevance.json`: has a context to do with the query?

Records are the development halves of two sets in which people marked the paragraph, or the
sentences, that answer a question or support a claim: among the others are hard ones of the same
article. English and Arabic count alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression

from assay.core import Document
from assay.features.chunks import context_chunks
from assay.features.context_relevance import MEASURES, MODEL, relevance_measures
from assay.meaning import read
from assay.stats.ranking import auroc
from assay.textproc.normal import normalise
from training.fit import write_measures
from training.records import fingerprint, folds, read_set

Array = Any
"""A numpy array."""
SETS = ("xquad_retrieval", "wice_retrieval")
FOREIGN = "ar-en"
"""Queries in another language than the contexts, which words cannot judge."""


def train(_data: Path, evidence: Path) -> None:
    """Fit the model, print how well it ranks contexts of records whose groups were left out."""
    rows: list[tuple[Sequence[float], bool, str, str, int]] = []
    number = 0
    for name in SETS:
        for record in read_set(evidence, name):
            if record["lang"] == FOREIGN:
                continue
            number += 1
            kind = f"{name} {record['lang']}"
            for place, own in enumerate(_measures(record["query"], record["contexts"])):
                values = [own[measure] for measure in MEASURES]
                rows.append(
                    (values, place in record["label"], record["meta"]["group"], kind, number)
                )
    values, labels, groups, kinds, numbers = map(np.array, zip(*rows, strict=True))
    weight = np.zeros(len(labels))
    for kind in np.unique(kinds):
        for label in (False, True):
            own = (kinds == kind) & (labels == label)
            weight[own] = 1000.0 / own.sum()
    fold = folds(list(groups))
    scores = np.zeros(len(labels))
    for part in np.unique(fold):
        held = fold == part
        model = LogisticRegression(C=1.0).fit(values[~held], labels[~held], weight[~held])
        scores[held] = model.decision_function(values[held])
    for kind in np.unique(kinds):
        own = kinds == kind
        first = [_best(scores, labels, numbers == n) for n in np.unique(numbers[own])]
        print(f"{kind:20} AUROC {auroc(scores[own], labels[own]):.3f} hit@1 {np.mean(first):.3f}")
    final = LogisticRegression(C=1.0).fit(values, labels, weight)
    manifest = {"data": fingerprint(*(evidence / f"{name}.dev.jsonl.gz" for name in SETS))}
    weights = dict(zip(MEASURES, map(float, final.coef_[0]), strict=True))
    write_measures(MODEL, float(final.intercept_[0]), weights, manifest)


def _best(scores: Array, labels: Array, own: Array) -> bool:
    return bool(labels[own][np.argmax(scores[own])])


def _measures(query: str, contexts: Sequence[str]) -> Sequence[Any]:
    text = normalise(query)
    documents = tuple(map(Document, contexts))
    return relevance_measures(read(text.text, text.lower), context_chunks.function(documents))
