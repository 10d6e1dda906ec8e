"""What GitHub shows of a run: annotations of the build, and the step's summary.

An annotation is a line that the runner of a build reads as a command. Text from data is escaped as
the runner's own toolkit does it, so it can neither end the line nor add a property.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.core import GateVerdict, Summary
from assay.report.gate_lines import heading, noteworthy, reason
from assay.report.markdown import markdown_page
from assay.report.safe_text import one_line
from assay.report.worst import reasons

MOST = 10
"""Annotations of a kind that GitHub shows of one step."""
WORST = 5
"""Failed samples that are annotated."""
_DATA = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY = {**_DATA, ":": "%3A", ",": "%2C"}
_SUMMARY_BYTES = 1024 * 1024
"""The largest summary of a step that GitHub takes."""


def build_notes(summary: Summary, file: str = "") -> Iterator[str]:
    """The lines to print: gates that fail or are not sure, then the worst samples that failed."""
    verdicts = noteworthy(summary.gates)
    failed = [verdict for verdict in verdicts if not verdict.passes]
    unsure = [verdict for verdict in verdicts if verdict.passes]
    yield from _gates("error", failed, MOST, file)
    yield from _gates("warning", unsure, MOST - WORST, file)
    yield from _samples(summary, file)


def _gates(level: str, verdicts: list[GateVerdict], most: int, file: str) -> Iterator[str]:
    shown = verdicts if len(verdicts) <= most else verdicts[: most - 1]
    for verdict in shown:
        title = f"{heading(verdict)}: {one_line(verdict.gate, 200)}"
        yield annotation(level, title, reason(verdict), file)
    if len(verdicts) > len(shown):
        more = f"{len(verdicts) - len(shown)} more gates are not shown here"
        yield annotation(level, "And more gates", more, file)


def _samples(summary: Summary, file: str) -> Iterator[str]:
    failed = [(sample, scores) for sample, scores in summary.worst if scores.passed is False]
    for sample, scores in failed[: WORST - 1]:
        explanations = "; ".join(
            f"{reason.metric} {reason.finding}: {one_line(reason.explanation, 300)}"
            for reason in reasons(sample, scores)
        )
        yield annotation("warning", f"Sample {one_line(scores.id, 100)}", explanations, file)
    left = summary.failed - len(failed[: WORST - 1])
    if left > 0:
        yield annotation("warning", "And more samples", f"{left} more samples fail", file)


def annotation(level: str, title: str, message: str, file: str = "") -> str:
    """One annotation; whatever the texts hold, it is one line and one command."""
    properties = {"file": file, "title": title}
    given = ",".join(f"{n}={_escape(v, _PROPERTY)}" for n, v in properties.items() if v)
    return f"::{level} {given}::{_escape(message, _DATA)}"


def _escape(text: str, table: dict[str, str]) -> str:
    shown = one_line(text, 1000)
    return "".join(table.get(char, char) for char in shown)


def step_summary(summary: Summary) -> str:
    """The Markdown of the step's summary."""
    page = markdown_page(summary)
    if len(page.encode("utf-8", "backslashreplace")) <= _SUMMARY_BYTES:
        return page
    return page.partition("\n\n|")[0] + "\n\nThe tables are too long to be shown here.\n"
