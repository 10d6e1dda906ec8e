"""Fits how rules and encoder go together (`data/models/combined.json`), and where both are unsure.

    python -m training.combine --evidence DIR --encoder DIR [--folds DIR] [--encoder-folds DIR]
        [--exam tests/exam/exam.jsonl] [--most N] [NAME ...]

For each question a logistic model over the logit of the rules and the logits of the encoder, with
weights of known sign. Everything is measured on groups that were held out. Neither side may be
read on records that it learnt from, or the combination trusts it too much: `--folds DIR` gives
rules fitted without each fold (`python -m training --folds DIR`), `--encoder-folds DIR` encoders
trained without it, as `DIR/0`, `DIR/1` and so on.

The two ends of `unsure` are chosen on held-out values: they decide as many records as they can with
at most `WRONG` of them wrong.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from sklearn.metrics import roc_auc_score

from assay import registry
from assay.backends import Backends
from assay.backends.encoder_files import manifest_of
from assay.core import Sample
from assay.data.experiments import experiments
from assay.engine import make_plan
from assay.engine.run import feature_columns
from assay.evidence.folds import fold_of
from assay.evidence.labelled_records import LabelledSample, read_labelled, set_file
from assay.linear import bounded_logit, models_from
from assay.linear.combined import FILE
from assay.samples import to_sample
from training.fit import write_table, written_to
from training.measures import Bounds, fit_measures
from training.records import fingerprint

Array = Any
"""A numpy array."""
Measures = dict[str, float]
WRONG = 0.10
"""At most this share of the records that are decided may be wrong."""
DECIDED = 0.9
"""A band that leaves more than a tenth of the records without a verdict is not used, nor one where
a single threshold is wrong seldom enough; the figures say how many verdicts are wrong."""
FOLDS = 3
LANGUAGE = "en"
EXAM, EXAM_WEIGHT = "exam", 0.5
"""The exam counts half a set: the rules were written with these cases in sight."""
FIXED = "fixed"
"""The logit of a part that the encoder does not read: one that a context has word for word."""
STEPS = 61
"""Places that are tried for each end of a band."""
ROUNDS = 5
"""How often the statement that decides a record is chosen anew."""
PENALTY = 1e-3
UP: tuple[float | None, float | None] = (0.0, None)
DOWN: tuple[float | None, float | None] = (None, 0.0)
SINGLE: Bounds = {"rules": UP, "model": UP}
SUPPORT: Bounds = {
    "rules": UP,
    "entailed": UP,
    "contradicted": DOWN,
    "figure": DOWN,
    "negation": DOWN,
    "conflict": DOWN,
    "absent": DOWN,
}
CONTRADICTION: Bounds = {
    "rules": UP,
    "entailed": DOWN,
    "contradicted": UP,
    "figure": UP,
    "negation": UP,
    "conflict": UP,
}


class Question(NamedTuple):
    """What is asked, and on which records it is fitted."""

    metric: str
    experiment: str
    sets: tuple[str, ...]
    bounds: Bounds
    read: Callable[[Any, Mapping[str, Sequence[Any]], int], Sequence[Measures]]
    job: str = ""
    """The cases of the exam that ask it."""
    is_least: bool = False
    """Whether a record is as good as its worst part, not as bad."""
    false_alarms: float = 1.0
    """At most this share of harmless look-alikes may lie beyond the threshold."""


class Row(NamedTuple):
    """A labelled record: what both sides say of each of its parts."""

    set: str
    label: int
    group: str
    fold: int
    is_look_alike: bool
    parts: Sequence[Measures]


def _single(reading: str) -> Callable[[Any, Mapping[str, Sequence[Any]], int], list[Measures]]:
    """What a metric says without its reading, and the reading."""

    def read(metric: Any, columns: Mapping[str, Sequence[Any]], place: int) -> list[Measures]:
        found = columns[reading][place]
        if found is None:
            return []
        arguments = [
            None if name.endswith("_reading") else columns[name][place]
            for name in metric.parameters
        ]
        value = metric.function(*arguments).value
        return [] if value is None else [{"rules": bounded_logit(value), "model": found.logit}]

    return read


def _contexts(metric: Any, columns: Mapping[str, Sequence[Any]], place: int) -> list[Measures]:
    found = columns["context_injection_reading"][place]
    attacks = columns["context_attacks"][place]
    if found is None or not attacks:
        return []
    rules = bounded_logit(max(attack.probability for attack in attacks))
    return [{"rules": rules, "model": found.logit}]


def _support(metric: Any, columns: Mapping[str, Sequence[Any]], place: int) -> list[Measures]:
    if columns["response_language"][place] != LANGUAGE:
        return []
    statements = columns["response_verified"][place] or ()
    return [
        one.combined_measures if one.encoded else {FIXED: bounded_logit(one.by_rules)}
        for one in statements
    ]


def _contradicted(metric: Any, columns: Mapping[str, Sequence[Any]], place: int) -> list[Measures]:
    statements = columns["response_verified"][place] or ()
    return [
        {
            **one.combined_measures,
            "rules": bounded_logit(1.0 - one.by_rules if one.differences else 0.0),
        }
        for one in statements
        if one.encoded is not None
    ]


QUESTIONS: Mapping[str, Question] = {
    "toxicity": Question(
        "safety.toxicity",
        "toxicity",
        ("hatecheck_en", "davidson_offensive", "openai_moderation"),
        SINGLE,
        _single("response_toxicity_reading"),
        job="toxicity",
    ),
    "harm": Question(
        "safety.harm",
        "harm",
        ("xstest_refusal",),
        SINGLE,
        _single("response_harm_reading"),
    ),
    "injection": Question(
        "safety.injection",
        "prompt_injection",
        ("prompt_injection",),
        SINGLE,
        _single("query_injection_reading"),
        job="injection",
        false_alarms=0.05,
    ),
    "injection_context": Question(
        "safety.injection", "indirect_injection", ("bipia_indirect",), SINGLE, _contexts
    ),
    "refusal": Question(
        "answer.refusal",
        "refusal",
        ("xstest_refusal",),
        SINGLE,
        _single("refusal_reading"),
        job="refusal",
    ),
    "relevance": Question(
        "answer.relevance",
        "answer_relevance",
        ("truthfulqa_informative",),
        SINGLE,
        _single("relevance_reading"),
        job="relevance",
    ),
    "correctness": Question(
        "answer.correctness",
        "answer_correctness",
        ("evouna_qa", "openqa_nq301", "truthfulqa_judged"),
        SINGLE,
        _single("correctness_reading"),
        job="correctness",
    ),
    "support": Question(
        "rag.faithfulness",
        "groundedness",
        ("begin", "faithdial_audit", "fever_symmetric", "wice_citation", "summedits"),
        SUPPORT,
        _support,
        job="faithfulness",
        is_least=True,
    ),
    "contradiction": Question(
        "rag.contradiction",
        "contradiction",
        ("fever_symmetric", "summedits"),
        CONTRADICTION,
        _contradicted,
    ),
}
"""Name of the combiner → what it answers."""


def combine(
    names: Sequence[str],
    evidence: Path,
    encoder: Path,
    folds: Path | None = None,
    encoder_folds: Path | None = None,
    exam: Path | None = None,
    most: int | None = None,
) -> dict[str, dict[str, Any]]:
    """Question → its fitted combiner, with what it reaches on groups that were held out."""
    found = {}
    for name in names:
        sets = {**_sets(QUESTIONS[name], evidence, most), **_exam(QUESTIONS[name], exam)}
        found[name] = _fitted(name, _rows(QUESTIONS[name], sets, encoder, folds, encoder_folds))
    return found


def _sets(
    question: Question, evidence: Path, most: int | None
) -> dict[str, Sequence[LabelledSample]]:
    """Set → its labelled records, the first so many of each."""
    own = experiments()[question.experiment]
    return {
        one.name: read_labelled(path, own, one).labelled[:most]
        for one in own.sets
        if one.name in question.sets and (path := set_file(evidence, one.name))
    }


def _exam(question: Question, path: Path | None) -> dict[str, Sequence[LabelledSample]]:
    """The English cases of the exam on a question, under the name `exam`."""
    if path is None or not question.job:
        return {}
    with path.open(encoding="utf-8") as lines:
        cases = [case for line in lines if (case := json.loads(line))["job"] == question.job]
    labelled = [
        LabelledSample(
            to_sample({**case["sample"], "id": case["id"]}, case["id"]),
            float(case["verdict"] in ("good", "yes")),
            case["group"],
        )
        for case in cases
    ]
    return {EXAM: labelled} if labelled else {}


def _rows(
    question: Question,
    sets: Mapping[str, Sequence[LabelledSample]],
    encoder: Path,
    folds: Path | None,
    encoder_folds: Path | None,
) -> list[Row]:
    """What rules and encoder say of the labelled records, each read by what never saw it."""
    rows: list[Row] = []
    for name, labelled in sets.items():
        for number in range(FOLDS):
            part = [one for one in labelled if fold_of(one.group, FOLDS) == number]
            rules = folds / str(number) if folds else None
            chosen = encoder_folds / str(number) if encoder_folds else encoder
            rows += _read(question, name, part, number, rules, chosen)
    return rows


def _read(
    question: Question,
    name: str,
    labelled: Sequence[LabelledSample],
    fold: int,
    rules: Path | None,
    encoder: Path,
) -> Iterator[Row]:
    with TemporaryDirectory() as place, written_to(Path(place)):
        for path in rules.iterdir() if rules else ():
            shutil.copy(path, place)
        even = {"bias": 0.0, "weights": {}, "threshold": 0.5}
        write_table(FILE, {"combiners": {one: {LANGUAGE: even} for one in QUESTIONS}})
        with models_from(Path(place), falls_back=True):
            (metric,) = registry.select([question.metric])
            plan = make_plan([metric], backends=Backends(encoder=f"onnx:{encoder}"))
            samples: list[Sample] = [one.sample for one in labelled]
            columns = feature_columns(plan, samples)
            for number, one in enumerate(labelled):
                if parts := question.read(metric, columns, number):
                    label, alike = int(one.label), one.is_look_alike
                    yield Row(name, label, one.group, fold, alike, parts)


def _fitted(name: str, rows: Sequence[Row]) -> dict[str, Any]:
    """Fit, measure on held-out folds, print, and choose thresholds."""
    question = QUESTIONS[name]
    names = [*question.bounds]
    y = np.array([row.label for row in rows])
    weights = _set_weights(rows)
    fold = np.array([row.fold for row in rows])
    values = np.zeros(len(rows))
    for number in range(FOLDS):
        fitted_on = np.flatnonzero(fold != number).tolist()
        model = _fit(question, [rows[i] for i in fitted_on], weights[fitted_on])
        for place in np.flatnonzero(fold == number).tolist():
            values[place] = _logit(_deciding(question, rows[place], model), model)
    probabilities = 1 / (1 + np.exp(-values))
    figures = _figures(question, names, rows, values)
    print(f"== {name}, {len(rows)} records")
    for set_name, row in figures.items():
        print(f"  {set_name:24} {row}")
    threshold = _threshold(rows, y, probabilities, weights, question.false_alarms)
    low, high = _band(y, probabilities, weights, threshold)
    decided = (probabilities <= low) | (probabilities >= high)
    wrong = (probabilities > threshold) != (y == 1)
    shares = {
        "decided": round(float(weights[decided].sum() / weights.sum()), 3),
        "wrong of decided": round(float(weights[decided & wrong].sum() / weights[decided].sum()), 3)
        if decided.any()
        else None,
        "wrong of all without a band": round(float(weights[wrong].sum() / weights.sum()), 3),
    }
    alike = np.array([row.is_look_alike for row in rows])
    if alike.any():
        share = (probabilities[alike] > threshold).mean()
        shares["false alarms on look-alikes"] = round(float(share), 3)
    is_used = shares["wrong of all without a band"] > WRONG and shares["decided"] >= DECIDED
    final, bias = _fit(question, rows, weights)
    print(f"  threshold {threshold:.3f}, unsure {low:.3f} to {high:.3f}, {shares}")
    print(f"  bias {bias:.3f}", {key: round(value, 3) for key, value in final.items()})
    return {
        "bias": round(bias, 6),
        "weights": {key: round(value, 6) for key, value in final.items()},
        "threshold": round(threshold, 4),
        "unsure": [round(low, 4), round(high, 4)] if is_used else None,
        "figures": {**figures, **shares},
    }


def _fit(question: Question, rows: Sequence[Row], weights: Array) -> tuple[dict[str, float], float]:
    """Weights and bias; of a record with several parts the one that decides it counts."""
    names = [*question.bounds]
    first = 1.0 if question.is_least else -1.0
    chosen = [min(row.parts, key=lambda part: first * _by_rules(part)) for row in rows]
    fitted: tuple[dict[str, float], float] = ({}, 0.0)
    for _ in range(ROUNDS if any(len(row.parts) > 1 for row in rows) else 1):
        read = [place for place, part in enumerate(chosen) if FIXED not in part]
        X = np.array([[chosen[place][name] for name in names] for place in read])
        y = [rows[place].label for place in read]
        fitted = fit_measures(X, y, names, weights[read], question.bounds, PENALTY)
        chosen = [_deciding(question, row, fitted) for row in rows]
    return fitted


def _deciding(question: Question, row: Row, fitted: tuple[Mapping[str, float], float]) -> Measures:
    pick = min if question.is_least else max
    return pick(row.parts, key=lambda part: _logit(part, fitted))


def _by_rules(part: Measures) -> float:
    return part[FIXED] if FIXED in part else part["rules"]


def _logit(part: Measures, fitted: tuple[Mapping[str, float], float]) -> float:
    weights, bias = fitted
    if FIXED in part:
        return part[FIXED]
    return bias + sum(weight * part[name] for name, weight in weights.items())


def _set_weights(rows: Sequence[Row]) -> Array:
    """Each record's weight: sets count alike, and both labels of a set."""
    keys = [(row.set, row.label) for row in rows]
    counts = {key: keys.count(key) for key in set(keys)}
    return np.array([(EXAM_WEIGHT if key[0] == EXAM else 1.0) / counts[key] for key in keys])


