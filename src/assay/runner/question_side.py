"""A run with repeats as one side of a comparison: a question is one piece of evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from assay.runner.sides import By, SampleView, ScoredSample, StoredSide, Values


class QuestionSide:
    """The questions of a stored run whose answers were scored one by one (`--score-repeats`).

    A question has the means over its answers, and the share of them that pass.
    """

    def __init__(self, inner: StoredSide) -> None:
        self.name, self.signatures, self.thresholds = (
            inner.name,
            inner.signatures,
            inner.thresholds,
        )
        self.weights, self.gating = inner.weights, inner.gating
        self.unread, self.notes = inner.unread, inner.notes
        self._inner = inner
        self._first: list[int] = []
        """The place of the first answer to each question."""

    def read(self, by: By) -> Iterator[ScoredSample]:
        """All questions, in order."""
        self._first = []
        places = enumerate(self._inner.read(by))
        for key, group in groupby(places, key=lambda row: _question(row[1].key, by)):
            answers = list(group)
            self._first.append(answers[0][0])
            yield _merged(key, [row for _, row in answers])

    def show(self, places: Iterable[int]) -> dict[int, SampleView]:
        """The first answers to some questions."""
        chosen = list(places)
        shown = self._inner.show([self._first[place] for place in chosen])
        return {place: shown[self._first[place]] for place in chosen}


def _question(key: str, by: By) -> str:
    """The question of an answer's key: `q1` of `q1#2`."""
    question, sharp, number = key.rpartition("#")
    return question if by == "id" and sharp and number.isdecimal() else key


def _merged(key: str, answers: Sequence[ScoredSample]) -> ScoredSample:
    names = dict.fromkeys(name for answer in answers for name in answer.values)
    values: Values = {name: _mean_value(answers, name) for name in names}
    scores = [answer.score for answer in answers if answer.score is not None]
    passes = [answer.passed for answer in answers if answer.passed is not None]
    return ScoredSample(key, values, _mean(scores), _mean(passes))


def _mean_value(answers: Sequence[ScoredSample], name: str) -> tuple[float, bool | None]:
    """The mean of a metric, and its verdict where all answers agree."""
    scored = [answer.values[name] for answer in answers if name in answer.values]
    verdicts = {passed for _, passed in scored}
    return sum(value for value, _ in scored) / len(scored), (
        verdicts.pop() if len(verdicts) == 1 else None
    )


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
