"""`assay demo`: a complete example on bundled samples."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.cli.console import console
from assay.cli.options import json_option
from assay.core import UsageError
from assay.core.jsontext import dumps

if TYPE_CHECKING:
    from assay import Report


@click.command("demo")
@click.option(
    "--out",
    "-o",
    default="assay-demo",
    show_default=True,
    metavar="FOLDER",
    help="The output folder for the samples and the report.",
)
@json_option
def command(out: str, as_json: bool) -> int:
    """Score the bundled samples and write a report.

    Answers in English and Arabic, scored by what `auto` chooses, without any network.
    """
    from assay.report import print_summary
    from assay.runner import evaluate

    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    data, report = folder / "samples.jsonl", folder / "report.html"
    with as_file(files("assay") / "data" / "demo.jsonl") as bundled:
        data.write_bytes(bundled.read_bytes())
    result = evaluate(data, settings=None)
    problem = _written(result, report)
    if as_json:
        click.echo(dumps(result.summary.to_json(), indent=2))
        return 0
    click.echo(f"{result.summary.selection}.", err=True)
    print_summary(result.summary, console())
    click.echo(f"\nReport:        {problem or f'{report}  (open it in a browser)'}")
    click.echo(f"The samples:   {data}")
    click.echo("Now your own:  assay run answers.jsonl --out report.html")
    click.echo("All metrics:   assay metrics")
    return 0


def _written(result: Report, path: Path) -> str:
    """Write the report; gives why not where its page was not built, as the rest still works."""
    try:
        result.save(path, name="Demo")
    except UsageError as error:
        return f"none; {error}"
    return ""