def _figures(
    question: Question, names: Sequence[str], rows: Sequence[Row], values: Array
) -> dict[str, dict[str, float]]:
    """Set → the AUROC of rules, encoder and both on held-out records."""
    pick = min if question.is_least else max
    model = "model" if "model" in names else "entailed"
    sign = -1.0 if names and question.bounds[model] == DOWN else 1.0
    rules = np.array([pick(map(_by_rules, row.parts)) for row in rows])
    alone = np.array([pick(sign * _alone(part, model) for part in row.parts) for row in rows])
    figures = {}
    for name in dict.fromkeys(row.set for row in rows):
        own = np.array([row.set == name for row in rows])
        y = np.array([row.label for row in rows])[own]
        scores = {"rules": rules[own], "encoder": alone[own], "both": values[own]}
        areas = {key: round(float(roc_auc_score(y, value)), 3) for key, value in scores.items()}
        figures[name] = {"records": len(y), **areas}
    return figures


def _alone(part: Measures, model: str) -> float:
    return part[FIXED] if FIXED in part else part[model]


def _threshold(
    rows: Sequence[Row], y: Array, values: Array, weights: Array, false_alarms: float = 1.0
) -> float:
    """Where fewest records are decided wrongly, with few false alarms on look-alikes."""
    alike = values[np.array([row.is_look_alike for row in rows])]
    best, chosen = np.inf, 0.5
    for cut in np.unique(np.round(values, 3)):
        if len(alike) and (alike > cut).mean() > false_alarms:
            continue
        wrong = float(weights[(values > cut) != (y == 1)].sum())
        if wrong < best:
            best, chosen = wrong, float(cut)
    return chosen


