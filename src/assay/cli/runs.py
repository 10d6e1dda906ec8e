"""`assay runs`: what the store holds."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli.console import console
from assay.cli.options import (
    age_seconds,
    change_now,
    json_option,
    open_chosen_store,
    store_option,
)
from assay.core import UsageError
from assay.core.jsontext import dumps
from assay.report.figures import count
from assay.report.safe_text import visible

if TYPE_CHECKING:
    from assay.store.run_list import Run


@click.group("runs", invoke_without_command=True)
@click.option(
    "--limit", default=50, show_default=True, type=click.IntRange(1), help="Maximum number."
)
@store_option
@json_option
@click.pass_context
def command(context: click.Context, limit: int, store: str | None, as_json: bool) -> None:
    """List the stored runs, newest first; or export, import, delete, prune or compact them."""
    if context.invoked_subcommand:
        return
    from assay.store.run_list import list_runs

    runs = list_runs(open_chosen_store(store), limit)
    if as_json:
        click.echo(dumps([run.to_json() for run in runs], indent=2))
    elif runs:
        _print(runs)
    else:
        click.echo("No run is stored yet. Keep one with: assay run DATA --run NAME")


def _print(runs: list[Run]) -> None:
    from rich.table import Table

    from assay.store.statistics import iso

    table = Table(box=None, pad_edge=False)
    for heading in ("run", "state", "begun (UTC)", "samples", "mean quality", "pass rate"):
        table.add_column(heading, justify="right" if heading in _NUMBERS else "left")
    for run in runs:
        shown = run.to_json()
        table.add_row(
            visible(run.name),
            run.status,
            iso(run.created)[:16].replace("T", " "),
            str(run.tests),
            _figure(shown["overall"], ".3f"),
            _figure(shown["pass_rate"], ".1%"),
        )
    console().print(table)


_NUMBERS = ("samples", "mean quality", "pass rate")


def _figure(value: Any, form: str) -> str:
    return "–" if value is None else format(value, form)


@command.command("export")
@click.argument("run")
@click.argument("file", required=False)
@store_option
def export(run: str, file: str | None, store: str | None) -> None:
    """Write the stored RUN to FILE (or standard output) as JSON lines, to import it elsewhere."""
    from assay.report.output_files import OutputFile
    from assay.store.run_list import find_run
    from assay.store.transfer import export_run

    opened = open_chosen_store(store)
    lines = export_run(opened, find_run(opened, run))
    if file is None or file == "-":
        for line in lines:
            sys.stdout.write(line + "\n")
        return
    output = OutputFile(file)
    try:
        for line in lines:
            output.write(line + "\n")
        output.commit()
    except BaseException:
        output.discard()
        raise
    click.echo(f"Written: {file}", err=True)


@command.command("backup")
@click.argument("file", type=click.Path(path_type=Path))
@store_option
def backup(file: Path, store: str | None) -> None:
    """Copy the whole store to a new FILE, also while others write to it."""
    from assay.store.backup import back_up

    back_up(open_chosen_store(store), file)
    click.echo(f"Written: {file}", err=True)


@command.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--name", default=None, help="Another name for the run.")
@store_option
def import_(file: Path, name: str | None, store: str | None) -> None:
    """Import an exported run into the store."""
    from assay.engine.failures import describe_scores
    from assay.store.run_import import import_run

    stored = import_run(open_chosen_store(store), file, name, describe_scores)
    click.echo(f"Stored: run {stored}", err=True)


@command.command("delete")
@click.argument("run")
@click.option("--yes", "-y", is_flag=True, help="Delete without asking.")
@store_option
def delete(run: str, yes: bool, store: str | None) -> None:
    """Delete the stored RUN with all its data, after confirmation."""
    from assay.store.run_list import delete_run, find_run

    opened = open_chosen_store(store)
    if not yes:
        samples = count(find_run(opened, run).tests, "sample")
        _confirm(f"Delete run {visible(run)} with {samples}? This cannot be undone.")
    delete_run(opened, run, change_now())
    click.echo(f"Removed: run {run}", err=True)
    if not opened.is_postgres:
        opened.vacuum()


@command.command("compact")
@store_option
def compact(store: str | None) -> None:
    """Reclaim the space of deleted runs, so that none of their data stays in the store's files.

    With PostgreSQL each table is locked while it is rewritten.
    """
    opened = open_chosen_store(store)
    opened.vacuum()
    click.echo(f"Compacted: {opened.url}", err=True)


def _confirm(question: str) -> None:
    """Go on only where a person says so."""
    if not sys.stdin.isatty():
        raise UsageError("cannot ask without a terminal; add --yes to delete without asking")
    click.confirm(question, abort=True, err=True)


@command.command("prune")
@click.option("--older-than", metavar="AGE", help="Delete runs last written before 30d, 12h, 8w.")
@click.option("--keep", type=click.IntRange(0), help="Delete all but the newest N runs.")
@store_option
@json_option
def prune(older_than: str | None, keep: int | None, store: str | None, as_json: bool) -> None:
    """Delete old runs; those that can be resumed are kept."""
    from assay.store.run_list import prune as prune_runs

    if older_than is None and keep is None:
        raise UsageError("say which runs to remove: --older-than 30d, or --keep 20")
    change = change_now()
    before = None if older_than is None else change.now - age_seconds(older_than)
    removed = prune_runs(open_chosen_store(store), change, before, keep)
    if as_json:
        click.echo(dumps(removed))
    else:
        click.echo(f"Removed {count(len(removed), 'run')}.", err=True)
