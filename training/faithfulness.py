"""Fits `faithfulness.json`: is every statement of an answer supported by the contexts?

Records are the development halves of five labelled sets and a sample of public pairs of premise
and hypothesis. A text is scored by the statement that has least support; while fitting, statements
count the more the less support they have. Weights are bound to the sign that their measure should
have, so that none is learnt from an accident of a set, and each set has a bias of its own, so that
none is learnt from what sets have in common. The bias that is kept, and the scale of all weights,
are those under which the scores are probabilities on the two sets of whole answers.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import log
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize

from assay.core import Document
from assay.features.chunks import context_chunks
from assay.features.claims import statements
from assay.features.statements import MEASURES, MODEL, SIGNS, judged
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
PUBLIC_WEIGHT = 1.0
"""What all public pairs together count beside one labelled set."""
CALIBRATED = 2
"""The first so many sets are answers as systems give them, and calibrate the probabilities."""
PENALTY = 1e-3
"""Of the squared weights of standardised measures, in units of the mean loss."""


SURE: Mapping[str, float] = {
    "other_figure": -2.2,
    "denied": -1.9,
    "other_word": -2.2,
    "other_class": -1.9,
    "other_roles": -2.6,
    "other_name": -0.7,
    "figure_absent": -1.1,
    "widened": -1.1,
    "silence": 4.0,
    "broken_silence": -4.0,
}
"""What a measure weighs at least, before calibration. Labels of sets where people accept loose
replies, or that hold few such statements, say too little about them."""


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
    for threshold in (0.45, 0.5, 0.55):
        print(f"verdicts at {threshold}")
        for number, name in enumerate(SETS):
            held = rows.set == number
            print(f"  {name:16} {_verdicts(scores[held], rows.y[held], threshold)}")
    final = _fit(rows)
    sources = [evidence / f"{name}.dev.jsonl.gz" for name in SETS] + [data / "support.jsonl.gz"]
    manifest = {"data": fingerprint(*sources), "records": len(rows.y)}
    write_measures(MODEL, final.bias, dict(zip(MEASURES, final.weights, strict=True)), manifest)


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
    return np.array([[one.measures[name] for name in MEASURES] for one in found])


def _fit(rows: Rows) -> _Fitted:
    """The weights under which the least supported statements have the labels of their texts."""
    fitted = _regress(rows)
    answers = rows.part(rows.set < CALIBRATED)
    if not len(answers.y):
        return fitted
    scale, bias = _platt(fitted.scores(answers), answers.y, _weights(answers, by_label=False))
    return _Fitted(fitted.weights * scale, bias)


def _platt(scores: Array, y: Array, weight: Array) -> tuple[float, float]:
    """Scale and bias that make probabilities of scores."""

    def loss(point: Array) -> float:
        margin = (2.0 * y - 1.0) * (point[0] * scores + point[1])
        return float(weight @ np.logaddexp(0.0, -margin))

    scale, bias = minimize(loss, np.array([1.0, 0.0]), method="BFGS").x
    return float(scale), float(bias)


def _weights(rows: Rows, by_label: bool = True) -> Array:
    """Each set counts alike, and by default each label; the public pairs as one set."""
    weight = np.zeros(len(rows.y))
    for number in np.unique(rows.set):
        for label in (0, 1) if by_label else (None,):
            own = (rows.set == number) & ((rows.y == label) if by_label else True)
            weight[own] = (PUBLIC_WEIGHT if number == len(SETS) else 1.0) / max(1, own.sum())
    return weight / weight.sum()


def _regress(rows: Rows) -> _Fitted:
    """A logistic regression over texts whose weights have the sign of their measure.

    The score of a text is the mean of its statements' scores, each weighing exp(-score).
    """
    scale = rows.X.std(0) + 1e-9
    X, target, weight = rows.X / scale, 2.0 * rows.y - 1.0, _weights(rows)
    size, width, count = len(rows.y), X.shape[1], len(SETS) + 1
    bounds = [_bounds(name, own) for name, own in zip(MEASURES, scale, strict=True)]

    def loss(point: Array) -> tuple[float, Array]:
        own, biases = point[:width], point[width:]
        scores = X @ own
        odds = np.exp(-np.clip(scores, -30, 30))
        part = odds / np.bincount(rows.text, odds, size)[rows.text]
        mean = np.bincount(rows.text, part * scores, size)
        margin = target * (mean + biases[rows.set])
        value = weight @ np.logaddexp(0.0, -margin) + PENALTY * (own @ own)
        slope = -weight * target / (1.0 + np.exp(margin))
        inner = slope[rows.text] * part * (1.0 - scores + mean[rows.text])
        gradient = X.T @ inner + 2 * PENALTY * own
        return float(value), np.append(gradient, np.bincount(rows.set, slope, count))

    start = np.array(
        [0.0 if low is None and high is None else low or high or 0.0 for low, high in bounds]
        + [0.0] * count
    )
    found = minimize(
        loss, start, jac=True, bounds=bounds + [(None, None)] * count, method="L-BFGS-B"
    ).x
    return _Fitted(found[:width] / scale, 0.0)


def _bounds(name: str, scale: float) -> tuple[float | None, float | None]:
    """The least and greatest weight of a measure that was divided by its scale."""
    if name not in SIGNS:
        return None, None
    least = SURE.get(name, 0.0) * scale
    return (least, None) if SIGNS[name] > 0 else (None, least)


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
