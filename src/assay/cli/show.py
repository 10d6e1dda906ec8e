"""`assay show`: a stored run as it was."""

from __future__ import annotations

import click

from assay.cli.options import detail_option, json_option, open_chosen_store, store_option
from assay.cli.stored_runs import print_run, write_stored
from assay.core.jsontext import dumps
from assay.core.result_records import Detail


@click.command("show")
@click.argument("run")
@click.option(
    "--out",
    "-o",
    multiple=True,
    metavar="FILE",
    help="Write the results, by extension: .jsonl .jsonl.gz .json .csv .parquet .html .md .xml "
    "(JUnit) .prom (OpenMetrics) .otlp.json (OpenTelemetry); - is standard output as JSONL. "
    "Repeatable.",
)
@detail_option
@store_option
@json_option
def command(
    run: str, out: tuple[str, ...], detail: Detail, store: str | None, as_json: bool
) -> int:
    """Show the results of the stored RUN, and optionally write them to files."""
    from assay.store.run_list import find_run

    opened = open_chosen_store(store)
    stored_run = find_run(opened, run)
    if out:
        write_stored(opened, stored_run, out, detail)
    if as_json:
        click.echo(dumps({**stored_run.to_json(), "summary": stored_run.summary}, indent=2))
    elif "-" not in out:
        print_run(opened, stored_run)
    return 0
