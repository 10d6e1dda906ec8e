"""Davidson's (1970) model of comparisons with ties: estimates, tests and intervals.

    P(i wins) ∝ e^θᵢ    P(j wins) ∝ e^θⱼ    P(tie) ∝ e^(δ + (θᵢ + θⱼ) / 2)

θ has the mean 0. `bradley_terry.py` says what is estimated with it, and why.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import copysign, exp, sqrt
from typing import Any, NamedTuple

import numpy as np

from assay.core import Interval
from assay.stats.intervals import Z
from assay.stats.student import student_quantile

Array = Any
"""A numpy array of floats."""
OUTCOMES = (1.0, 0.0, 0.5)
"""The scores of a verdict: the first wins, the second wins, a tie."""
MOST_STEPS = 100
"""Newton's method needs about ten."""
SMALLEST_STEP = 1e-9
HALVINGS = 40
FARTHEST = 12.0
"""No end of an interval lies further from its estimate: odds of 160,000 to 1, which no number of
verdicts that people pay for can tell from certainty."""


class PairVerdict(NamedTuple):
    """One comparison of two systems."""

    question: Hashable
    """Verdicts on the same question are not independent."""
    first: int
    second: int
    """The places of the systems."""
    score: float
    """1 where the first wins, 0 where the second does, 0.5 for a tie."""


class _Peak(NamedTuple):
    """Where a likelihood is highest."""

    parameters: Array
    """θ of mean 0, then δ."""
    height: float
    information: Array


@dataclass(frozen=True)
class DavidsonFit:
    """The estimates for systems that verdicts connect."""

    peak: _Peak
    counts: Array
    """`counts[first, second, outcome]`, with those that were added."""
    by_question: Array | None
    """The covariance of the parameters, from the spread between questions; None where every
    question has a single verdict."""
    questions: int

    @property
    def strengths(self) -> Array:
        """θ."""
        return self.peak.parameters[:-1]

    def outcome_chances(self, first: int, second: int) -> tuple[float, float, float]:
        """The chances that the first wins, that the second does, and of a tie."""
        half = float(self.strengths[first] - self.strengths[second]) / 2
        weights = exp(half), exp(-half), exp(float(self.peak.parameters[-1]))
        total = sum(weights)
        return weights[0] / total, weights[1] / total, weights[2] / total

    def interval(self, contrast: Array) -> Interval:
        """The 95 % interval of a sum of strengths with weights that add up to 0."""
        value = float(contrast @ self.strengths)
        low, high = (self._end(contrast, sign) for sign in (-1, 1))
        return Interval(min(low, value), max(high, value))

    def deviation(self, contrast: Array, value: float) -> float:
        """How far a sum of strengths lies above a value: standard normal if that is the truth.

        The signed root of the likelihood ratio, whose height is scaled to the spread between
        questions (Chandler and Bate 2007) where that is the larger one and questions have several
        verdicts.
        """
        estimate = float(contrast @ self.strengths)
        start = self.peak.parameters.copy()
        start[:-1] += contrast * (value - estimate) / float(contrast @ contrast)
        height = _climb(self.counts, start, contrast).height
        fall = 2 * max(0.0, self.peak.height - height) / self._inflation(contrast)
        return copysign(sqrt(fall), estimate - value)

    def _inflation(self, contrast: Array) -> float:
        """The variance of a contrast between questions over that of the model, at least 1.

        What exceeds 1 is estimated from the questions, and widened for few of them as Student's t
        is wider than the normal; the model's own part is known.
        """
        if self.by_question is None:
            return 1.0
        weights = np.append(contrast, 0.0)
        by_model = float(weights @ self._inverse @ weights)
        excess = max(0.0, float(weights @ self.by_question @ weights) / by_model - 1)
        widened = student_quantile(0.975, max(1, self.questions - 1)) / Z
        return 1 + excess * widened**2

    @cached_property
    def _inverse(self) -> Array:
        return np.linalg.inv(self.peak.information)

    def _end(self, contrast: Array, sign: int) -> float:
        """Where the deviation is that of an end of a 95 % interval; it falls with the value."""
        estimate = float(contrast @ self.strengths)
        weights = np.append(contrast, 0.0)
        error = sqrt(float(weights @ self._inverse @ weights) * self._inflation(contrast))
        inner, outer = 0.0, min(Z * error, FARTHEST)
        while abs(self.deviation(contrast, estimate + sign * outer)) < Z:
            if outer == FARTHEST:
                return estimate + sign * FARTHEST
            inner, outer = outer, min(2 * outer, FARTHEST)
        for _ in range(HALVINGS):
            if outer - inner < 1e-4 * error:
                break
            middle = (inner + outer) / 2
            is_inside = abs(self.deviation(contrast, estimate + sign * middle)) < Z
            inner, outer = (middle, outer) if is_inside else (inner, middle)
        return estimate + sign * (inner + outer) / 2


def fit_davidson(systems: int, verdicts: Sequence[PairVerdict]) -> DavidsonFit:
    """Fit connected systems; `verdicts` name them by 0 … systems − 1."""
    known = dict.fromkeys(verdict.question for verdict in verdicts)
    numbers = {question: number for number, question in enumerate(known)}
    questions = np.array([numbers[verdict.question] for verdict in verdicts])
    firsts, seconds, scores = (np.array([v[place] for v in verdicts]) for place in (1, 2, 3))
    return fit_arrays(systems, questions, firsts, seconds, scores)


