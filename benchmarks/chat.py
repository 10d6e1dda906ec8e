"""The rules of the chat family through the engine against the same rules one by one."""

from __future__ import annotations

from collections.abc import Sequence
from unittest.mock import patch

from assay.core import Result, Sample
from assay.engine import Plan, score_batch
from assay.runner import Job
from benchmarks import naive, naive_chat
from benchmarks.family import BATCH
from benchmarks.generate import arabic_records, chat_records, samples
from benchmarks.measure import Row, Section, Sizes, all_of, at_least, medians

GOAL = 20
RULES = ("chat&@rules",)
"""The metrics of the family that ask no model."""
OVERLAP = ("chat.bleu", "chat.rouge", "chat.rouge_unicode")
"""Those that NLTK and rouge-score compute in the plain version; half of its time is theirs."""


def chat(sizes: Sizes) -> Section:
    """Records a second both ways, after checking that they say the same."""
    plan = Job(RULES).plan()
    rest = Job((*RULES, *(f"-{id}" for id in OVERLAP))).plan()
    found = samples(chat_records(sizes.texts))
    checked = [*found, *samples(chat_records(sizes.texts, make=arabic_records))]
    equal = len(checked) - len(disagreements(plan, checked))
    taken = medians(
        {
            "naive": lambda: _one_by_one(found),
            "shortcut": lambda: _with_shortcut(found),
            "engine": lambda: _engine(plan, found),
            "naive rest": lambda: _one_by_one(found, OVERLAP),
            "engine rest": lambda: _engine(rest, found),
        },
        sizes.rounds,
    )
    rate = {name: len(found) / seconds for name, seconds in taken.items()}
    return Section(
        "Rules of the chat family against one by one",
        f"The family's {len(plan.shown)} metrics that ask no model, with values, explanations and "
        f"places of {len(found)} records, by the engine and by `benchmarks/naive_chat`: the same "
        "rules, each metric on its own, with the standard library, and with NLTK and rouge-score "
        "for BLEU, ROUGE and stems. Records have 165 words of response on average, documents, and "
        "some of them tools, a schema or further answers. The plain version normalises character "
        "by character, as the rule is written; the second one takes the shortcut that ASCII text "
        "needs no normalisation.",
        [
            Row("One by one", f"{rate['naive']:,.0f} records/s"),
            Row("One by one, with a shortcut for ASCII", f"{rate['shortcut']:,.0f} records/s"),
            Row("Engine", f"{rate['engine']:,.0f} records/s"),
            at_least("Speed-up", rate["engine"] / rate["naive"], GOAL, "times"),
            Row("Speed-up over the shortcut", f"{rate['engine'] / rate['shortcut']:.3g} times"),
            Row(
                "Speed-up without BLEU and ROUGE",
                f"{rate['engine rest'] / rate['naive rest']:.3g} times",
            ),
            all_of(
                "Same values, states and places, English and Arabic", equal, len(checked), "records"
            ),
        ],
    )


def _one_by_one(found: Sequence[Sample], left_out: Sequence[str] = ()) -> None:
    for sample in found:
        naive_chat.score(sample, left_out)


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
        alone = naive_chat.score(sample)
        assert alone.keys() == scores.results.keys()
        differing = [
            f"{id} {_said(result)}, alone {_said(alone[id])}"
            for id, result in scores.results.items()
            if _said(result) != _said(alone[id])
        ]
        if differing:
            wrong.append(f"{sample.response!r}: {'; '.join(differing)}")
    return wrong


def _said(result: Result) -> tuple[str, float | None, list[tuple[str, int, int]]]:
    """State, value but for the last bits, and places, whatever their order and labels."""
    value = None if result.value is None else round(result.value, 9)
    return result.state, value, sorted((s.field, s.start, s.end) for s in result.evidence)
