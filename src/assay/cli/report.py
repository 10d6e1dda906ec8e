"""`assay report`: the report of a stored run, to share."""

from __future__ import annotations

import click

from assay.cli.options import open_chosen_store, store_option
from assay.cli.stored_runs import write_stored


@click.command("report")
@click.argument("run")
@click.option(
    "--out",
    "-o",
    default="report.html",
    show_default=True,
    metavar="FILE",
    help="Output file, by extension: .html .md .xml (JUnit) .json .csv .parquet .jsonl.",
)
@store_option
def command(run: str, out: str, store: str | None) -> int:
    """Write the report of the stored RUN: a single file that works offline."""
    from assay.store.run_list import find_run

    opened = open_chosen_store(store)
    write_stored(opened, find_run(opened, run), [out])
    return 0