def fit_arrays(
    systems: int, questions: Array, firsts: Array, seconds: Array, scores: Array
) -> DavidsonFit:
    """The same for verdicts as arrays; questions are numbered without gaps."""
    counts = np.zeros((systems, systems, len(OUTCOMES)))
    for place, outcome in enumerate(OUTCOMES):
        np.add.at(counts, (firsts, seconds, place), scores == outcome)
    counts = _with_added(counts)
    peak = highest(counts)
    total = int(questions.max()) + 1
    if total == len(questions):
        return DavidsonFit(peak, counts, None, total)
    slopes = _slopes(peak, total, questions, firsts, seconds, scores)
    inverse = np.linalg.inv(peak.information)
    spread = slopes.T @ slopes * (total / max(1, total - 1))
    return DavidsonFit(peak, counts, inverse @ spread @ inverse, total)


def _slopes(
    peak: _Peak, total: int, questions: Array, firsts: Array, seconds: Array, scores: Array
) -> Array:
    """The slope of each question's own likelihood at the estimates."""
    wins, losses, ties = chances(
        peak.parameters[firsts] - peak.parameters[seconds], peak.parameters[-1]
    )
    surprise = (scores - 0.5) - (wins - losses) / 2
    systems = len(peak.parameters) - 1
    slopes = np.zeros((total, systems + 1))
    np.add.at(slopes, (questions, firsts), surprise)
    np.add.at(slopes, (questions, seconds), -surprise)
    np.add.at(slopes, (questions, systems), (scores == 0.5) - ties)
    return slopes


def _with_added(counts: Array) -> Array:
    """The numbers with those that are added to every pair that was compared."""
    both = counts + counts.transpose(1, 0, 2)
    compared = np.argwhere(np.triu(both.sum(axis=2), 1) > 0)
    added = counts.copy()
    for first, second in compared:
        added[first, second] += (1 / len(counts), 1 / len(counts), 0.5 / len(compared))
    return added


def highest(counts: Array) -> _Peak:
    """Where the likelihood of numbers of outcomes is highest."""
    peak = _climb(counts, np.zeros(len(counts) + 1), None)
    peak.parameters[:-1] -= peak.parameters[:-1].mean()
    return peak


def _climb(counts: Array, parameters: Array, fixed: Array | None) -> _Peak:
    """Newton's method on a concave function; a step that leads down is halved.

    With `fixed` weights the sum of strengths with them stays what it is.
    """
    height, slope, information = _likelihood(parameters, counts)
    for _ in range(MOST_STEPS):
        step = _step(slope, information, fixed)
        for _ in range(HALVINGS):
            after = _likelihood(parameters + step, counts)
            if after[0] >= height - 1e-12 * abs(height):
                break
            step = step / 2
        parameters, (height, slope, information) = parameters + step, after
        if float(np.abs(step).max()) < SMALLEST_STEP:
            break
    return _Peak(parameters, height, information)


def _step(slope: Array, information: Array, fixed: Array | None) -> Array:
    if fixed is None:
        return np.linalg.solve(information, slope)
    size = len(slope)
    weights = np.append(fixed, 0.0)
    bordered = np.zeros((size + 1, size + 1))
    bordered[:size, :size] = information
    bordered[size, :size] = bordered[:size, size] = weights
    return np.linalg.solve(bordered, np.append(slope, 0.0))[:size]


def chances(differences: Array, tie: float) -> tuple[Array, Array, Array]:
    """The chances of win, loss and tie for differences of strength."""
    logits = np.stack([differences / 2, -differences / 2, np.full_like(differences, tie)])
    weights = np.exp(logits - logits.max(axis=0))
    wins, losses, ties = weights / weights.sum(axis=0)
    return wins, losses, ties


def _likelihood(parameters: Array, counts: Array) -> tuple[float, Array, Array]:
    """The log-likelihood, its slope and its negative curvature.

    θ is determined up to a constant; half the square of its sum is taken off, which fixes that.
    """
    strengths, tie = parameters[:-1], float(parameters[-1])
    differences = np.subtract.outer(strengths, strengths)
    wins, losses, ties = chances(differences, tie)
    won, lost, tied = np.moveaxis(counts, 2, 0)
    total = won + lost + tied
    largest = np.maximum(np.abs(differences) / 2, tie)
    norm = largest + np.log(
        np.exp(differences / 2 - largest)
        + np.exp(-differences / 2 - largest)
        + np.exp(tie - largest)
    )
    height = ((won - lost) * differences / 2 + tied * tie - total * norm).sum()
    mean = (wins - losses) / 2
    surprise = (won - lost) / 2 - total * mean
    slope = np.append(surprise.sum(axis=1) - surprise.sum(axis=0), (tied - total * ties).sum())
    spread = total * ((wins + losses) / 4 - mean**2)
    paired = spread + spread.T
    mixed = -total * mean * ties
    information = np.zeros((len(slope), len(slope)))
    information[:-1, :-1] = np.diag(paired.sum(axis=1)) - paired + 1.0
    information[:-1, -1] = information[-1, :-1] = mixed.sum(axis=1) - mixed.sum(axis=0)
    information[-1, -1] = (total * ties * (1 - ties)).sum()
    slope[:-1] -= strengths.sum()
    return float(height - strengths.sum() ** 2 / 2), slope, information
