"""The text family through the engine against the same rules one by one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from unittest.mock import patch

from assay.core import Result, Sample
from assay.engine import Plan, score_batch
from assay.runner import Job
from benchmarks import naive
from benchmarks.generate import arabic_records, records, samples
from benchmarks.measure import Row, Section, Sizes, all_of, at_least, medians

GOAL = 10
BATCH = 256
"""The batch size of a run."""


def family(sizes: Sizes) -> Section:
    """Records a second both ways, after checking that they say the same."""
    plan = Job(("text",)).plan()
    found = samples(records(sizes.family))
    checked = [*found, *samples(arabic_records(sizes.family))]
    equal = len(checked) - len(disagreements(plan, checked))
    taken = medians(
        {
            "naive": lambda: _one_by_one(found),
            "shortcut": lambda: _with_shortcut(found),
            "engine": lambda: _engine(plan, found),
        },
        sizes.rounds,
    )
    rate = {name: len(found) / seconds for name, seconds in taken.items()}
    return Section(
        "Text family against one by one",
        "The family's eleven metrics with values, explanations and places, by the engine and by "
        "`benchmarks/naive.py`: the same rules, each metric on its own, with the standard library. "
        "The plain version normalises character by character, as the rule is written; the second "
        "one takes the shortcut that ASCII text needs no normalisation.",
        [
            Row("One by one", f"{rate['naive']:,.0f} records/s"),
            Row("One by one, with a shortcut for ASCII", f"{rate['shortcut']:,.0f} records/s"),
            Row("Engine", f"{rate['engine']:,.0f} records/s"),
            at_least("Speed-up", rate["engine"] / rate["naive"], GOAL, "times"),
            Row("Speed-up over the shortcut", f"{rate['engine'] / rate['shortcut']:.3g} times"),
            all_of("Same values and places, English and Arabic", equal, len(checked), "records"),
        ],
    )


def _one_by_one(found: Sequence[Sample]) -> None:
    for sample in found:
        naive.score(sample)


def _with_shortcut(found: Sequence[Sample]) -> None:
    with patch.object(naive, "normalise", naive.normalise_ascii_first):
        _one_by_one(found)


def _engine(plan: Plan, found: Sequence[Sample]) -> None:
    for start in range(0, len(found), BATCH):
        score_batch(plan, found[start : start + BATCH])


def disagreements(plan: Plan, found: Sequence[Sample]) -> list[str]:
    """What the engine and the rules one by one say where they differ, a line for each sample."""
    wrong = []
    for sample, scores in zip(found, score_batch(plan, found), strict=True):
        alone = naive.score(sample)
        assert alone.keys() == scores.results.keys()
        differing = [
            f"{id} {result.value}, alone {alone[id].value}"
            for id, result in scores.results.items()
            if _said(result) != _said(alone[id])
        ]
        if differing:
            wrong.append(f"{sample.response!r}: {'; '.join(differing)}")
    return wrong


def _said(result: Result) -> tuple[float | None, Iterable[tuple[str, int, int]]]:
    """Value, but for the last bits of a float, and places, whatever their order and labels."""
    value = None if result.value is None else round(result.value, 12)
    return value, sorted((s.field, s.start, s.end) for s in result.evidence)
