"""The engine against the same rules one by one: whether they say the same, and their speeds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from unittest.mock import patch

from assay.core import Result, Sample
from assay.engine import Plan, score_batch
from benchmarks import naive
from benchmarks.measure import Row, at_least

BATCH = 256
"""The batch size of a run."""

Alone = Callable[[Sample], Mapping[str, Result]]
"""The rules one by one: the result of each metric."""


def tasks(plan: Plan, found: Sequence[Sample], alone: Alone) -> dict[str, Callable[[], None]]:
    """What is measured: the plain rules, the same with a shortcut, and the engine."""
    return {
        "naive": partial(one_by_one, alone, found),
        "shortcut": partial(_with_shortcut, alone, found),
        "engine": partial(by_engine, plan, found),
    }


def speed_rows(rate: Mapping[str, float], goal: float) -> list[Row]:
    """Records a second of those tasks, and the engine's speed-up."""
    return [
        Row("One by one", f"{rate['naive']:,.0f} records/s"),
        Row("One by one, with a shortcut for ASCII", f"{rate['shortcut']:,.0f} records/s"),
        Row("Engine", f"{rate['engine']:,.0f} records/s"),
        at_least("Speed-up", rate["engine"] / rate["naive"], goal, "times"),
        Row("Speed-up over the shortcut", f"{rate['engine'] / rate['shortcut']:.3g} times"),
    ]


def one_by_one(alone: Alone, found: Sequence[Sample]) -> None:
    """Score all samples by the plain rules."""
    for sample in found:
        alone(sample)


def by_engine(plan: Plan, found: Sequence[Sample]) -> None:
    """Score all samples by the engine, in batches."""
    for start in range(0, len(found), BATCH):
        score_batch(plan, found[start : start + BATCH])


def disagreements(plan: Plan, found: Sequence[Sample], alone: Alone) -> list[str]:
    """What the engine and the rules one by one say where they differ, a line for each sample."""
    wrong = []
    for sample, scores in zip(found, score_batch(plan, found), strict=True):
        plain = alone(sample)
        assert plain.keys() == scores.results.keys()
        differing = [
            f"{id} {_said(result)}, alone {_said(plain[id])}"
            for id, result in scores.results.items()
            if _said(result) != _said(plain[id])
        ]
        if differing:
            wrong.append(f"{sample.response!r}: {'; '.join(differing)}")
    return wrong


def _said(result: Result) -> tuple[str, float | None, list[tuple[str, int, int]]]:
    """State, value but for the last bits, and places, whatever their order and labels."""
    value = None if result.value is None else round(result.value, 12)
    return result.state, value, sorted((s.field, s.start, s.end) for s in result.evidence)


def _with_shortcut(alone: Alone, found: Sequence[Sample]) -> None:
    with patch.object(naive, "normalise", naive.normalise_ascii_first):
        one_by_one(alone, found)