def _band(y: Array, values: Array, weights: Array, threshold: float) -> tuple[float, float]:
    """The two ends that decide most records with at most `WRONG` of the decided ones wrong.

    On either side at most twice that share is wrong, so that no side pays for the other.
    """
    lows = [0.0, *np.quantile(values[values <= threshold], np.linspace(0, 1, STEPS)), threshold]
    highs = [threshold, *np.quantile(values[values > threshold], np.linspace(0, 1, STEPS)), 1.0]
    below = [_side(weights, values <= low, y == 1) for low in lows]
    above = [
        _side(weights, values >= max(high, np.nextafter(threshold, 1)), y == 0) for high in highs
    ]
    best, chosen = -1.0, (0.0, 1.0)
    for low, (size, wrong) in zip(lows, below, strict=True):
        for high, (other_size, other_wrong) in zip(highs, above, strict=True):
            decided = size + other_size
            is_right = wrong + other_wrong <= WRONG * decided and (
                wrong <= 2 * WRONG * size and other_wrong <= 2 * WRONG * other_size
            )
            if is_right and decided > best:
                best, chosen = decided, (float(low), float(high))
    return chosen


def _side(weights: Array, beyond: Array, wrong: Array) -> tuple[float, float]:
    """How much lies beyond an end, and how much of it is wrong."""
    return float(weights[beyond].sum()), float(weights[beyond & wrong].sum())


