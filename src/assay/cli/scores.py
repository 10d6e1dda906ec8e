"""`assay scores`: the worst samples, filters and histograms of scores in Parquet."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import json_option
from assay.core.jsontext import dumps
from assay.report.figures import number
from assay.report.safe_text import one_line
from assay.store.score_query import VERDICTS, Filter, ScoreBin, ScoreQuery

if TYPE_CHECKING:
    from collections.abc import Sequence

BAR = 40
"""Characters of the longest bar."""


@click.command("scores")
@click.argument("path")
@click.option("--metric", "-m", default=None, metavar="ID", help="Show the scores of this metric.")
@click.option("--verdict", default=None, type=click.Choice(VERDICTS), help="Only this verdict.")
@click.option("--low", default=None, type=float, help="Only values from this one on.")
@click.option("--high", default=None, type=float, help="Only values up to this one.")
@click.option("--search", default=None, metavar="TEXT", help="Only ids that contain this text.")
@click.option("--worst", default=10, type=click.IntRange(0, 10_000), help="List this many samples.")
@click.option("--skip", default=0, type=click.IntRange(0), help="Leave out this many before them.")
@click.option("--histogram", is_flag=True, help="Show how the values of --metric are distributed.")
@click.option("--sample", default=None, metavar="ID", help="Show all scores of one sample.")
@json_option
def command(
    path: str,
    metric: str | None,
    verdict: str | None,
    low: float | None,
    high: float | None,
    search: str | None,
    worst: int,
    skip: int,
    histogram: bool,
    sample: str | None,
    as_json: bool,
) -> int:
    """Show scores in PATH: a .parquet file of results, or the folder of a run by blocks.

    The files are read in place by DuckDB (extra scale) and may be larger than memory.
    Samples with the lowest score come first, or with --metric those with its worst value.
    """
    only = Filter(verdict, metric, low, high, search)
    with closing(ScoreQuery(path)) as scores:
        document: dict[str, Any] = {}
        if sample is not None:
            document["sample"] = scores.sample(sample)
        else:
            document |= {"samples": scores.count(only), "worst": scores.worst(worst, only, skip)}
        if histogram:
            bins = scores.histogram(_needed(metric), only=only)
            document["histogram"] = [part._asdict() for part in bins]
    if as_json:
        click.echo(dumps(document, indent=2))
    elif sample is not None:
        _print_sample(document["sample"])
    else:
        _print_worst(document, metric)
        if histogram:
            _print_bins(bins)
    return 0


def _needed(metric: str | None) -> str:
    if metric is None:
        raise click.UsageError("--histogram needs --metric ID")
    return metric


def _print_worst(document: dict[str, Any], metric: str | None) -> None:
    count = document["samples"]
    click.echo(f"{count:,} {'sample' if count == 1 else 'samples'}")
    for row in document["worst"]:
        value = number(row[metric or "score"], metric or "score")
        click.echo(f"  {value}  {row['verdict'] or '–'}  {one_line(row['id'])}")


def _print_sample(row: dict[str, Any]) -> None:
    for name, value in row.items():
        if value is not None:
            click.echo(f"{name}: {one_line(str(value))}")


def _print_bins(bins: Sequence[ScoreBin]) -> None:
    most = max((part.samples for part in bins), default=0)
    for part in bins:
        bar = "█" * round(BAR * part.samples / most)
        click.echo(f"  {part.low:.4g}–{part.high:.4g}  {part.samples:>12,}  {bar}")
