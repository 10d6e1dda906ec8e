"""`assay drift`: how far answers and scores have moved from a baseline."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from assay.cli.console import console
from assay.cli.options import config_option, environment_option, json_option, read_settings
from assay.core import UsageError
from assay.core.jsontext import dumps
from assay.stats.psi import SMOOTHING

if TYPE_CHECKING:
    from rich.table import Table

    from assay.runner.drift import DriftBaseline, DriftComparison, Population

MOVED = 3
"""So many of the bins that moved most are shown."""


@click.command("drift")
@click.argument("baseline")
@click.argument("current", required=False)
@click.option(
    "--field",
    default="response",
    type=click.Choice(["response", "query", "expected", "gold_context"]),
    help="The field whose words are compared. Default: response.",
)
@click.option(
    "--metrics",
    "-m",
    multiple=True,
    metavar="SELECTOR,…",
    help="Scores to compare: samples are scored by them; of results, all are compared unless ids "
    "or families are given.",
)
@click.option(
    "--bins",
    default=10,
    show_default=True,
    type=click.IntRange(2, 1000),
    help="Bins of scores, at quantiles of the baseline; fewer where they would hold under 5.",
)
@click.option(
    "--words",
    default=100,
    show_default=True,
    type=click.IntRange(1, 100_000),
    help="Number of the baseline's most common words that get a bin each.",
)
@click.option(
    "--save-baseline",
    default=None,
    metavar="FILE",
    help="Write the bins of BASELINE to a .json file that can be given as BASELINE later.",
)
@click.option(
    "--fail-over",
    default=None,
    type=click.FloatRange(0),
    metavar="PSI",
    help="Exit with 1 when an index is above this; 0.25 is common.",
)
@config_option
@environment_option
@json_option
def command(
    baseline: str,
    current: str | None,
    field: str,
    metrics: tuple[str, ...],
    bins: int,
    words: int,
    save_baseline: str | None,
    fail_over: float | None,
    config: str | None,
    environment: str | None,
    as_json: bool,
) -> int:
    """Compare the answers and scores of CURRENT with those of BASELINE (population stability).

    Either is a file of samples, or of results written by "assay run --out results.jsonl";
    BASELINE may also be a file written by --save-baseline. The index is 0 for equal populations;
    below 0.1 counts as stable, below 0.25 as moderate, else as significant.
    """
    from assay.runner.drift import compare, read_population, write_baseline

    if current is None and save_baseline is None:
        raise UsageError("there is nothing to do; give CURRENT, --save-baseline FILE, or both")
    selectors = tuple(part for given in metrics for part in given.split(",") if part)

    settings = read_settings(config, environment)

    def read(path: str) -> Population:
        return read_population(path, field, selectors, settings)

    before, unread = _baseline(baseline, read, bins=bins, words=words)
    if save_baseline:
        write_baseline(before, save_baseline)
        click.echo(f"Written: {save_baseline}", err=True)
    if current is None:
        return _verdict([], unread, fail_over)
    now = read(current)
    comparisons = compare(before, now)
    if not comparisons:
        raise UsageError(
            f"the files share neither a text {field!r} nor a scored metric; results hold no texts, "
            "and samples have scores only with --metrics"
        )
    _show(before, now, comparisons, as_json=as_json)
    return _verdict(comparisons, unread + now.unread, fail_over)


def _baseline(
    path: str, read: Callable[[str], Population], *, bins: int, words: int
) -> tuple[DriftBaseline, int]:
    """The saved baseline, or that of a population with how many of its records were not read."""
    from assay.runner.drift import is_baseline, make_baseline, read_baseline

    if is_baseline(path):
        return read_baseline(path), 0
    population = read(path)
    return make_baseline(population, bins=bins, words=words), population.unread


def _verdict(result: list[DriftComparison], unread: int, limit: float | None) -> int:
    """The exit code, with a line for everything that drifted too far."""
    over = [part for part in result if limit is not None and part.drift.psi > limit]
    for part in over:
        click.echo(f"Drift over {limit:g}: {part.name} has {part.drift.psi:.4f}", err=True)
    if unread:
        click.echo(f"{unread} records could not be read.", err=True)
    return 1 if over else 3 if unread else 0


def _show(
    before: DriftBaseline,
    now: Population,
    result: list[DriftComparison],
    *,
    as_json: bool,
) -> None:

    if as_json:
        table = {
            "baseline_samples": before.samples,
            "current_samples": now.samples,
            "current_unread": now.unread,
            "smoothing": SMOOTHING,
            "drift": [part.to_json() for part in result],
        }
        click.echo(dumps(table, indent=2))
        return

    output = console()
    output.print(_table(result))
    output.print(
        f"{now.samples} samples against {before.samples} of the baseline, {SMOOTHING:g} added to "
        "each bin; below 0.1 stable, below 0.25 moderate, else significant. 'by chance' is about "
        "what two halves of one population would show."
    )
    for part in result:
        if not part.is_same_rule:
            output.print(
                f"The rule or version of {part.name} has changed since the baseline.", markup=False
            )


def _table(result: list[DriftComparison]) -> Table:
    from rich.table import Table
    from rich.text import Text

    from assay.report.safe_text import one_line

    table = Table(box=None, pad_edge=False)
    for heading in ("what", "PSI", "", "by chance", "bins", "counts", "moved most"):
        table.add_column(heading, overflow="fold", no_wrap=heading != "moved most")
    for part in result:
        table.add_row(
            Text(one_line(part.name)),
            f"{part.drift.psi:.4f}",
            part.drift.band,
            f"{part.drift.chance:.4f}",
            f"{len(part.drift.bins)}",
            f"{part.baseline_size} → {part.current_size}",
            Text(one_line(_moved(part))),
        )
    return table


def _moved(part: DriftComparison) -> str:
    """The bins that add most to the index, with their shares before and now."""
    moved = sorted(part.drift.bins, key=lambda comparison: -comparison.contribution)[:MOVED]
    return ", ".join(
        f"{comparison.label} {comparison.baseline / part.baseline_size:.1%} → "
        f"{comparison.current / part.current_size:.1%}"
        for comparison in moved
        if comparison.contribution > 0
    )
