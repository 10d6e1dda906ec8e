"""What the cells of a grid come to: prompts, models, parameters and systems side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assay.core.run_comparison import MetricChange
from assay.core.summary import Summary


@dataclass(frozen=True, slots=True)
class AnswerUsage:
    """Figures over all answers of a run; what was not told or measured is None, never estimated."""

    answers: int
    """Questions that were answered; each repeat counts."""
    prompt_tokens: int | None
    completion_tokens: int | None
    uncounted: int
    """Answers whose tokens were not told; with any, tokens and money are None."""
    seconds: float | None
    """The mean time to an answer, without waits."""
    usd: float | None
    """None where tokens or the price of a model are not known."""

    @property
    def tokens(self) -> int | None:
        """Those of prompts and answers together."""
        if self.prompt_tokens is None or self.completion_tokens is None:
            return None
        return self.prompt_tokens + self.completion_tokens

    def to_json(self) -> dict[str, Any]:
        """The figures as plain data."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class CellFigures:
    """One cell of the matrix."""

    cell: str
    run: str
    parts: Mapping[str, str]
    """Axis of the grid → the name of its entry."""
    definition: Mapping[str, Any]
    """Prompt, target, model and parameters, as plain data."""
    is_whole: bool
    """Whether every question was put to the system."""
    summary: Summary
    usage: AnswerUsage
    changes: tuple[MetricChange, ...] = ()
    """Against the baseline, of the metrics that gate, the mean quality and the pass rate."""
    notes: tuple[str, ...] = ()

    def change(self, metric: str) -> MetricChange | None:
        """The change of one metric; None where it was not compared."""
        return next((change for change in self.changes if change.metric == metric), None)

    def to_json(self) -> dict[str, Any]:
        """The cell as plain data."""
        summary = self.summary.to_json()
        figures = ("samples", "unread", "passed", "failed", "unsure", "judged", "pass_rate")
        aggregates = ("mean", "mean_interval", "pass_rate", "pass_rate_interval", "scored")
        return {
            "cell": self.cell,
            "run": self.run,
            "parts": dict(self.parts),
            **self.definition,
            "is_whole": self.is_whole,
            **{name: summary[name] for name in figures},
            "pass_rate_interval": summary["pass_rate_interval"],
            "overall": summary["overall"],
            "overall_interval": summary["overall_interval"],
            "metrics": {
                id: {name: summary["metrics"][id][name] for name in aggregates}
                for id in self.summary.gating
            },
            **({"gates": summary["gates"]} if "gates" in summary else {}),
            "usage": self.usage.to_json(),
            "changes": [change.to_json() for change in self.changes],
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True)
class GridMatrix:
    """All cells of an experiment."""

    experiment: str
    baseline: str
    cells: tuple[CellFigures, ...]
    correction: str
    """How p-values are corrected, over all cells and metrics together."""

    def to_json(self) -> dict[str, Any]:
        """The matrix as plain data."""
        return {
            "experiment": self.experiment,
            "baseline": self.baseline,
            "correction": self.correction,
            "cells": [cell.to_json() for cell in self.cells],
        }
