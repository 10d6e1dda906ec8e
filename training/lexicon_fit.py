"""Fits the two models of a safety metric: n-grams, and n-grams with measures of a lexicon."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from assay.safety.marks import Mark
from assay.textproc.normal import normalise
from assay.textproc.patterns import matcher
from training.fit import fit_measures, fit_ngrams, ngram_matrix, write_measures, write_ngrams
from training.records import held_out

Array = Any
"""A numpy array, or a sparse matrix."""
Measures = Callable[[str, Sequence[Mark], float], Mapping[str, float]]
"""From a text, the marks of the lexicon in it and the logit of its n-grams to the measures."""


class LexiconModel(NamedTuple):
    """What is fixed before the fit."""

    name: str
    """The n-gram model; the one over measures is `NAME_measures`."""
    lexicon: str
    measures: Measures
    prior: Mapping[str, float]
    """Weights that a person would give; the data moves them, and leaves their signs."""
    strength: float
    """The inverse of the penalty on n-grams."""


class LabelledTexts(NamedTuple):
    """What the models are fitted to."""

    texts: Sequence[str]
    labels: Array
    weights: Array
    folds: Array


class FittedLexicon:
    """Both models, with what they say of texts that they were not fitted to."""

    def __init__(self, model: LexiconModel, known: LabelledTexts) -> None:
        self._model, self._known = model, known
        self._ngrams = ngram_matrix(known.texts)
        self.logits = np.zeros(len(known.texts))
        """Of each text, by n-grams of the other folds."""
        for inside, outside in held_out(known.folds):
            part = self._fit_ngrams(inside)
            self.logits[outside] = part.decision_function(self._ngrams[outside])
        rows = [
            model.measures(text, _marks(text, model.lexicon), logit)
            for text, logit in zip(known.texts, self.logits, strict=True)
        ]
        self._names = list(rows[0])
        self._measures = np.array([[row[name] for name in self._names] for row in rows])
        self.values = np.zeros(len(known.texts))
        """The probability of each text, by measures of the other folds."""
        for inside, outside in held_out(known.folds):
            bias, weights = self._fit_measures(inside)
            margin = self._measures[outside] @ weights + bias
            self.values[outside] = 1.0 / (1.0 + np.exp(-margin))

    def write(self, manifest: Mapping[str, Any]) -> None:
        """Fit both to all texts, and write them."""
        everything = slice(None)
        whole = self._fit_ngrams(everything)
        write_ngrams(self._model.name, whole.coef_, whole.intercept_[0], manifest)
        bias, weights = self._fit_measures(everything)
        named = dict(zip(self._names, map(float, weights), strict=True))
        write_measures(f"{self._model.name}_measures", bias, named, manifest)

    def _fit_ngrams(self, rows: Any) -> Any:
        known = self._known
        return fit_ngrams(
            self._ngrams[rows], known.labels[rows], known.weights[rows], self._model.strength
        )

    def _fit_measures(self, rows: Any) -> tuple[float, Array]:
        known, prior = self._known, self._model.prior
        bounds: list[Any] = [
            (None, prior[name] / 2) if prior[name] < 0 else (0.9 * prior[name], None)
            for name in self._names
        ]
        pull = np.array([prior[name] for name in self._names])
        return fit_measures(
            self._measures[rows], known.labels[rows], known.weights[rows], pull, bounds
        )


def _marks(text: str, lexicon: str) -> list[Mark]:
    known = normalise(text)
    hits = matcher(frozenset({lexicon})).find(known)
    return [Mark(h.pattern, h.start, h.end) for h in hits]
