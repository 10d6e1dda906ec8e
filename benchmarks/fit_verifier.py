"""Fit the weights of `data/verifier.toml`: `python -m benchmarks.fit_verifier --data DIR`.

DIR holds five labelled sets, one JSON object a line. The score of a response is the mean over its
claims of a logistic combination of measures; each set and each label counts alike, the measures
are standardised, weights are held to the sign that their measure should have, and an L2 penalty
keeps them small. Printed are AUROCs with the weights fitted on other groups of all sets (five
folds) and on the four other sets only, and the two tables of weights.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize

from assay.backends import Backends
from assay.core import Sample
from assay.data.experiments import Experiment, experiments
from assay.evidence.labelled_records import LabelledSample, read_labelled, set_file
from assay.features.chunks import context_chunks
from assay.features.claims import response_claims
from assay.features.language import language
from assay.features.normal import normal
from assay.features.support import claim_support
from assay.features.verification import DOUBTED, AssertionMeasures, measured
from assay.features.words import words
from assay.stats.grouped import grouped_interval
from assay.stats.ranking import auroc, auroc_of

Array = Any
"""A numpy array."""
ID = "governance.groundedness"
"""The experiment for this metric names the sets."""
LEXICAL: Mapping[str, int] = {
    "coverage": 1,
    "words": 1,
    "number_absent": -1,
    "number_found": 1,
    "name_absent": -1,
    "ending_absent": -1,
    "negation_added": -1,
    "opposite": -1,
    "absolute": -1,
    "personal": -1,
}
"""Measure → the sign of its weight."""
SEMANTIC = {**LEXICAL, "cosine": 1, "likeness": 1}
PENALTY = 1.0
LOSS_SCALE = 1000
"""What the loss of all responses together counts, in units of the penalty."""
FOLDS = 5
BATCH = 256
"""Samples that are measured at a time."""
_EDGE = 1e-6


@dataclass
class Data:
    """The claims of all sets, one row each, and the responses that they belong to."""

    sets: list[str]
    claims: Array
    """Measures, one column each; the last, whether the claim stands there word for word, has a
    weight that is fitted and not used."""
    is_doubted: Array
    response: Array
    """Claim → its response's index."""
    label: Array
    set: Array
    """Response → its set's index."""
    group: Array

    def mean(self, values: Array) -> Array:
        """The mean over the claims of each response."""
        size = len(self.label)
        sums = np.bincount(self.response, values, minlength=size)
        return sums / np.maximum(1, np.bincount(self.response, minlength=size))

    def part(self, chosen: Array) -> Data:
        """Some of the responses with their claims."""
        kept = chosen[self.response]
        number = np.cumsum(chosen) - 1
        return Data(
            self.sets,
            self.claims[kept],
            self.is_doubted[kept],
            number[self.response[kept]],
            self.label[chosen],
            self.set[chosen],
            self.group[chosen],
        )


@dataclass
class Fitted:
    """Weights, one a column, and the bias."""

    weights: Array
    bias: float

    def scores(self, data: Data) -> Array:
        """What the product would say of each response."""
        supports = _logistic(data.claims @ self.weights + self.bias)
        supports = np.where(data.is_doubted, supports * DOUBTED, supports)
        return data.mean(np.where(data.claims[:, -1] > 0, 1.0, supports))


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fit_verifier", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder of the labelled sets")
    parser.add_argument("--split", default="dev", help="which part of each set (default: dev)")
    parser.add_argument("--embedder", default="use", help="for the semantic weights (default: use)")
    options = parser.parse_args(argv)
    labelled = read_sets(options.data, options.split)
    for kind, embedder, signs in (
        ("lexical", "", LEXICAL),
        ("semantic", options.embedder, SEMANTIC),
    ):
        data = measure(labelled, Backends(embedder=embedder), [*signs])
        print("\n".join([f"# {kind}", *assess(data, [*signs.values(), 1]), ""]))
        print("\n".join([*table(kind, fit(data, [*signs.values(), 1]), [*signs]), ""]), flush=True)


def read_sets(folder: Path, split: str | None = None) -> dict[str, list[LabelledSample]]:
    """The labelled records of the sets that the folder has."""
    experiment = _experiment()
    files = [(one, set_file(folder, one.name, split)) for one in experiment.sets]
    return {one.name: read_labelled(path, experiment, one).labelled for one, path in files if path}


def _experiment() -> Experiment:
    return next(one for one in experiments().values() if ID in one.metrics)


