"""Several answers to each of many questions: how many of them pass, and how alike they are.

Of a question, n answers were judged and c of them passed. The figures of a question are unbiased
for its own chance to pass; their mean over questions has an interval over questions, for answers to
one question are alike.

The interval is Wilson's for a rate, with the number of questions that a rate of the same spread
would need, and Student's quantile. Mean and spread are those of the questions and of one more,
whose passes are spread evenly over 0 … n: where nearly all questions have the same c, what was not
seen is not impossible. The bootstrap, which never draws what was not seen, holds far less than 95 %
there; `benchmarks/repeats.py` measures both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from assay.core import Interval
from assay.stats.intervals import wilson
from assay.stats.student import student_quantile


class QuestionCount(NamedTuple):
    """Questions of which so many answers were judged and so many passed."""

    answers: int
    passed: int
    questions: int


class RepeatFigure(NamedTuple):
    """A mean over questions with its 95 % interval."""

    value: float | None
    interval: Interval | None
    questions: int
    """Those that have answers enough."""


def pass_at_k(answers: int, passed: int, k: int) -> float | None:
    """The chance that one of k answers passes (Chen et al. 2021), unbiased; None below k answers.

    1 − C(n − c, k) / C(n, k), as a product of factors below 1, which no size makes overflow.
    """
    if not 1 <= k <= answers:
        return None
    failed = answers - passed
    missed = 1.0
    for place in range(k):
        missed *= max(0, failed - place) / (answers - place)
    return 1.0 - missed


def pass_hat_k(answers: int, passed: int, k: int) -> float | None:
    """The chance that all of k answers pass, C(c, k) / C(n, k), unbiased; None below k answers."""
    missed = pass_at_k(answers, answers - passed, k)
    return None if missed is None else 1.0 - missed


def consistency(answers: int, passed: int) -> float | None:
    """The chance that two answers get the same verdict, unbiased; None for a single answer."""
    if answers < 2:
        return None
    failed = answers - passed
    alike = passed * (passed - 1) + failed * (failed - 1)
    return alike / (answers * (answers - 1))


@dataclass(frozen=True, slots=True)
class Repeats:
    """What the answers of a run come to, question by question."""

    counts: tuple[QuestionCount, ...]
    """Sorted; each pair of numbers once."""

    @property
    def questions(self) -> int:
        """Questions with an answer that was judged."""
        return sum(count.questions for count in self.counts)

    @property
    def fewest(self) -> int:
        """The answers that every question with several of them has at least."""
        return min(count.answers for count in self.counts if count.answers > 1)

    @property
    def most(self) -> int:
        """The answers of the question that has most."""
        return max(count.answers for count in self.counts)

    def pass_at(self, k: int) -> RepeatFigure:
        """The chance that one of k answers to a question passes."""
        return self._mean(lambda answers, passed: pass_at_k(answers, passed, k))

    def pass_hat(self, k: int) -> RepeatFigure:
        """The chance that all of k answers to a question pass."""
        return self._mean(lambda answers, passed: pass_hat_k(answers, passed, k))

    def consistency(self) -> RepeatFigure:
        """The chance that two answers to a question get the same verdict."""
        return self._mean(consistency)

    def pass_rate_interval(self) -> Interval | None:
        """The 95 % interval of the share of all answers that pass."""
        answers = sum(one.answers * one.questions for one in self.counts)
        passed = sum(one.passed * one.questions for one in self.counts)
        return self._interval(lambda n, c: (float(c), float(n)), passed / answers, lambda n: n > 0)

    def _mean(self, figure: Callable[[int, int], float | None]) -> RepeatFigure:
        """The mean of a figure over the questions that have it."""
        figures = [(figure(one.answers, one.passed), one.questions) for one in self.counts]
        known = [(value, times) for value, times in figures if value is not None]
        questions = sum(times for _, times in known)
        if not questions:
            return RepeatFigure(None, None, 0)
        mean = sum(value * times for value, times in known) / questions
        interval = self._interval(
            lambda n, c: (figure(n, c) or 0.0, 1.0), mean, lambda n: figure(n, 0) is not None
        )
        return RepeatFigure(mean, interval, questions)

    def _interval(
        self,
        parts: Callable[[int, int], tuple[float, float]],
        value: float,
        has: Callable[[int], bool],
    ) -> Interval | None:
        """The interval of Σ first part / Σ second part over the questions with so many answers."""
        known = [one for one in self.counts if has(one.answers)]
        total = sum(one.questions for one in known)
        if total < 2:
            return None
        cells = [(*parts(*cell), weight) for cell, weight in _weights(known, total).items()]
        below = sum(second * weight for _, second, weight in cells)
        rate = sum(first * weight for first, _, weight in cells) / below
        squares = sum((first - rate * second) ** 2 * weight for first, second, weight in cells)
        effective = rate * (1 - rate) * below**2 / squares
        ends = wilson(rate * effective, effective, student_quantile(0.975, total - 1))
        assert ends
        return Interval(min(ends.low, value), max(ends.high, value))

    def to_json(self) -> dict[str, Any]:
        """The counts, and the figures that people look at first."""
        k = self.fewest
        figures = {f"pass@{n}": self.pass_at(n) for n in dict.fromkeys((1, k))}
        figures |= {f"pass^{k}": self.pass_hat(k), "consistency": self.consistency()}
        return {
            "questions": self.questions,
            "answers": sum(count.answers * count.questions for count in self.counts),
            "counts": [list(count) for count in self.counts],
            "figures": {name: figure._asdict() for name, figure in figures.items()},
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Repeats:
        """The same again, from what `to_json` gave."""
        return cls(tuple(QuestionCount(*count) for count in data["counts"]))


def repeats_of(questions: Iterable[tuple[int, int]]) -> Repeats | None:
    """What (answers, passed) of each question come to; None where none has several answers."""
    counts: dict[tuple[int, int], int] = {}
    for pair in questions:
        if pair[0]:
            counts[pair] = counts.get(pair, 0) + 1
    if not any(answers > 1 for answers, _ in counts):
        return None
    return Repeats(tuple(QuestionCount(*pair, counts[pair]) for pair in sorted(counts)))


def _weights(known: Iterable[QuestionCount], total: int) -> dict[tuple[int, int], float]:
    """How many questions have so many answers and passes, with the one that is added."""
    weights: dict[tuple[int, int], float] = {}
    for one in known:
        for passed in range(one.answers + 1):
            cell = (one.answers, passed)
            added = one.questions / total / (one.answers + 1)
            weights[cell] = weights.get(cell, 0.0) + added
        weights[one.answers, one.passed] += one.questions
    return weights
