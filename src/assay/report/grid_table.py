"""The matrix of a grid on the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.core import Interval
from assay.core.grid_matrix import CellFigures, GridMatrix
from assay.core.run_comparison import MetricChange, Verdict
from assay.report.figures import NO_VALUE, count, number, percent
from assay.report.safe_text import one_line

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

MARKS: dict[Verdict, str] = {"better": " ▲", "worse": " ▼"}
"""Behind a figure that really differs from the baseline's."""
_STYLES: dict[Verdict, str] = {"better": "green", "worse": "red", "too few samples": "dim"}
COLUMN = 16
"""Characters that the column of a metric takes, about."""
PASS_RATE = "pass_rate"
WIDE = 110
"""Columns from which tokens and seconds have room."""


def print_matrix(matrix: GridMatrix, console: Console) -> None:
    """Print pass rates with paired differences and costs, then the metrics that gate."""
    console.print(_text(f"Experiment {one_line(matrix.experiment)}", "bold"))
    console.print(_rates(matrix, is_wide=console.width >= WIDE))
    metrics = list(dict.fromkeys(id for cell in matrix.cells for id in cell.summary.gating))
    shown = metrics[: max(1, (console.width - _longest(matrix)) // COLUMN)]
    if metrics:
        console.print(_metrics(matrix, shown))
    for line in remarks(matrix, left_out=len(metrics) - len(shown)):
        console.print(_text(line))


def remarks(matrix: GridMatrix, left_out: int = 0) -> list[str]:
    """What a reader should know, one sentence a line."""
    lines = [
        f"Differences are to {one_line(matrix.baseline)}, question by question; p is corrected "
        "over all cells and metrics (Holm)."
    ]
    if any(cell.summary.repeats for cell in matrix.cells):
        lines.append("A question counts once, with the means over its answers.")
    if left_out:
        lines.append(f"{count(left_out, 'more metric')} in --json.")
    for cell in matrix.cells:
        name = one_line(cell.cell)
        if not cell.is_whole:
            lines.append(f"{name}: not every question was asked; --resume goes on.")
        if cell.summary.unread:
            lines.append(f"{name}: {count(cell.summary.unread, 'record')} without an answer.")
        lines += [f"{name}: {one_line(note, 300)}" for note in cell.notes]
    return lines


def _rates(matrix: GridMatrix, *, is_wide: bool) -> Table:
    table = _table()
    table.add_column("cell", overflow="fold")
    for title in ("pass rate", "difference", "p"):
        table.add_column(title, justify="right")
    table.add_column("verdict")
    titles = ("cost", "tokens", "seconds")[: 3 if is_wide else 1]
    for title in titles:
        table.add_column(title, justify="right")
    for cell in matrix.cells:
        cells = _rate_cells(cell, is_baseline=cell.cell == matrix.baseline)
        table.add_row(*cells[: 5 + len(titles)])
    return table


def _rate_cells(cell: CellFigures, *, is_baseline: bool) -> list[Text]:
    summary, usage, change = cell.summary, cell.usage, cell.change(PASS_RATE)
    tokens = usage.tokens
    return [
        _text(one_line(cell.cell)),
        _text(f"{percent(summary.pass_rate)} ").append(_ends(summary.pass_rate_interval), "dim"),
        _text("" if is_baseline else _difference(change)),
        _text("" if is_baseline else _p(change)),
        _verdict(change, is_baseline=is_baseline),
        _text(NO_VALUE if usage.usd is None else f"${usage.usd:.4f}"),
        _text(NO_VALUE if tokens is None else f"{tokens:,}"),
        _text(NO_VALUE if usage.seconds is None else f"{usage.seconds:.2f}"),
    ]


def _ends(interval: Interval | None) -> str:
    """An interval of shares, in percent."""
    return f"[{100 * interval.low:.1f}, {100 * interval.high:.1f}]" if interval else ""


def _difference(change: MetricChange | None) -> str:
    """A difference of shares, in percentage points."""
    if change is None or change.difference is None:
        return NO_VALUE
    ends = change.interval
    interval = f" [{100 * ends.low:+.1f}, {100 * ends.high:+.1f}]" if ends else ""
    return f"{100 * change.difference:+.1f}{interval}"


def _p(change: MetricChange | None) -> str:
    if change is None or change.adjusted_p is None:
        return NO_VALUE
    return "<0.001" if change.adjusted_p < 0.001 else f"{change.adjusted_p:.3f}"


def _verdict(change: MetricChange | None, *, is_baseline: bool) -> Text:
    if is_baseline:
        return _text("baseline", "dim")
    if change is None:
        return _text("not compared", "dim")
    return _text(change.verdict, _STYLES.get(change.verdict, ""))


def _metrics(matrix: GridMatrix, shown: list[str]) -> Table:
    table = _table()
    table.add_column("cell", overflow="fold")
    for metric in shown:
        table.add_column(one_line(metric), justify="right", overflow="fold")
    for cell in matrix.cells:
        table.add_row(_text(one_line(cell.cell)), *(_mean(cell, metric) for metric in shown))
    return table


def _mean(cell: CellFigures, metric: str) -> Text:
    aggregate = cell.summary.metrics.get(metric)
    if aggregate is None:
        return _text(NO_VALUE)
    change = cell.change(metric)
    verdict = change.verdict if change else "no real change"
    return _text(number(aggregate.mean, metric)).append(
        MARKS.get(verdict, ""), _STYLES.get(verdict, "")
    )


def _longest(matrix: GridMatrix) -> int:
    return max(len(cell.cell) for cell in matrix.cells)


def _table() -> Table:
    from rich import box
    from rich.table import Table

    return Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))


def _text(text: str, style: str = "") -> Text:
    from rich.text import Text

    return Text(text, style=style)
