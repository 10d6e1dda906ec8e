"""Counts the answers to each question of a run, and how many of them pass."""

from __future__ import annotations

from itertools import chain, repeat

from assay.core import Sample
from assay.core.sample import REPEAT_OF
from assay.stats.aggregates import counts_as_pass
from assay.stats.repeats import Repeats, repeats_of

MAX_QUESTIONS = 200_000
"""Questions with several answers; beyond, there are no figures of repeats."""


class QuestionCounts:
    """The answers to each question that samples name, in memory that is bounded."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}
        self._counts: dict[str, tuple[int, int]] = {}
        self._singles = [0, 0]
        self._questions = 0
        self._is_full = False

    def add(self, sample: Sample, status: str) -> int:
        """Count an answer; gives the number of its question, from 0.

        A sample that names no question is one of its own.
        """
        is_passed = counts_as_pass(None if status == "skipped" else status)
        named = sample.metadata.get(REPEAT_OF)
        if not isinstance(named, str) or not named or self._is_full:
            if is_passed is not None:
                self._singles[is_passed] += 1
            self._questions += 1
            return self._questions - 1
        if named not in self._places:
            self._places[named] = self._questions
            self._questions += 1
            self._is_full = len(self._places) > MAX_QUESTIONS
        if is_passed is not None:
            answers, passed = self._counts.get(named, (0, 0))
            self._counts[named] = (answers + 1, passed + is_passed)
        return self._places[named]

    def repeats(self, seed: int = 0) -> Repeats | None:
        """What the answers come to; None where no question has several, or there are too many."""
        if self._is_full or all(answers < 2 for answers, _ in self._counts.values()):
            return None
        singles = (repeat((1, passed), times) for passed, times in enumerate(self._singles))
        return repeats_of(chain(self._counts.values(), *singles), seed)
