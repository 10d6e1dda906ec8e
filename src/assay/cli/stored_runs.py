"""What several commands do with a stored run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from assay.cli.console import console
from assay.cli.invocation import command_line
from assay.core import DataError, Summary
from assay.core.result_records import Detail
from assay.store import Store

if TYPE_CHECKING:
    from assay.store.run_list import Run


def summary_of(store: Store, run: Run) -> Summary:
    """The results of the run; rejected while it is running."""
    from assay.runner.record import stored_summary

    summary = stored_summary(store, run)
    if summary is None:
        raise DataError(
            f"run {run.name!r} is not finished ({run.tests} samples so far); continue with: "
            f"assay run DATA --run {run.name} --resume"
        )
    return summary


def print_run(store: Store, run: Run) -> None:
    """The run's summary on the terminal."""
    from assay.report import print_summary
    from assay.report.safe_text import visible
    from assay.store.statistics import iso

    summary = summary_of(store, run)
    click.echo(f"Run {visible(run.name)} of {iso(run.created)}: {visible(run.source)}")
    print_summary(summary, console())


def write_stored(store: Store, run: Run, out: Iterable[str], detail: Detail = "full") -> None:
    """Write the run's results to files, as the run itself would have."""
    from assay.report import About, open_writers
    from assay.store.run_list import read_run

    summary = summary_of(store, run)
    paths = list(out)
    listed = run.to_json()
    about = About(
        name=run.name,
        source=run.source,
        created=listed["created"],
        finished=listed["finished"],
        tags=run.tags,
        settings=run.plan["settings"],
        command=command_line(),
    )
    with open_writers(paths, about, detail) as writers:
        for sample, scores in read_run(store, run):
            for writer in writers:
                writer.write(sample, scores.completed(summary.metrics))
        for writer in writers:
            writer.close(summary)
    for path in paths:
        if path != "-":
            click.echo(f"Written: {path}", err=True)
