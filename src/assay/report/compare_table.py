"""A comparison of two runs on the terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from assay.core.run_comparison import MetricChange, RunComparison, SampleChange, Verdict
from assay.report.figures import NO_VALUE, count, interval, number
from assay.report.safe_text import one_line

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

_STYLES: dict[Verdict, str] = {
    "worse": "red",
    "better": "green",
    "lower": "yellow",
    "higher": "yellow",
    "too few samples": "dim",
    "no real change": "",
}
"""The verdicts in the order in which a reader wants to see them."""
_CORRECTIONS = {"holm": "Holm", "bh": "Benjamini–Hochberg"}
SHOWN_TEXT = 300
"""Characters of an answer that are shown."""
NAME_WIDTH = 18
"""Characters of a metric's name that have to have room before a column more is shown."""
LONGEST_WORD = 7
"""Of a verdict."""
GAP = 3
"""Characters between two columns."""
SHOWN_NAMES = 10
"""Metrics that are named in one line of remarks."""


def print_comparison(fields: RunComparison, console: Console) -> None:
    """Print the metrics as a table, what to know about them, and the most changed samples."""
    console.print(_text(f"A: {one_line(fields.a)}   B: {one_line(fields.b)}", "bold"))
    console.print(_metrics(fields, console.width))
    console.print()
    for line in remarks(fields):
        console.print(_text(line))
    if fields.samples:
        console.print(_text("\nChanged most", "bold"))
    for sample in fields.samples:
        console.print(_sample(sample))


def remarks(comparison: RunComparison) -> list[str]:
    """What a reader should know, one sentence a line."""
    lines = []
    if comparison.paired_by != "none":
        pairs = count(comparison.pairs, "sample")
        lines.append(f"{pairs} paired by {comparison.paired_by}{_unpaired(comparison)}.")
    if comparison.unread:
        lines.append(f"{count(comparison.unread, 'record')} could not be read.")
    tested = count(sum(change.changed > 0 for change in comparison.metrics), "changed metric")
    if comparison.paired_by == "none":
        tested = count(sum(c.p is not None for c in comparison.metrics), "metric")
    corrected = f"corrected over {tested} ({_CORRECTIONS.get(comparison.correction)})"
    correction = corrected if comparison.correction in _CORRECTIONS else "not corrected"
    lines.append(f"Differences are B − A with 95 % intervals; p is {correction}.")
    lines += _too_few(
        [change for change in comparison.metrics if change.verdict == "too few samples"]
    )
    for metric, parts in [*comparison.refused.items()][:SHOWN_NAMES]:
        lines.append(
            f"Not compared: {one_line(metric)} was made by different rules "
            f"({one_line(', '.join(parts))}); --allow-different compares it all the same."
        )
    if len(comparison.refused) > SHOWN_NAMES:
        lines.append(
            f"… and {len(comparison.refused) - SHOWN_NAMES} more metrics of different rules."
        )
    for change in comparison.metrics:
        if change.rule_changes:
            rules = one_line(", ".join(change.rule_changes))
            lines.append(f"{one_line(change.metric)} was made by different rules ({rules}).")
    for side, names in (("A", comparison.metrics_only_a), ("B", comparison.metrics_only_b)):
        if names:
            lines.append(f"Only in {side}: {_listed(names)}.")
    for metric, (before, after) in comparison.thresholds.items():
        lines.append(f"The threshold of {one_line(metric)} is {before} in A and {after} in B.")
    return [*lines, *(one_line(note) for note in comparison.notes)]


def _unpaired(comparison: RunComparison) -> str:
    parts = [
        f"{amount:,} only in {side}"
        for side, amount in (("A", comparison.only_a), ("B", comparison.only_b))
        if amount
    ]
    if comparison.repeated:
        parts.append(
            f"{comparison.repeated:,} repeat an earlier {comparison.paired_by} of their run"
        )
    return "; " + ", ".join(parts) if parts else ""


def _too_few(short: list[MetricChange]) -> list[str]:
    """What is too little to tell, and what would be enough."""
    lines = []
    if absent := [change.metric for change in short if not change.pairs]:
        lines.append(f"No scores in both runs: {_listed(absent)}.")
    if changes := [change for change in short if change.pairs_needed]:
        most = max(changes, key=lambda change: change.pairs_needed or 0)
        lines.append(
            f"Too few samples to tell for {_listed(change.metric for change in changes)}; a change "
            f"of {most.tolerance:.3g} in {one_line(most.metric)} would show in about "
            f"{most.pairs_needed:,} pairs."
        )
    return lines


