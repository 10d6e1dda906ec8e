"""Fits `correctness`: whether a response is right, given accepted answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.metrics import balanced_accuracy_score, roc_auc_score

from assay.meaning.agreement import CONFLICTS, agreement, alternatives
from assay.meaning.reading import TextReading, read
from assay.textproc.normal import normalise
from training.fit import write_measures
from training.measures import Bounds, apply, fit_measures
from training.records import fingerprint, folds, held_out, read_records, read_set

SETS = {"evouna_qa": 1.0, "openqa_nq301": 2.0, "truthfulqa_judged": 0.2}
"""Labelled set → the weight of its records."""
PAIRS = {"breaking_nli": 0.04, "negation_nli": 0.02}
"""Source of statement pairs, of which a contradicted one is a wrong answer → weight."""
STUDENTS = 0.02
"""Weight of the answers of students, whose questions are open."""
ARABIC = 0.1
"""Weight of the Arabic headlines that agree with or contradict another one."""
BOUNDS: Bounds = {
    **dict.fromkeys(CONFLICTS, (None, -5.0)),
    "figure": (None, -2.0),
    "same_answer": (0.0, None),
    "length": (-0.2, 0.2),
    "accepted_length": (-0.2, 0.2),
    "absent": (None, -0.5),
    "unlike": (None, 0.0),
    **dict.fromkeys(("recall", "recall_short", "letters", "phrase"), (0.0, None)),
    "incomplete_list": (None, -3.0),
    "recall": (1.5, None),
    "wording": (None, -0.5),
    "unknown": (None, -0.5),
    "full": (0.0, None),
    "figures_missing": (None, 0.0),
    "name": (None, 0.0),
}
"""What is known before: a contradiction never speaks for an answer, a shared word never against."""
THRESHOLDS = np.arange(0.24, 0.6, 0.01)


class Example(NamedTuple):
    """A labelled answer."""

    query: str
    response: str
    accepted: list[str]
    label: int
    group: str
    source: str
    weight: float


def train(data: Path, evidence: Path) -> None:
    """Fit, measure on groups that were held out, and write the model."""
    examples = [*_answers(evidence), *_students(data), *_statements(data), *_headlines(evidence)]
    rows = [_measures(one) for one in examples]
    kept = [(one, row) for one, row in zip(examples, rows, strict=True) if row is not None]
    examples = [one for one, _ in kept]
    names = list(kept[0][1])
    X = np.array([[row[name] for name in names] for _, row in kept])
    y = np.array([one.label for one in examples])
    weights = np.array([one.weight for one in examples])
    fold = folds([one.group for one in examples])
    logits = np.zeros(len(y))
    for fitted_on, measured_on in held_out(fold):
        fitted = fit_measures(X[fitted_on], y[fitted_on], names, weights[fitted_on], BOUNDS)
        logits[measured_on] = apply(X[measured_on], names, fitted)
    figures = _report(examples, y, 1 / (1 + np.exp(-logits)))
    found, bias = fit_measures(X, y, names, weights, BOUNDS)
    for name, weight in sorted(found.items(), key=lambda item: item[1]):
        print(f"  {name:16} {weight:7.3f}")
    manifest = {
        "figures": figures,
        "data": fingerprint(*(evidence / f"{name}.dev.jsonl.gz" for name in SETS)),
    }
    write_measures("correctness", bias, found, manifest)


def reading(text: str) -> TextReading:
    """The text as the metric reads it."""
    found = normalise(text)
    return read(found.text, found.lower)


def _measures(one: Example) -> dict[str, float] | None:
    accepted = [reading(part) for text in one.accepted for part in alternatives(text)]
    query = reading(one.query) if one.query else None
    found = agreement(query, reading(one.response), accepted)
    return dict(found.measures) if found else None


def _answers(evidence: Path) -> Iterator[Example]:
    for name, weight in SETS.items():
        for record in read_set(evidence, name):
            meta = record["meta"]
            accepted = meta.get("answers") or meta.get("correct") or [record["reference"]]
            if name == "evouna_qa":
                accepted = [record["reference"]]
            yield Example(
                record["query"],
                record["response"],
                accepted,
                int(record["label"]),
                meta["group"],
                name,
                weight,
            )


def _students(data: Path) -> Iterator[Example]:
    for record in read_records(data, "correctness"):
        accepted = record.get("references") or [record["expected"]]
        yield Example(
            record["query"],
            record["response"],
            accepted,
            int(record["label"]),
            record["query"],
            record["source"],
            STUDENTS,
        )


def _statements(data: Path) -> Iterator[Example]:
    for record in read_records(data, "support"):
        weight = PAIRS.get(record["source"])
        if weight and record["label"] in ("entail", "contradict") and len(record["a"]) < 400:
            yield Example(
                "",
                record["b"],
                [record["a"]],
                int(record["label"] == "entail"),
                record["a"],
                record["source"],
                weight,
            )


def _headlines(evidence: Path) -> Iterator[Example]:
    for record in read_set(evidence, "ans_stance_ar"):
        label = {"agree": 1, "disagree": 0}.get(record["label"])
        if label is not None:
            yield Example(
                "",
                record["response"],
                [record["reference"]],
                label,
                record["meta"]["group"],
                "ans_stance_ar",
                ARABIC,
            )


def _report(examples: list[Example], y: Any, probabilities: Any) -> dict[str, float]:
    found: dict[str, float] = {}
    sources = np.array([one.source for one in examples])
    for name in dict.fromkeys(sources):
        own = sources == name
        auroc = float(roc_auc_score(y[own], probabilities[own]))
        found[f"auroc {name}"] = round(auroc, 3)
        print(f"{name}: AUROC {auroc:.3f}, accepted {y[own].mean():.3f}, n {own.sum()}")
    for threshold in THRESHOLDS[::2]:
        parts = []
        for name in ("evouna_qa", "openqa_nq301"):
            own = sources == name
            passed = probabilities[own] >= threshold
            balanced = balanced_accuracy_score(y[own], passed)
            precision = y[own][passed].mean()
            parts.append(
                f"{name} pass {passed.mean() - y[own].mean():+.3f} balanced {balanced:.3f} "
                f"precision {precision:.3f}"
            )
        print(f"  at {threshold:.2f}: {'; '.join(parts)}")
    return found
