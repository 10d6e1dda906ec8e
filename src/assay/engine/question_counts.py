"""Counts the answers to each question of a run, and how many of them pass."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain, repeat
from typing import Any

from assay.stats.aggregates import counts_as_pass
from assay.stats.repeats import Repeats, repeats_of

MAX_QUESTIONS = 200_000
"""Questions with several answers; beyond, there are no figures of repeats."""


class QuestionCounts:
    """The answers to each question that samples name, in memory that is bounded."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._counts: dict[str, tuple[int, int]] = {}
        self._singles = [0, 0]
        self._is_full = False

    def add(self, named: str | None, status: str) -> int | None:
        """Count an answer; gives the number of the question that it names, from 0.

        One that names none is the only answer to a question of its own.
        """
        is_passed = counts_as_pass(None if status == "skipped" else status)
        if named is None or self._is_full:
            if is_passed is not None:
                self._singles[is_passed] += 1
            return None
        number = self._numbers.setdefault(named, len(self._numbers))
        self._is_full = len(self._numbers) > MAX_QUESTIONS
        if is_passed is not None:
            answers, passed = self._counts.get(named, (0, 0))
            self._counts[named] = (answers + 1, passed + is_passed)
        return number

    def merge(self, other: QuestionCounts) -> None:
        """Add what another part of the run counted."""
        for named, (answers, passed) in other._counts.items():
            own = self._counts.get(named, (0, 0))
            self._counts[named] = (own[0] + answers, own[1] + passed)
            self._numbers.setdefault(named, len(self._numbers))
        self._singles = [one + two for one, two in zip(self._singles, other._singles, strict=True)]
        self._is_full |= other._is_full or len(self._numbers) > MAX_QUESTIONS

    def to_json(self) -> dict[str, Any]:
        """The counts as plain data."""
        return {"counts": self._counts, "singles": self._singles, "is_full": self._is_full}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> QuestionCounts:
        """The counts again, from what `to_json` gave."""
        own = cls()
        own._counts = {
            named: (answers, passed) for named, (answers, passed) in data["counts"].items()
        }
        own._numbers = {named: number for number, named in enumerate(own._counts)}
        own._singles, own._is_full = [*data["singles"]], data["is_full"]
        return own

    def repeats(self) -> Repeats | None:
        """What the answers come to; None where no question has several, or there are too many."""
        if self._is_full or all(answers < 2 for answers, _ in self._counts.values()):
            return None
        singles = (repeat((1, passed), times) for passed, times in enumerate(self._singles))
        return repeats_of(chain(self._counts.values(), *singles))
