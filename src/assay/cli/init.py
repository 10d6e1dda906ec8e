"""`assay init`: the first files of a project."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import click

from assay.core import UsageError

KINDS = {"answers": "answers.csv", "rag": "rag.csv"}
"""What is scored → the sample file."""


class ProjectChoices(NamedTuple):
    """What a person wants in the project."""

    kind: str = "answers"
    has_test: bool = True
    has_workflow: bool = True


@click.command("init")
@click.argument("folder", default=".", type=click.Path(path_type=Path, file_okay=False))
@click.option("--yes", "-y", is_flag=True, help="Ask nothing and create all files.")
def command(folder: Path, yes: bool) -> None:
    """Set up FOLDER: settings, a sample file, a first test and a CI workflow.

    Asks which of them to create; --yes creates all. Existing files are not changed.
    """
    if not yes and not sys.stdin.isatty():
        raise UsageError("cannot ask without a terminal; add --yes to create all files")
    choices = ProjectChoices() if yes else _ask()
    data = KINDS[choices.kind]
    for name, text in _contents(choices, data).items():
        path = folder / name
        if path.exists():
            click.echo(f"Kept:     {path} (it exists)")
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        click.echo(f"Written:  {path}")
    click.echo(f"\nScore it:     assay run {folder / data} --out report.html")
    click.echo("Then your own: put your file in its place; its headings are read as they are.")
    if choices.has_test:
        click.echo(f"Test it:      pytest {folder / 'tests'}")


def _ask() -> ProjectChoices:
    kind = click.prompt(
        "What do you score? answers (question, answer, expected answer) or rag (with the texts "
        "that were retrieved)",
        type=click.Choice(list(KINDS)),
        default="answers",
        show_choices=False,
    )
    return ProjectChoices(
        kind,
        click.confirm("Make a first quality test for pytest?", default=True),
        click.confirm("Make a workflow for GitHub that gates the build?", default=True),
    )


def _contents(choices: ProjectChoices, data: str) -> Mapping[str, str]:
    """The texts of the files by their place."""
    contents = {"assay.toml": _template("assay.toml.txt"), data: _template(data)}
    if choices.has_test:
        contents["tests/test_quality.py"] = _template("test_quality.py.txt")
    if choices.has_workflow:
        workflow = _template("quality.yml.txt").replace("DATA", data)
        if choices.has_test:
            workflow = workflow.replace("TESTS", "tests")
        else:
            workflow = workflow.replace("      - run: pytest TESTS\n        if: always()\n", "")
        contents[".github/workflows/quality.yml"] = workflow
    return contents


def _template(name: str) -> str:
    place = files("assay") / "data" / "templates" / "init" / name
    return place.read_text(encoding="utf-8")
