"""What a report says before anything else: the verdict, the worst group and the next step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, NamedTuple

from assay.core import Interval, Summary
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


@dataclass(frozen=True, slots=True)
class NextStep:
    """What to do next; the page has the words for it (`report.next.*` of its messages)."""

    kind: Literal["unread", "unjudged", "cause", "failing", "unsure", "gate"]
    """Records that could not be used, no metric that decides, samples that fail for one cause or
    without one, samples to label, or a gate to set."""
    samples: int
    """Records or samples that it is about."""
    cause: str = ""
    """The metric that most of the failing samples fail."""
    least: float | None = None
    """The pass rate that the run proves, for a gate."""


def first_screen(
    summary: Summary, groups: Mapping[str, Iterable[Mapping[str, Any]]]
) -> dict[str, Any]:
    """The verdict, the worst of the groups by kind (`tag`, `language`), and what to do next."""
    worst = worst_group(summary, groups)
    return {
        "outcome": f"{outcome(summary)}.",
        "worst_group": None if worst is None else worst._asdict(),
        "next": asdict(next_step(summary)),
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


def next_step(summary: Summary) -> NextStep:
    """The one thing that helps most now."""
    if summary.unread:
        return NextStep("unread", summary.unread)
    if not summary.judged:
        return NextStep("unjudged", 0)
    if summary.failed:
        cause = next(iter(summary.causes), "")
        return NextStep("cause" if cause else "failing", summary.failed, cause)
    if summary.unsure:
        return NextStep("unsure", summary.unsure)
    interval = summary.pass_rate_interval
    return NextStep("gate", summary.judged, least=interval.low if interval else 0.0)
