"""The scores of one sample on the terminal: the verdict, then its reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.core import Result, Sample, Scores
from assay.report.evidence_text import snippets
from assay.report.figures import limit, number, verdict
from assay.report.headline import some
from assay.report.safe_text import one_line
from assay.report.worst import ranked

if TYPE_CHECKING:
    from rich.console import Console

_STYLES = {"pass": "green", "fail": "red", "error": "red", "unsure": "yellow"}


def verdict_line(scores: Scores) -> str:
    """The sample in one sentence."""
    by_verdict: dict[str, list[str]] = {}
    for metric, result in ranked(scores):
        if result.gates:
            by_verdict.setdefault(verdict(result), []).append(metric)
    if failed := [*by_verdict.get("fail", ()), *by_verdict.get("error", ())]:
        return f"To look at: {some(failed)} {'fails' if len(failed) == 1 else 'fail'}."
    if unsure := by_verdict.get("unsure"):
        return f"Unsure: {some(unsure)} cannot tell."
    if passed := by_verdict.get("pass"):
        return f"Good: passes {some(passed)}."
    return "No verdict: no metric that decides has a score."


def print_scores(sample: Sample, scores: Scores, console: Console) -> None:
    """Print the verdict, every metric that decides with its reason, and the others in one line."""
    from rich.table import Table
    from rich.text import Text

    line = verdict_line(scores)
    console.print(Text(line, "bold red" if line.startswith("To look") else "bold"))
    grid = Table.grid(padding=(0, 2))
    for _ in range(2):
        grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    others, unscored = [], []
    for metric, result in ranked(scores):
        if verdict(result) == "N/A":
            unscored.append(f"{one_line(metric)} ({one_line(result.explanation).rstrip('.')})")
        elif not result.gates:
            others.append(f"{one_line(metric)} {number(result.value, metric)}")
        else:
            word = verdict(result)
            reason = Text(one_line(result.explanation))
            for words in snippets(sample, result.evidence):
                reason.append(f" “{words}”", "dim")
            name = Text(f"{one_line(metric)} {_value(metric, result)}")
            grid.add_row(Text(word or "–", _STYLES.get(word, "")), name, reason)
    console.print(grid)
    for title, parts in (("For information", others), ("Not scored", unscored)):
        if parts:
            console.print(Text(f"{title}: {some(parts)}.", "dim"))


def _value(metric: str, result: Result) -> str:
    if result.state == "error":
        return "error"
    threshold = "" if result.threshold is None else f" ({limit(result.threshold, metric)})"
    return f"{number(result.value, metric)}{threshold}"