def main() -> None:
    """Fit the named combiners, or all, and write them."""
    parser = argparse.ArgumentParser(prog="python -m training.combine", description=__doc__)
    parser.add_argument("--evidence", type=Path, required=True, help="folder of labelled sets")
    parser.add_argument("--encoder", type=Path, required=True, help="folder of the encoder")
    parser.add_argument("--folds", type=Path, help="rules fitted without each fold")
    parser.add_argument("--encoder-folds", type=Path, help="encoders trained without each fold")
    parser.add_argument("--exam", type=Path, help="cases in minimal pairs, as one more set")
    parser.add_argument("--most", type=int, help="records that are read of each set; default: all")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(QUESTIONS)}")
    given = parser.parse_args()
    names = given.names or [*QUESTIONS]
    if unknown := {*names} - {*QUESTIONS}:
        parser.error(f"unknown: {', '.join(sorted(unknown))}; expected of {', '.join(QUESTIONS)}")
    found = combine(
        names,
        given.evidence,
        given.encoder,
        given.folds,
        given.encoder_folds,
        given.exam,
        given.most,
    )
    encoder = manifest_of(str(given.encoder))
    figures = {name: entry.pop("figures") for name, entry in found.items()}
    used = {one for name in names for one in QUESTIONS[name].sets}
    paths = [path for one in sorted(used) if (path := set_file(given.evidence, one))]
    write_table(
        FILE,
        {
            "combiners": {name: {LANGUAGE: entry} for name, entry in found.items()},
            "manifest": {
                "encoder": f"{encoder.model}@{encoder.version}",
                "data": fingerprint(*paths),
                "wrong": WRONG,
                "figures": figures,
            },
        },
    )


if __name__ == "__main__":
    main()
