"""What the page of a report is told: answers of the server, as far as a file can give them.

The shapes are those of `assay.server.schemas`; a test holds them against each other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from assay import registry
from assay.core import FailureAnalysis, Sample, Scores, Summary
from assay.core.jsontext import dumps
from assay.core.plain import sendable
from assay.report.first_screen import first_screen
from assay.report.flaky_questions import FlakyQuestions
from assay.report.html_samples import UNKNOWN, WorstSamples
from assay.report.metric_data import metric_data
from assay.stats.aggregates import Verdicts
from assay.version import __version__

MAX_GROUPS = 1000
"""Tags, and languages, that a report counts by; those met first."""


@dataclass(frozen=True, slots=True)
class About:
    """What a report says of its run beside the scores."""

    name: str = "Report"
    source: str = ""
    """The file or system that the answers came from; of a file the name is shown."""
    created: str = ""
    """When the run began, as ISO 8601."""
    finished: str | None = None
    tags: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    """What decided the scores beside the metrics."""
    command: str = ""
    """The command that made the report, without secrets."""
    profile: str = ""
    """What chose metrics and thresholds; empty where people named the metrics."""


@dataclass(slots=True)
class _SampleGroup:
    """Samples with one tag or in one language."""

    statuses: Counter[str] = field(default_factory=Counter)
    timed: int = 0
    seconds: float = 0.0

    @property
    def total(self) -> int:
        return self.statuses.total()

    def add(self, sample: Sample, status: str) -> None:
        self.statuses[status] += 1
        if sample.duration is not None:
            self.timed += 1
            self.seconds += sample.duration

    def to_json(self, name: str) -> dict[str, Any]:
        verdicts = Verdicts(**self.statuses)
        return {
            "name": sendable(name),
            "total": verdicts.total,
            "passed": verdicts.passed,
            "failed": verdicts.failed,
            "unsure": verdicts.unsure,
            "skipped": verdicts.skipped,
            "unjudged": verdicts.unjudged,
            "pass_rate": verdicts.pass_rate,
            "avg_duration": self.seconds / self.timed if self.timed else None,
        }


class ReportData:
    """Takes the scored samples of a run one by one, and gives the data of its report."""

    def __init__(self, about: About) -> None:
        self._about = about
        self._samples = 0
        self._worst = WorstSamples()
        self._tags: dict[str, _SampleGroup] = {}
        self._languages: dict[str, _SampleGroup] = {}
        self._failures: dict[tuple[str, str], tuple[int, FailureAnalysis]] = {}
        self._questions = FlakyQuestions()

    def add(self, sample: Sample, scores: Scores) -> None:
        """Count a sample, and keep it if it is among the worst."""
        for name in dict.fromkeys(sample.tags):
            _group(self._tags, name, sample, scores.status)
        _group(self._languages, scores.language or UNKNOWN, sample, scores.status)
        if failure := scores.failure:
            kind = failure.category, failure.root_cause
            count, first = self._failures.get(kind, (0, failure))
            self._failures[kind] = (count + 1, first)
        self._questions.add(sample, scores.status)
        self._worst.add(self._samples, sample, scores)
        self._samples += 1

    def to_text(self, summary: Summary) -> str:
        """The whole data as JSON."""
        known = registry.metrics()
        data = {
            "version": __version__,
            "run": (run := self._run(summary)),
            "first": self._first(summary, run),
            "metrics": _metrics(summary),
            "registry": [
                metric_data(known[id], has_examples=False) for id in summary.metrics if id in known
            ],
            "patterns": self._patterns(),
            "flaky": self._questions.to_json(),
            "blank": blank_sample(),
        }
        tests = ",\n".join(self._worst.texts())
        return f'{dumps(data)[:-1]}, "tests": [\n{tests}\n]}}'

    def _first(self, summary: Summary, run: Mapping[str, Any]) -> dict[str, Any]:
        """The first screen."""
        about = self._about
        groups = {"tag": run["tag_groups"], "language": run["language_groups"]}
        profile = about.profile or summary.selection.partition(" ")[0]  # "auto chose …"
        first = first_screen(summary, groups)
        plain: dict[str, Any] = sendable({"command": about.command, "profile": profile, **first})
        return plain

    def _run(self, summary: Summary) -> dict[str, Any]:
        """The run as the server's `get_run` answers it."""
        about = self._about
        entry = {
            "name": about.name,
            "status": "finished",
            "created": about.created,
            "updated": about.finished or about.created,
            "finished": about.finished,
            "source": re.split(r"[/\\]", about.source)[-1],
            "tags": about.tags,
            "note": "",
            "is_baseline": False,
            "tests": summary.samples,
            "unread": summary.unread,
            "total": None,
            "overall": summary.overall,
            "pass_rate": summary.pass_rate,
            "metrics": list(summary.metrics),
            "settings": about.settings,
            "judged": summary.judged,
            "passed": summary.passed,
            "failed": summary.failed,
            "unsure": summary.unsure,
            "unjudged": summary.unjudged,
            "gating": summary.gating,
            "causes": summary.causes,
            "selection": summary.selection,
            "overall_interval": summary.overall_interval,
            "pass_rate_interval": summary.pass_rate_interval,
            "problems": summary.problems,
            "gates": [verdict.to_json() for verdict in summary.gates],
            "judge": summary.judge,
            "repeats": summary.repeats,
            "retries": summary.retries,
            "tag_groups": _groups(self._tags),
            "language_groups": _groups(self._languages),
        }
        plain: dict[str, Any] = sendable(entry)
        return plain

    def _patterns(self) -> list[dict[str, Any]]:
        """The kinds of failure, the commonest first."""
        ordered = sorted(self._failures.items(), key=lambda entry: (-entry[1][0], entry[0]))
        return [
            {
                "category": failure.category,
                "count": count,
                "root_cause": failure.root_cause,
                "recommendations": list(failure.recommendations),
            }
            for _, (count, failure) in ordered
        ]


def _group(groups: dict[str, _SampleGroup], name: str, sample: Sample, status: str) -> None:
    if name in groups or len(groups) < MAX_GROUPS:
        groups.setdefault(name, _SampleGroup()).add(sample, status)


def _groups(groups: Mapping[str, _SampleGroup]) -> list[dict[str, Any]]:
    """The groups, the largest first."""
    ordered = sorted(groups.items(), key=lambda entry: (-entry[1].total, entry[0]))
    return [group.to_json(name) for name, group in ordered]


def _metrics(summary: Summary) -> list[dict[str, Any]]:
    """Every metric of the run as the server's `list_run_metrics` answers it."""
    entries = summary.to_json()["metrics"].items()
    return [{"metric": id, **sendable(entry)} for id, entry in entries]


def blank_sample() -> dict[str, Any]:
    """A sample without anything: what the page fills absent fields with."""
    blank = Sample()
    empty: dict[str, Any] = sendable(
        {part.name: getattr(blank, part.name) for part in fields(blank)}
    )
    empty["json_schema"] = empty.pop("schema")
    return empty
