"""`assay dataset`: look after golden datasets, and get some: bundled suites, synthetic ones."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from assay.cli.options import json_option
from assay.core import DataError, UsageError
from assay.core.jsontext import dumps
from assay.data.suites import suites
from assay.samples import GoldenDataset, to_sample
from assay.samples.synthesis import synthesise as make

_out_option = click.option(
    "--out",
    "-o",
    required=True,
    metavar="FILE",
    help="The output file; its extension chooses the format.",
)


@click.group("dataset")
def command() -> None:
    """Inspect, validate, compare, convert and create datasets (.json, .jsonl, .csv, .parquet)."""


@command.command()
@click.argument("file")
@json_option
def summary(file: str, as_json: bool) -> None:
    """Summarise FILE: examples, tags, languages, lengths."""
    dataset = _load(file)
    counted = {"name": dataset.name, "version": dataset.version, **asdict(dataset.summary())}
    _echo(counted, as_json, [f"{name}: {_shown_value(value)}" for name, value in counted.items()])


@command.command()
@click.argument("file")
@click.option("--min-length", default=1, show_default=True, help="Minimum characters of a text.")
@click.option("--max-length", default=5000, show_default=True, help="Maximum characters of a text.")
@json_option
def validate(file: str, min_length: int, max_length: int, as_json: bool) -> int:
    """Validate FILE; one line per problem, exit code 1 if there is any."""
    problems = _load(file).validate(min_length=min_length, max_length=max_length)
    _echo({"problems": problems}, as_json, problems or ["No problems found."])
    return 1 if problems else 0


@command.command()
@click.argument("before")
@click.argument("after")
@json_option
def diff(before: str, after: str, as_json: bool) -> int:
    """Show what AFTER adds, removes and changes; exit code 1 on any difference."""
    difference = _load(before).diff(_load(after))
    named = {
        "added": [_name(sample.query, sample.id) for sample in difference.added],
        "removed": [_name(sample.query, sample.id) for sample in difference.removed],
        "modified": {
            _name(c.before.query, c.before.id): list(c.fields) for c in difference.modified
        },
    }
    lines = [f"+ {name}" for name in named["added"]]
    lines += [f"- {name}" for name in named["removed"]]
    lines += [
        f"~ {name}: {', '.join(c.fields)}"
        for name, c in zip(named["modified"], difference.modified, strict=True)
    ]
    _echo(named, as_json, lines or ["No differences."])
    return 1 if lines else 0


@command.command()
@click.argument("files", nargs=-1, required=True)
@_out_option
@click.option("--tag", multiple=True, help="Keep only examples with this tag. Repeatable.")
@click.option("--deduplicate", is_flag=True, help="Keep the first example of every question.")
@click.option(
    "--on-conflict",
    type=click.Choice(["error", "first", "last"]),
    default="error",
    show_default=True,
    help="Which example to keep when files disagree about a question.",
)
def convert(
    files: tuple[str, ...], out: str, tag: tuple[str, ...], deduplicate: bool, on_conflict: Any
) -> None:
    """Merge FILES (one or more), filter by tag, deduplicate, and write the result."""
    result = _load(files[0])
    for file in files[1:]:
        result = result.merge(_load(file), on_conflict)
    if tag:
        result = result.subset(*tag)
    dropped = 0
    if deduplicate:
        result, left_out = result.deduplicate()
        dropped = len(left_out)
    result.save(out)
    click.echo(f"Written: {out} ({len(result)} examples, {dropped} duplicates left out)")


@command.command("suites")
@json_option
def list_suites(as_json: bool) -> None:
    """List the bundled suites: attacks, difficult wording, harmless questions."""
    listed = [
        {
            "name": suite.name,
            "title": suite.title,
            "prompts": len(suite.prompts),
            "expected_behaviour": suite.behaviour,
            "metrics": list(suite.metrics),
            "description": suite.description,
        }
        for suite in suites("all")
    ]
    if as_json:
        _echo({"suites": listed}, as_json, [])
        return
    width = max(len(str(suite["name"])) for suite in listed)
    for one in listed:
        click.echo(f"{one['name']:{width}}  {one['prompts']:3}  {one['description']}")


@command.command("suite")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@_out_option
@click.option(
    "--secret",
    default=None,
    metavar="TEXT",
    help="A secret that is already in your system's prompt; suites that test for leaks then look "
    "for it instead of telling the system one of their own.",
)
def write_suite(names: tuple[str, ...], out: str, secret: str | None) -> None:
    """Write the questions of suites: NAME, NAME.en, NAME.ar, or all.

    "assay run suite:NAME" reads a suite without writing it.
    """
    chosen = suites(*names)
    records = [record for suite in chosen for record in suite.records(secret)]
    examples = tuple(to_sample(record, record["id"]) for record in records)
    GoldenDataset(", ".join(names), examples=examples).save(out)
    click.echo(f"Written: {out} ({len(examples)} questions)")


@command.command()
@click.option(
    "--kind",
    required=True,
    type=click.Choice(["qa", "rag", "adversarial"]),
    help="Questions and answers; the same with documents; corrupted questions.",
)
@click.option("--n", "size", default=100, show_default=True, type=click.IntRange(1, 1_000_000))
@click.option("--seed", default=0, show_default=True, help="The same seed gives the same file.")
@click.option("--language", default="en", show_default=True, type=click.Choice(["en", "ar"]))
@click.option(
    "--from",
    "source",
    default=None,
    metavar="FILE",
    help="For adversarial: the file whose questions are changed. Default: generated ones.",
)
@_out_option
def synthesise(
    kind: Any, size: int, seed: int, language: str, source: str | None, out: str
) -> None:
    """Generate a dataset from templates; each sample says what was changed and expected."""
    if source is not None and kind != "adversarial":
        raise UsageError(f"--from goes with --kind adversarial only, not with {kind!r}")
    samples = make(kind, size, seed, language, _load(source) if source else None)
    if not samples:
        raise DataError(f"{source!r} has no sample with a query to change")
    GoldenDataset(f"synthetic {kind}", examples=tuple(samples)).save(out)
    click.echo(f"Written: {out} ({len(samples)} samples)")


def _load(file: str) -> GoldenDataset:

    return GoldenDataset.load(file)


def _name(query: str | None, id: str) -> str:
    return query or id


def _shown_value(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} ({count})" for key, count in value.items()) or "none"
    return f"{value:.1f}" if isinstance(value, float) else str(value)


def _echo(value: Any, as_json: bool, lines: list[str]) -> None:
    from assay.report.safe_text import one_line

    click.echo(dumps(value, indent=2) if as_json else "\n".join(map(one_line, lines)))
