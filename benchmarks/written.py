"""What `assay run` writes of the rules, by `--detail`, against the same rules one by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from assay.core import Sample
from assay.core.result_records import DETAILS, Detail
from assay.engine import Plan, score_batch
from assay.report.json_file import JsonLines
from assay.runner import Job
from assay.runner.execute import declarations
from benchmarks import naive, naive_chat
from benchmarks.compare import BATCH
from benchmarks.generate import chat_records, samples
from benchmarks.measure import Row, Section, Sizes, at_least, medians

RULES = ("text", "chat&@rules")
"""The metrics that are also written one by one."""
GOALS: dict[Detail, float] = {"full": 25, "failing": 50}
"""How many times as fast as one by one."""


def written(sizes: Sizes) -> Section:
    """Records a second and bytes a record of scoring and writing, by detail."""
    plan = Job(RULES).plan()
    found = samples(chat_records(sizes.texts))
    tasks: dict[str, Callable[[], object]] = {"naive": lambda: _one_by_one(found)}
    tasks |= {detail: _writing(plan, found, detail) for detail in DETAILS}
    taken = medians(tasks, sizes.rounds)
    return Section(
        "Rules, scored and written",
        f"All {len(plan.shown)} rules of the text and chat families on {len(found)} records of 165 "
        "words of response, with the lines that `assay run --out FILE.jsonl` writes of them by "
        "`--detail`; one by one means `benchmarks/naive.py` and `benchmarks/naive_chat`, which "
        "write nothing.",
        [
            Row("One by one", f"{len(found) / taken['naive']:,.0f} records/s"),
            *(_row(plan, found, detail, taken) for detail in DETAILS),
        ],
    )


def _one_by_one(found: Sequence[Sample]) -> None:
    for sample in found:
        naive.score(sample)
        naive_chat.score(sample)


def _writing(plan: Plan, found: Sequence[Sample], detail: Detail) -> Callable[[], str]:
    """Scores all samples and gives the lines of all but the first line's declarations."""
    lines = JsonLines(detail, declarations(plan))

    def write() -> str:
        batches = (found[start : start + BATCH] for start in range(0, len(found), BATCH))
        return "".join(
            lines.text(zip(batch, score_batch(plan, batch), strict=True), is_first=False)
            for batch in batches
        )

    return write


def _row(plan: Plan, found: Sequence[Sample], detail: Detail, taken: dict[str, float]) -> Row:
    size = len(_writing(plan, found, detail)().encode()) / len(found) / 1000
    told = f", {len(found) / taken[detail]:,.0f} records/s, {size:.3g} KB a record"
    what, ratio = f"`--detail {detail}`, against one by one", taken["naive"] / taken[detail]
    if detail in GOALS:
        return at_least(what, ratio, GOALS[detail], "times", told)
    return Row(what, f"{ratio:.3g} times{told}")