def measure(
    labelled: Mapping[str, Sequence[LabelledSample]], backends: Backends, names: Sequence[str]
) -> Data:
    """The claims of all sets in numbers; responses without claims are left out."""
    rows: list[tuple[int, AssertionMeasures]] = []
    responses: list[tuple[float, int, str]] = []
    for place, (name, records) in enumerate(labelled.items()):
        found = _measured([record.sample for record in records], backends)
        for record, claims in zip(records, found, strict=True):
            if claims:
                rows += [(len(responses), claim) for claim in claims]
                responses.append((record.label, place, f"{name}{record.group}"))
    label, of_set, group = zip(*responses, strict=True)
    return Data(
        [*labelled],
        np.array([_numbers(claim, names) for _, claim in rows]),
        np.array([claim.is_doubted for _, claim in rows]),
        np.array([response for response, _ in rows]),
        np.array(label),
        np.array(of_set),
        np.array(group),
    )


def _measured(samples: Sequence[Sample], backends: Backends) -> Iterator[list[AssertionMeasures]]:
    source, embedder = iter(samples), backends.get("embedder")
    while batch := list(islice(source, BATCH)):
        texts = [normal.feature(sample.response or "") for sample in batch]
        claims = [response_claims(t, s.contexts) for t, s in zip(texts, batch, strict=True)]
        chunks = [context_chunks(sample.contexts) for sample in batch]
        spoken = [language.feature(text, words.feature(text)) for text in texts]
        supports = [claim_support(*one) for one in zip(claims, chunks, spoken, strict=True)]
        yield from measured(claims, chunks, supports, embedder)


def _numbers(claim: AssertionMeasures, names: Sequence[str]) -> list[float]:
    """A row of the table; a claim that stands there word for word is as like as can be."""
    exact = float(claim.is_exact)
    return [*(claim.measures.get(name, exact) for name in names), exact]


def fit(data: Data, signs: Sequence[int]) -> Fitted:
    """The weights with the least loss."""
    mean, spread = data.claims.mean(0), data.claims.std(0) + 1e-9
    standard = (data.claims - mean) / spread
    per_response = np.bincount(data.response, minlength=len(data.label))
    share = _shares(data)

    def loss(x: Array) -> tuple[float, Array]:
        claims = _logistic(standard @ x[:-1] + x[-1])
        found = np.clip(data.mean(claims), _EDGE, 1 - _EDGE)
        wrong = -share * (data.label * np.log(found) + (1 - data.label) * np.log(1 - found))
        slope = -share * (data.label / found - (1 - data.label) / (1 - found)) / per_response
        inner = slope[data.response] * claims * (1 - claims)
        gradient = np.append(standard.T @ inner + 2 * PENALTY * x[:-1], inner.sum())
        return wrong.sum() + PENALTY * (x[:-1] ** 2).sum(), gradient

    bounds = [(0, None) if sign > 0 else (None, 0) for sign in signs] + [(None, None)]
    start = np.zeros(len(signs) + 1)
    x = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds).x
    weights = x[:-1] / spread
    return Fitted(weights, float(x[-1] - weights @ mean))


def _shares(data: Data) -> Array:
    """How much each response counts: each set alike, and each label alike within it."""
    share = np.zeros(len(data.label))
    for place in np.unique(data.set):
        for label in (0, 1):
            chosen = (data.set == place) & (data.label == label)
            share[chosen] = 0.5 / max(1, chosen.sum())
    return share / share.sum() * LOSS_SCALE


def assess(data: Data, signs: Sequence[int]) -> Iterator[str]:
    """AUROCs of each set: over folds of groups, and fitted without the set."""
    folds = _held_out(data, signs, _folds(data.group))
    others = _held_out(data, signs, data.set)
    for place, name in enumerate(data.sets):
        own = data.set == place
        label, group = data.label[own], data.group[own].tolist()
        said = [_said(found[own], label, group) for found in (folds, others)]
        yield f"# {name}: {own.sum():,} responses, five folds {said[0]}, left out {said[1]}"


def _held_out(data: Data, signs: Sequence[int], part: Array) -> Array:
    """The score of each response by weights that were fitted without its part."""
    found = np.zeros(len(data.label))
    for one in np.unique(part):
        held = part == one
        if not held.all():
            found[held] = fit(data.part(~held), signs).scores(data.part(held))
    return found


def _folds(groups: Array) -> Array:
    """A fold for each response, the same for all of a group."""
    known = np.unique(groups)
    folds = np.random.default_rng(0).permutation(len(known)) % FOLDS
    return folds[np.searchsorted(known, groups)]


def _said(scores: Array, labels: Array, groups: Sequence[str]) -> str:
    value, interval = auroc(scores, labels), grouped_interval(auroc_of(scores, labels), groups)
    around = f" [{interval.low:.3f}, {interval.high:.3f}]" if interval else ""
    return f"{value:.3f}{around}" if value is not None else "–"


def table(kind: str, found: Fitted, names: Sequence[str]) -> Iterator[str]:
    """The weights as they stand in the file."""
    yield f"[{kind}]\nbias = {found.bias:.2f}\n\n[{kind}.weights]"
    for name, weight in zip(names, found.weights, strict=False):
        yield f"{name} = {weight:.2f}"


def _logistic(values: Array) -> Array:
    return 1 / (1 + np.exp(-values))


if __name__ == "__main__":
    main()
