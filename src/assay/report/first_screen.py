"""What a report says before anything else: the verdict, the worst group and the next step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from assay.core import Interval, Summary
from assay.report.figures import count, percent
from assay.report.headline import outcome
from assay.stats.intervals import wilson

MIN_GROUP = 5
"""Judged samples of a group that can be called the worst; fewer fail by chance."""


class WorstGroup(NamedTuple):
    """The group with the lowest pass rate."""

    kind: str
    """`tag` or `language`."""
    name: str
    passed: int
    judged: int
    interval: Interval | None


def first_screen(
    summary: Summary, groups: Mapping[str, Iterable[Mapping[str, Any]]]
) -> dict[str, Any]:
    """The verdict, the worst of the groups by kind (`tag`, `language`), and what to do next."""
    worst = worst_group(summary, groups)
    return {
        "outcome": f"{outcome(summary)}.",
        "worst_group": None if worst is None else worst._asdict(),
        "next": next_step(summary),
    }


def worst_group(
    summary: Summary, groups: Mapping[str, Iterable[Mapping[str, Any]]]
) -> WorstGroup | None:
    """The group with the lowest pass rate, if it is lower than that of the run."""
    candidates = [
        WorstGroup(kind, group["name"], group["passed"], judged, wilson(group["passed"], judged))
        for kind, members in groups.items()
        for group in members
        if (judged := group["passed"] + group["failed"] + group["unsure"]) >= MIN_GROUP
    ]
    lowest = min(candidates, key=_rate, default=None)
    if lowest is None or summary.pass_rate is None or _rate(lowest)[0] >= summary.pass_rate:
        return None
    return lowest


def _rate(group: WorstGroup) -> tuple[float, int]:
    """A group's pass rate; of equal ones the largest comes first."""
    return group.passed / group.judged, -group.judged


def next_step(summary: Summary) -> str:
    """The one thing that helps most now, in a sentence."""
    if summary.unread:
        records = count(summary.unread, "record")
        return f"See why {records} could not be used, before the figures are trusted."
    if not summary.judged:
        return "Choose metrics by name or threshold: none of these decides passes."
    if summary.failed:
        cause = next(iter(summary.causes), "")
        of = f"; most fail {cause}" if cause else ""
        return f"Read the samples that fail, the worst first{of}."
    if summary.unsure:
        samples = count(summary.unsure, "unsure sample")
        return f"Read and label the {samples}; assay calibrate learns a threshold from labels."
    least = summary.pass_rate_interval.low if summary.pass_rate_interval else 0.0
    return (
        f"Gate the build with --fail-under 'pass_rate>={int(100 * least) / 100:g}': "
        f"{count(summary.judged, 'sample')} prove no more than {percent(least)}."
    )