def _listed(names: Iterable[str]) -> str:
    lines = [one_line(name) for name in names]
    rest = f" and {len(lines) - SHOWN_NAMES} more" if len(lines) > SHOWN_NAMES else ""
    return ", ".join(lines[:SHOWN_NAMES]) + rest


def _text(text: str, style: str = "") -> Text:
    from rich.text import Text

    return Text(text, style=style)


def _metrics(comparison: RunComparison, width: int) -> Table:
    """The table with as many columns as there is room for: one that is too wide would be cut."""
    from rich import box
    from rich.table import Table

    order = list(_STYLES)
    changes = sorted(comparison.metrics, key=lambda change: order.index(change.verdict))
    for shown in (_Shown(True, True), _Shown(False, True), _Shown(False, False)):
        heads = ["metric", "A", "B", "difference", "p", *_EFFECT[: 2 * shown.effect], "verdict"]
        rows = [_cells(change, shown) for change in changes]
        name, *inner, verdict = [max(map(len, own)) for own in zip(heads, *rows, strict=True)]
        left = width - sum(inner) - GAP * (len(inner) + 1)
        verdict = min(verdict, max(LONGEST_WORD, left - name))
        if left - verdict >= min(NAME_WIDTH, name):
            break
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), show_edge=False)
    table.add_column(heads[0], overflow="fold", width=max(1, min(name, left - verdict)))
    for title in heads[1:-1]:
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column(heads[-1], overflow="fold", width=verdict)
    for row in rows:
        table.add_row(*row)
    return table


class _Shown(NamedTuple):
    """What a table shows beside the rest."""

    effect: bool
    interval: bool


_EFFECT = ("effect", "detectable")


def _cells(change: MetricChange, shown: _Shown) -> list[Text]:
    difference = NO_VALUE if change.difference is None else f"{change.difference:+.2g}"
    is_rate = change.test == "McNemar"
    effect = NO_VALUE if change.effect is None else f"{change.effect:.2f}"
    wide = [
        _text(f"{'OR' if is_rate else 'd'} {effect}"),
        _text(NO_VALUE if change.detectable is None else f"{change.detectable:.3g}"),
    ]
    bounds = f" {interval(change.interval)}" if shown.interval else ""
    return [
        _text(one_line(change.metric)),
        _text(number(change.mean_a, change.metric)),
        _text(number(change.mean_b, change.metric)),
        _text(difference).append(bounds, "dim"),
        _text(_p(change.adjusted_p)),
        *(wide if shown.effect else ()),
        _text(change.verdict, _STYLES[change.verdict]),
    ]


def _p(value: float | None) -> str:
    return NO_VALUE if value is None else "<0.001" if value < 0.001 else f"{value:.3f}"


def _sample(sample: SampleChange) -> Table:
    """One sample: its query, then both answers and explanations side by side."""
    from rich.table import Table

    name = sample.id_a if sample.id_a == sample.id_b else f"{sample.id_a} / {sample.id_b}"
    table = Table(box=None, pad_edge=False, title_justify="left", expand=True, padding=(0, 2, 0, 0))
    table.title = _text(one_line(name, 80), "bold not italic")
    table.add_column(_text(""), overflow="fold", ratio=2)
    table.add_column(_text("A", "dim"), overflow="fold", ratio=3)
    table.add_column(_text("B", "dim"), overflow="fold", ratio=3)
    if sample.query is not None:
        table.title.append(f"  {one_line(sample.query, SHOWN_TEXT)}", "not bold not italic dim")
    if sample.response_a is not None or sample.response_b is not None:
        table.add_row(
            _text("response", "dim"),
            _text(one_line(sample.response_a or NO_VALUE, SHOWN_TEXT)),
            _text(one_line(sample.response_b or NO_VALUE, SHOWN_TEXT)),
        )
    for score in sample.scores:
        table.add_row(
            _text(one_line(score.metric, 80)),
            _text(number(score.value_a, score.metric), "bold").append(
                f" {one_line(score.explanation_a)}", "not bold"
            ),
            _text(number(score.value_b, score.metric), "bold").append(
                f" {one_line(score.explanation_b)}", "not bold"
            ),
        )
    return table
