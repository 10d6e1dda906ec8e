"""`assay new`: the two files of a new metric, or the one of a new rubric."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import click

from assay.core import UsageError

_ID = re.compile(r"[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*")


@click.command("new")
@click.argument("id")
@click.option(
    "--folder",
    default=None,
    metavar="FOLDER",
    help="Where the family's folder is. Default: src/assay/metrics in a checkout of "
    "Assay, else metrics; rubrics for a rubric.",
)
def command(id: str, folder: str | None) -> None:
    """Create the two files of a new metric ID (family.name): the metric and its cases.

    For judge.name it is one file, the rubric. Files that exist are never overwritten.
    """
    if not _ID.fullmatch(id):
        raise UsageError(f"{id!r} is no id; expected 'family.name' in small letters, digits and _")
    family, name = id.split(".")
    checkout = Path("src/assay/metrics")
    root = Path(folder) if folder else checkout if checkout.is_dir() else Path("metrics")
    is_rubric = family == "judge"
    paths = {
        "metric.py.txt": root / family / f"{name}.py",
        "cases.toml.txt": root / family / f"{name}.cases.toml",
    }
    if is_rubric:
        paths = {"rubric.toml.txt": Path(folder or "rubrics") / f"{name}.toml"}
    for path in paths.values():
        if path.exists():
            raise UsageError(f"{str(path)!r} exists; choose another id or remove it first")
    for template, path in paths.items():
        text = (files("assay") / "data" / "templates" / template).read_text(encoding="utf-8")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("FAMILY", family).replace("NAME", name), encoding="utf-8")
        click.echo(f"Written: {path}")
    if is_rubric:
        click.echo(f"Try it:  assay run answers.jsonl --rubric {path} --judge openai:URL#MODEL")
    elif root != checkout:
        metric = paths["metric.py.txt"]
        click.echo(f"Try it:  assay run answers.jsonl --plugin {metric} --metrics {id}")
