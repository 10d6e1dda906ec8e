"""What a run by blocks keeps of each record for the pages, beside its scores.

The process that scores a block collects it for the Parquet file of the block, and sums it up for
the store.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from assay.core import FailureAnalysis, Sample, Scores
from assay.core.jsontext import dumps
from assay.core.parquet_columns import QUALITY, RECORD
from assay.store.batch_rows import language_of, outcome_of, type_of
from assay.store.packed_scores import in_order, pack_outcomes, pack_thresholds
from assay.store.rollups import Rollups, RollupScores, Tested, sum_up
from assay.store.row_codec import rest_fields, rest_text, safe
from assay.store.text_search import other_texts

_HALF_PAIR = re.compile("[\ud800-\udfff]")
"""What JSON text may hold and a file may not."""


class BlockColumns:
    """The records of one block; `place` is that of its first one in the run."""

    def __init__(self, thresholds: Mapping[str, float | None], place: int) -> None:
        self._thresholds = thresholds
        self._place = place
        self._tests: list[Tested] = []
        self._values: list[list[float | None]] = []
        self._outcomes: list[str] = []
        self._weights: list[float] = []
        self.characters = 0
        """Text since the last `take`."""
        self._clear()

    @property
    def kinds(self) -> dict[str, str]:
        """The names of the columns and their Arrow types."""
        return {**RECORD, **{f"{metric}{QUALITY}": "float64" for metric in self._thresholds}}

    def add(self, sample: Sample, scores: Scores) -> None:
        """Add a scored sample."""
        outcome, language = outcome_of(sample, scores), language_of(sample, scores)
        results = in_order(scores.results, self._thresholds)
        outcomes = pack_outcomes(results)
        fields = rest_fields(sample)
        rest = _HALF_PAIR.sub(_escaped, rest_text(fields))
        query, response, expected, others = map(
            safe, (sample.query, sample.response, sample.expected, other_texts(fields))
        )
        row = (
            outcome.status,
            outcome.duration,
            safe(language),
            type_of(sample),
            safe(outcome.error_message),
            [safe(tag) for tag in dict.fromkeys(sample.tags)],
            *(query, response, expected, rest, others, outcomes),
            pack_thresholds(results, self._thresholds.values()),
            *(_failure(scores.failure) if scores.failure else _NO_FAILURE),
        )
        self._append(row, [result.quality for result in results])
        for text in (query, response, expected, rest, others):
            self.characters += len(text) if text else 0
        self._tests.append(Tested(sample.tags, language, outcome.status, outcome.duration))
        self._values.append([result.value for result in results])
        self._outcomes.append(outcomes)
        self._weights.append(sample.weight)

    def add_unread(self) -> None:
        """Add a record that could not be read, which has a place alone."""
        self._append((None,) * (len(RECORD) - 1), [None] * len(self._thresholds))

    def take(self) -> list[tuple[Any, ...]]:
        """The rows of the records since the last call, with the columns of `kinds`."""
        rows = self._rows
        self._clear()
        return rows

    def rollups(self) -> Rollups:
        """The sums of all records of the block."""
        scores = RollupScores([*self._thresholds], self._values, self._outcomes, self._weights)
        return sum_up(self._tests, scores, set(), set())

    def _append(self, row: tuple[Any, ...], qualities: list[float | None]) -> None:
        self._rows.append((self._place, *row, *qualities))
        self._place += 1

    def _clear(self) -> None:
        self.characters = 0
        self._rows: list[tuple[Any, ...]] = []


_NO_FAILURE = (None, None, None, None)


@lru_cache(maxsize=1024)
def _failure(failure: FailureAnalysis) -> tuple[str, str, str, str]:
    """The columns of why a test failed; tests fail in few ways."""
    lists = failure.detected_patterns, failure.recommendations
    patterns, advice = (dumps(list(words)) for words in lists)
    return failure.root_cause, failure.category, patterns, advice


def _escaped(half: re.Match[str]) -> str:
    return f"\\u{ord(half.group()):04x}"
