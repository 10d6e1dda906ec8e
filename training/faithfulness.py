"""Fits `faithfulness.json`: is every statement of an answer supported by the contexts?

Records are the development halves of five labelled sets and a sample of public pairs of premise
and hypothesis. Weights are fitted to the mean measures of a text's statements and bound to the sign
that their measure should have, so that none is learnt from an accident of a set. A text is scored
by the statement that has least support.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import starmap
from math import log
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize

from assay.core import Document
from assay.features.chunks import context_chunks
from assay.features.claims import statements
from assay.features.statements import MODEL, SIGNS, judged
from assay.stats.ranking import auroc
from assay.textproc.language import language_of
from assay.textproc.normal import normalise
from training.fit import write_measures
from training.records import fingerprint, folds, read_records, read_set

Array = Any
"""A numpy array."""
SETS = ("begin", "faithdial_audit", "wice_citation", "fever_symmetric", "summedits")
PER_SOURCE = 600
"""So many pairs of each public source are used."""
LEFT_OUT = frozenset(("tabfact", "scitab", "infotabs", "med", "paws"))
"""Tables, and pairs whose label is not support."""
PUBLIC_WEIGHT = 0.3
"""What all public pairs together count beside one labelled set."""
PENALTY = 3e-3
"""Of the squared weights of standardised measures, in units of the mean loss."""


SURE: Mapping[str, float] = {
    "other_figure": -3.0,
    "denied": -2.5,
    "other_word": -3.0,
    "other_class": -2.5,
    "other_roles": -3.5,
    "other_name": -1.0,
    "figure_absent": -1.5,
    "widened": -1.5,
    "silence": 4.0,
    "broken_silence": -4.0,
}
"""What a measure weighs at least. Labels of sets where people accept loose replies, or that hold
few such statements, say too little about them."""


class Rows(NamedTuple):
    """Statements in numbers, and the texts that they belong to."""

    X: Array
    text: Array
    """Statement → its text."""
    y: Array
    group: Array
    set: Array

    def part(self, chosen: Array) -> Rows:
        """Some of the texts with their statements."""
        kept = chosen[self.text]
        number = np.cumsum(chosen) - 1
        return Rows(
            self.X[kept],
            number[self.text[kept]],
            self.y[chosen],
            self.group[chosen],
            self.set[chosen],
        )

    def least(self, logits: Array) -> Array:
        """The statement of each text that has least support."""
        order = np.lexsort((logits, self.text))
        _, first = np.unique(self.text[order], return_index=True)
        return order[first]


def train(data: Path, evidence: Path) -> None:
    """Fit the model, print how well it ranks records whose groups or sets were left out."""
    rows = _rows(data, evidence)
    fold = folds(list(rows.group))
    scores, transfer = np.zeros(len(rows.y)), np.zeros(len(rows.y))
    for number in np.unique(fold):
        held = fold == number
        scores[held] = _fit(rows.part(~held)).scores(rows.part(held))
    for number in range(len(SETS)):
        held = rows.set == number
        transfer[held] = _fit(rows.part(~held)).scores(rows.part(held))
    for number, name in enumerate(SETS):
        held = rows.set == number
        print(
            f"{name:16} n={held.sum():5} AUROC {auroc(scores[held], rows.y[held]):.3f}"
            f" (set left out {auroc(transfer[held], rows.y[held]):.3f})"
        )
    held = rows.set == len(SETS)
    print(f"{'public pairs':16} n={held.sum():5} AUROC {auroc(scores[held], rows.y[held]):.3f}")
    for threshold in (0.5, 0.57, 0.65):
        print(f"verdicts at {threshold}")
        for number, name in enumerate(SETS):
            held = rows.set == number
            print(f"  {name:16} {_verdicts(scores[held], rows.y[held], threshold)}")
    final = _fit(rows)
    sources = [evidence / f"{name}.dev.jsonl.gz" for name in SETS] + [data / "support.jsonl.gz"]
    manifest = {"data": fingerprint(*sources), "records": len(rows.y)}
    write_measures(MODEL, final.bias, dict(zip(SIGNS, final.weights, strict=True)), manifest)


class _Fitted(NamedTuple):
    weights: Array
    bias: float

    def logits(self, X: Array) -> Array:
        return X @ self.weights + self.bias

    def scores(self, rows: Rows) -> Array:
        logits = self.logits(rows.X)
        return logits[rows.least(logits)]


def _rows(data: Path, evidence: Path) -> Rows:
    texts: list[tuple[Array, int, str, int]] = []
    for number, name in enumerate(SETS):
        for record in read_set(evidence, name):
            own = _measures(record["response"], record["contexts"], record.get("query"))
            texts.append((own, int(record["label"]), record["meta"]["group"], number))
    for record in _public(read_records(data, "support")):
        own = _measures(record["b"], [record["a"]], None)
        texts.append((own, int(record["label"] == "entail"), record["a"][:80], len(SETS)))
    texts = [text for text in texts if len(text[0])]
    statements, y, group, set_ = zip(*texts, strict=True)
    return Rows(
        np.concatenate(statements),
        np.repeat(np.arange(len(texts)), [len(own) for own in statements]),
        np.array(y),
        np.array(group),
        np.array(set_),
    )


def _public(records: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """So many records of each source, by chance."""
    taken: Counter[str] = Counter()
    order = list(records)
    random.Random(0).shuffle(order)
    for record in order:
        source = record["source"]
        if source not in LEFT_OUT and taken[source] < PER_SOURCE:
            taken[source] += 1
            yield record


def _measures(response: str, contexts: Sequence[str], query: str | None) -> Array:
    """The statements of a text in numbers, one row each."""
    documents = tuple(map(Document, contexts))
    given = normalise(query) if query else None
    claims = statements(normalise(response), documents)
    chunks = context_chunks.function(documents)
    found = judged(claims, chunks, language_of(response), given)
    return np.array([[one.measures[name] for name in SIGNS] for one in found])


def _fit(rows: Rows) -> _Fitted:
    """The weights under which the mean of each text's statements has its label.

    Looking for the least supported statement of each text anew with every fit was tried: AUROC is
    the same but for WiCE (+.01), and more of BEGIN passes than people accept.
    """
    sums = np.zeros((len(rows.y), rows.X.shape[1]))
    np.add.at(sums, rows.text, rows.X)
    return _regress(sums / np.bincount(rows.text)[:, None], rows.y, _weights(rows))


def _weights(rows: Rows) -> Array:
    """Each set and each label counts alike, the public pairs less."""
    weight = np.zeros(len(rows.y))
    for number in np.unique(rows.set):
        for label in (0, 1):
            own = (rows.set == number) & (rows.y == label)
            weight[own] = (PUBLIC_WEIGHT if number == len(SETS) else 1.0) / max(1, own.sum())
    return weight / weight.sum()


def _regress(X: Array, y: Array, weight: Array) -> _Fitted:
    """A logistic regression whose weights have the sign of their measure."""
    scale = X.std(0) + 1e-9
    target = 2.0 * y - 1.0
    bounds = [*starmap(_bounds, SIGNS.items()), (None, None)]

    def loss(point: Array) -> tuple[float, Array]:
        own = point[:-1]
        margin = target * (X @ own + point[-1])
        value = weight @ np.logaddexp(0.0, -margin) + PENALTY * ((own * scale) @ (own * scale))
        slope = -weight * target / (1.0 + np.exp(margin))
        gradient = np.append(X.T @ slope + 2 * PENALTY * own * scale**2, slope.sum())
        return float(value), gradient

    start = np.array(
        [0.0 if low is None and high is None else (low or high or 0.0) for low, high in bounds]
    )
    found = minimize(loss, start, jac=True, bounds=bounds, method="L-BFGS-B").x
    return _Fitted(found[:-1], float(found[-1]))


def _bounds(name: str, sign: int) -> tuple[float | None, float | None]:
    least = SURE.get(name, 0.0)
    return (least, None) if sign > 0 else (None, least)


def _verdicts(scores: Array, labels: Array, threshold: float) -> str:
    """What the verdicts from a probability on are worth."""
    said = scores >= log(threshold / (1.0 - threshold))
    right = said == (labels == 1)
    balanced = (right[labels == 1].mean() + right[labels == 0].mean()) / 2
    precision = labels[said].mean() if said.any() else 0.0
    return (
        f"passes {said.mean():.3f}, people accept {labels.mean():.3f}, "
        f"balanced accuracy {balanced:.3f}, precision {precision:.3f}"
    )
