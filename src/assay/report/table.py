"""A run's summary on the terminal.

Everything that comes from data is put into `rich.text.Text`, never parsed as rich's markup, and
has its control characters made visible first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from assay.core import Aggregate, Sample, Summary
from assay.report.figures import (
    NO_VALUE,
    count,
    interval,
    number,
    percent,
    percent_interval,
    threshold_of,
    unscored,
)
from assay.report.headline import (
    basis,
    causes,
    estimates,
    has_overall,
    outcome,
    repeats,
    retries,
    some,
    standing,
)
from assay.report.safe_text import one_line
from assay.report.worst import LowScoreReason, reasons

if TYPE_CHECKING:
    from rich.console import Console
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

WORST = 5
"""Samples that are shown."""
REASONS = 2
"""Reasons for no score that are shown, of all metrics and of one."""
SHOWN_TEXT = 60
"""Characters of query and response that are shown."""
LONGEST_NAME = 50
"""Characters of a metric with its finding in one line, where that is not half of the terminal."""
INDENT = 2
USUAL_WIDTH = 80
"""A narrower terminal shows no intervals: a table that is too wide loses its last characters."""
NAMED = 3
"""Metrics without a score that are named for one reason."""
_GOOD, _BAD, _DIM = "green", "red", "dim"


def print_summary(summary: Summary, console: Console) -> None:
    """Print the verdict, the metrics that scored, and the samples to look at with their reasons."""
    console.print(_outcome(summary))
    console.print(_verdict(summary))
    for line in (
        repeats(summary),
        retries(summary),
        estimates(summary),
        causes(summary),
        "" if summary.gating else basis(summary),
    ):
        if line:
            console.print(_text(one_line(line, 500)))
    scored = [a for a in summary.metrics.values() if a.mean is not None]
    deciding = [aggregate for aggregate in scored if aggregate.gates]
    if scored:
        console.print(_metrics(deciding or scored, console.width))
    for line in (_informational(scored) if deciding else "", _without_score(summary)):
        if line:
            console.print(_text(line, _DIM))
    _print_samples(summary, console)


def _print_samples(summary: Summary, console: Console) -> None:
    """Print the samples that do not pass; without verdicts, those with the lowest scores."""
    from rich.padding import Padding

    doubtful = [(sample, scores) for sample, scores in summary.worst if scores.status != "passed"]
    shown = doubtful if summary.judged else summary.worst
    if not shown:
        return
    title = "To look at" if summary.judged else "Lowest scores"
    console.print(_text(f"\n{title}", "bold"))
    for sample, scores in shown[:WORST]:
        console.print(
            _text(one_line(scores.id, 80), "bold").append(
                f"  quality {number(scores.score)}", "not bold dim"
            )
        )
        if line := _exchange(sample):
            console.print(Padding(_text(line, _DIM), (0, 0, 0, 2)))
        console.print(_reasons(reasons(sample, scores), console.width))
    rest = summary.failed + summary.unsure - WORST
    if rest > 0:
        console.print(_text(f"… and {rest:,} more; --out report.html shows them.", _DIM))


def _exchange(sample: Sample) -> str:
    """What was asked and answered, in short."""
    texts = [one_line(text, SHOWN_TEXT) for text in (sample.query, sample.response) if text]
    return " → ".join(f"“{text}”" for text in texts)


def _text(text: str, style: str = "") -> Text:
    from rich.text import Text

    return Text(text, style=style)


def _metrics(scored: list[Aggregate], width: int) -> Table:
    from rich import box
    from rich.table import Table

    longest = max(len(aggregate.metric) for aggregate in scored)
    is_wide = width >= USUAL_WIDTH
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    table.add_column("metric", overflow="fold", min_width=min(22, longest) if is_wide else None)
    for title in ("mean", *(["95 % interval"] if is_wide else []), "passed"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("threshold", no_wrap=True)
    table.add_column("not scored", overflow="fold", min_width=9 if is_wide else None)
    for aggregate in scored:
        name, mean, interval_of_mean, *others = _cells(aggregate)
        table.add_row(name, mean, *([interval_of_mean] if is_wide else []), *others)
    return table


def _informational(scored: list[Aggregate]) -> str:
    """The metrics that decide nothing, in one line."""
    means = [
        f"{one_line(aggregate.metric)} {number(aggregate.mean, aggregate.metric)}"
        for aggregate in scored
        if not aggregate.gates
    ]
    return f"For information: {some(means)}." if means else ""


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
            threshold_of(aggregate),
            _DIM,
        ),
        _text(", ".join(unscored(aggregate)), _BAD if aggregate.errors else _DIM),
    ]


def _outcome(summary: Summary) -> Text:
    if not summary.judged:
        return _text(f"{outcome(summary)}.", "bold")
    return _text(f"{outcome(summary)}.", f"bold {_GOOD if _is_good(summary) else _BAD}")


def _is_good(summary: Summary) -> bool:
    return summary.passed == summary.judged


def _verdict(summary: Summary) -> Text:
    line = _text("")
    if summary.judged:
        line.append("Pass rate ")
        line.append(percent(summary.pass_rate), "bold")
        line.append(f" {percent_interval(summary.pass_rate_interval)}; ", _DIM)
    line.append("mean quality " if summary.judged else "Mean quality ")
    line.append(number(summary.overall) if has_overall(summary) else NO_VALUE, "bold")
    if has_overall(summary) and summary.overall_interval:
        line.append(f" {interval(summary.overall_interval)}", _DIM)
    line.append(f" over {count(summary.samples, 'sample')}")
    if summary.samples and (summary.unsure or summary.unjudged):
        line.append(f"; {standing(summary)}")
    if summary.unread:
        line.append(f"; {count(summary.unread, 'record')} could not be used", _BAD)
    if summary.errors:
        line.append(f"; {count(summary.errors, 'score')} failed", _BAD)
    return line.append(".")


def _without_score(summary: Summary) -> str:
    """Why metrics have no score at all, in one line; those of one reason stand together."""
    metrics_by_reason: dict[str, list[str]] = {}
    for aggregate in summary.metrics.values():
        if aggregate.mean is None and aggregate.reasons:
            metrics_by_reason.setdefault(_why(aggregate.reasons), []).append(aggregate.metric)
    groups = sorted(metrics_by_reason.items(), key=lambda group: -len(group[1]))
    parts = [f"{_some(names)} ({why})" for why, names in groups]
    rest = sum(len(names) for _, names in groups[REASONS:])
    more = [f"{rest} more; the report says why"] if rest else []
    return f"Not scored: {'; '.join([*parts[:REASONS], *more])}." if parts else ""


def _why(counted: Mapping[str, int]) -> str:
    """The most common reasons for no score, with their counts where there are several."""
    first = [(one_line(reason).rstrip("."), amount) for reason, amount in counted.items()]
    if len(first) == 1:
        return first[0][0]
    return "; ".join(f"{reason}: {amount:,}" for reason, amount in first[:REASONS])


def _some(names: list[str]) -> str:
    rest = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(map(one_line, names[:NAMED])) + rest


def _reasons(result: Iterable[LowScoreReason], width: int) -> Padding:
    """Metric and value on the left, the explanation with its evidence on the right."""
    from rich.padding import Padding
    from rich.table import Table

    rows = []
    for reason in result:
        name = _text(one_line(reason.metric, 80), _BAD if reason.is_failure else "")
        name.append(f" {reason.finding}", "default")
        explanation = _text(one_line(reason.explanation))
        for words in reason.snippets:
            explanation.append(f" “{words}”", _DIM)
        rows.append((name, explanation))
    grid = Table.grid(padding=(0, INDENT))
    longest = max((len(name) for name, _ in rows), default=0)
    left = min(LONGEST_NAME, longest, width // 2)
    for own in (left, width - left - 2 * INDENT):  # fixed: a table that is too wide is cut
        grid.add_column(overflow="fold", width=max(1, own))
    for name, explanation in rows:
        grid.add_row(name, explanation)
    return Padding(grid, (0, 0, 0, INDENT))
