"""Scored samples that are kept in memory."""

from __future__ import annotations

from typing import NamedTuple

from assay.core import Sample, Scores
from assay.core.result import find_evidence


class Row(NamedTuple):
    """A scored sample, as it leaves a run."""

    sample: Sample
    scores: Scores


class Rows:
    """A sink that keeps all scored samples in memory."""

    def __init__(self) -> None:
        self.samples: list[Sample] = []
        self.scores: list[Scores] = []

    def write(self, sample: Sample, scores: Scores) -> None:
        """Keep a sample."""
        self.samples.append(sample)
        # places take less memory than the words that they are found by
        find_evidence(scores.results.values())
        self.scores.append(scores)
