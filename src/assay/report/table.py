"""A run's summary on the terminal.

Everything that comes from data is put into `rich.text.Text`, never parsed as rich's markup, and
has its control characters made visible first.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from assay.core import Aggregate, Summary
from assay.report.figures import (
    NO_VALUE,
    count,
    interval,
    limit,
    number,
    percent,
    percent_interval,
    unscored,
)
from assay.report.headline import basis, causes, standing
from assay.report.safe_text import one_line
from assay.report.worst import LowScoreReason, reasons

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

WORST = 5
"""Samples, and reasons for no score, that are shown."""
NAMED = 3
"""Metrics without a score that are named for one reason."""
_GOOD, _BAD, _DIM = "green", "red", "dim"


def print_summary(summary: Summary, console: Console) -> None:
    """Print the metrics as a table, the run's verdict, and the worst samples with their reasons."""
    if summary.metrics:
        console.print(_metrics(summary))
    console.print(_verdict(summary))
    for line in (causes(summary), basis(summary)):
        if line:
            console.print(_text(one_line(line, 500), _DIM if line.startswith("Passes") else ""))
    for line in _without_score(summary):
        console.print(_text(line, _DIM))
    if summary.worst:
        console.print(_text("\nWorst samples", "bold"))
    for sample, scores in summary.worst[:WORST]:
        console.print(
            _text(one_line(scores.id, 80), "bold").append(f"  {number(scores.score)}", "not bold")
        )
        console.print(_reasons(reasons(sample, scores)))


def _text(text: str, style: str = "") -> Text:
    from rich.text import Text

    return Text(text, style=style)


def _metrics(summary: Summary) -> Table:
    from rich import box
    from rich.table import Table

    longest = max(map(len, summary.metrics))
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    table.add_column("metric", overflow="fold", min_width=min(22, longest))
    for title in ("mean", "95 % interval", "passed"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("at", no_wrap=True)
    table.add_column("not scored", overflow="fold", min_width=9)
    for aggregate in summary.metrics.values():
        if aggregate.gates:
            table.add_row(*_cells(aggregate))
    table.add_section()
    for aggregate in summary.metrics.values():
        if not aggregate.gates:
            table.add_row(*_cells(aggregate), style=_DIM)
    return table


def _cells(aggregate: Aggregate) -> list[Text]:
    judged = f"{aggregate.passed:,}/{aggregate.judged:,}" if aggregate.judged else NO_VALUE
    has_failed = aggregate.passed < aggregate.judged
    style = _BAD if has_failed else _GOOD
    return [
        _text(one_line(aggregate.metric)),
        _text(number(aggregate.mean, aggregate.metric), "bold"),
        _text(interval(aggregate.mean_interval), _DIM),
        _text(judged, style if aggregate.judged and aggregate.gates else _DIM),
        _text(
            "" if aggregate.threshold is None else limit(aggregate.threshold, aggregate.metric),
            _DIM,
        ),
        _text(", ".join(unscored(aggregate)), _BAD if aggregate.errors else _DIM),
    ]


def _verdict(summary: Summary) -> Text:
    line = _text("Overall ")
    line.append(number(summary.overall), "bold")
    if summary.overall_interval:
        line.append(f" {interval(summary.overall_interval)}", _DIM)
    line.append(f" over {count(summary.samples, 'sample')}")
    if summary.judged:
        style = _GOOD if summary.passed == summary.judged else _BAD
        line.append("; ")
        line.append(f"{summary.passed:,} of {summary.judged:,} pass", style)
        line.append(f" ({percent(summary.pass_rate)} ")
        line.append(percent_interval(summary.pass_rate_interval), _DIM)
        line.append(")")
    if summary.samples:
        line.append(f"; {standing(summary)}")
    if summary.unread:
        line.append(f"; {count(summary.unread, 'record')} could not be used", _BAD)
    if summary.errors:
        line.append(f"; {count(summary.errors, 'score')} failed", _BAD)
    return line.append(".")


def _without_score(summary: Summary) -> list[str]:
    """Why metrics have no score at all; those of one reason stand together."""
    metrics_by_reason: dict[str, list[str]] = {}
    for aggregate in summary.metrics.values():
        if aggregate.mean is None and aggregate.reasons:
            metrics_by_reason.setdefault(next(iter(aggregate.reasons)), []).append(aggregate.metric)
    groups = sorted(metrics_by_reason.items(), key=lambda group: -len(group[1]))
    lines = [f"No score: {_some(names)}: {one_line(reason)}" for reason, names in groups[:WORST]]
    rest = len(groups) - len(lines)
    return [*lines, f"… and {rest} more reasons; the report has them."] if rest else lines


def _some(names: list[str]) -> str:
    rest = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(map(one_line, names[:NAMED])) + rest


def _reasons(result: Iterable[LowScoreReason]) -> Table:
    """Metric and value on the left, the explanation with its evidence on the right."""
    from rich.table import Table

    grid = Table.grid(padding=(0, 2))
    grid.add_column(width=0)
    grid.add_column(overflow="fold", max_width=50)
    grid.add_column(overflow="fold")
    for reason in result:
        name = _text(one_line(reason.metric, 80), _BAD if reason.is_failure else "")
        name.append(f" {reason.finding}", "default")
        explanation = _text(one_line(reason.explanation))
        for words in reason.snippets:
            explanation.append(f" “{words}”", _DIM)
        grid.add_row("", name, explanation)
    return grid
