"""`assay evidence`: how far metrics agree with labelled data."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay import registry
from assay.cli.console import console
from assay.cli.options import (
    config_option,
    environment_option,
    json_option,
    plugin_option,
    read_settings,
)
from assay.core import DataError, Metric
from assay.core.jsontext import dumps
from assay.data.experiments import Experiment, experiment_file, experiments
from assay.settings import Settings

if TYPE_CHECKING:
    from rich.table import Table

    from assay.evidence import Finding, Folds, Task


NAME_WIDTH = 24
"""Characters of a name that a narrow table keeps."""


@click.command("evidence")
@click.argument("metrics", nargs=-1, metavar="[METRIC]...")
@click.option(
    "--data",
    required=True,
    metavar="DIR",
    help="The folder with the labelled records, one file per set: NAME.jsonl, NAME.dev.jsonl.gz, …",
)
@click.option(
    "--out",
    default=None,
    metavar="DIR",
    help="Write a Markdown card per metric, index.md and evidence.json.",
)
@click.option(
    "--set",
    "sets",
    multiple=True,
    metavar="NAME",
    help="Only this set. Repeatable.",
)
@click.option(
    "--split", default=None, metavar="NAME", help="Which file of a set: dev in NAME.dev.jsonl.gz."
)
@click.option(
    "--experiment",
    "files",
    multiple=True,
    metavar="FILE.toml",
    help="Your own experiment, instead of the bundled ones. Repeatable.",
)
@click.option(
    "--folds",
    default=None,
    metavar="DIR",
    help="Models fitted without each part of the records (python -m training --folds DIR): every "
    "record is scored by models that have not seen its group.",
)
@click.option(
    "--limit", default=None, type=click.IntRange(1), help="Read only this many records of a set."
)
@click.option("--seed", default=None, type=click.IntRange(0), help="Random seed. Default: 0.")
@click.option(
    "--embedder",
    default=None,
    metavar="NAME",
    help="The embedding model: use, minilm, hf:FOLDER, none. Default: use.",
)
@click.option(
    "--encoder",
    default=None,
    metavar="FOLDER|none",
    help="The trained encoder beside the rules. Default: the installed one; none with --folds, "
    "because it has learnt from the records.",
)
@plugin_option
@config_option
@environment_option
@json_option
@click.option("--quiet", "-q", is_flag=True, help="Show no progress and no table.")
def command(
    metrics: tuple[str, ...],
    data: str,
    out: str | None,
    sets: tuple[str, ...],
    split: str | None,
    files: tuple[str, ...],
    folds: str | None,
    limit: int | None,
    seed: int | None,
    embedder: str | None,
    encoder: str | None,
    plugin: tuple[str, ...],
    config: str | None,
    environment: str | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Measure how well METRICs agree with labelled records, compared with baselines.

    For every set: AUROC (or Spearman's correlation, for graded labels) of each metric and of each
    baseline, the difference between them, and 95 % intervals that resample groups of records.
    Records without a score are counted. Without METRIC everything that an experiment names and the
    folder has records for is measured.
    """
    from assay.evidence import read_folds, tasks, write_cards

    encoder = "none" if folds and encoder is None else encoder
    settings = read_settings(config, environment, seed=seed, embedder=embedder, encoder=encoder)
    known = _known(plugin)
    chosen = tasks(
        _experiments(files),
        Path(data),
        selectors=[part for given in metrics for part in given.split(",") if part],
        sets=sets,
        split=split,
        known=known,
    )
    held_out = read_folds(Path(folds)) if folds else None
    findings: list[Finding] = []
    failed = 0
    for task in chosen.found:
        finding = _measure(task, settings, known, held_out, limit, quiet=quiet or as_json)
        if isinstance(finding, str):
            failed += 1
            click.echo(f"Not measured: {finding}", err=True)
        else:
            findings.append(finding)
    written = write_cards(findings, Path(out), settings.seed) if out and findings else []
    _show(findings, settings.seed, as_json=as_json, quiet=quiet)
    if not quiet and not as_json:
        if chosen.absent:
            click.echo(f"Not in {data}: {', '.join(chosen.absent)}.", err=True)
        for path in written:
            click.echo(f"Written: {path}", err=True)
    if not findings:
        return 2
    return 3 if failed or any(_has_failures(finding) for finding in findings) else 0


def _experiments(files: tuple[str, ...]) -> list[Experiment]:

    return [experiment_file(file) for file in files] or list(experiments().values())


def _known(plugins: tuple[str, ...]) -> dict[str, Metric]:

    known = dict(registry.metrics())
    for plugin in plugins:
        known |= registry.load_plugin(plugin)
    return known


def _measure(
    task: Task,
    settings: Settings,
    known: dict[str, Metric],
    folds: Folds | None,
    limit: int | None,
    *,
    quiet: bool,
) -> Finding | str:
    """The finding of one set, or why there is none."""
    from assay.evidence import measure, read_labelled

    try:
        read = read_labelled(task.path, task.experiment, task.labelled_set, limit)
    except DataError as error:
        from assay.report.safe_text import visible

        return visible(str(error))
    with _progress(task, len(read.labelled), quiet=quiet) as on_batch:
        return measure(
            task.experiment,
            task.labelled_set,
            task.path.name,
            read,
            chosen=task.names,
            known=known,
            profile=settings.chosen_profile(),
            backends=settings.backends(),
            folds=folds,
            seed=settings.seed,
            on_batch=on_batch,
        )


def _has_failures(finding: Finding) -> bool:
    """Whether some records could not be read or scored."""
    return bool(finding.read.unread) or any("error" in one.unscored for one in finding.measured)


@contextmanager
def _progress(task: Task, total: int, *, quiet: bool) -> Iterator[Callable[[int], None]]:
    """Something to call with how many further records are done."""
    title = f"{task.experiment.name} on {task.labelled_set.name}"
    if quiet:
        yield lambda done: None
    elif not sys.stderr.isatty():
        yield _lines(title, total)
    else:
        from rich.progress import Progress

        with Progress(console=console(is_error=True), transient=True) as bar:
            place = bar.add_task(title, total=total)
            yield lambda done: bar.advance(place, done)


def _lines(title: str, total: int) -> Callable[[int], None]:
    """A line every few seconds."""
    from assay.cli.progress import EVERY

    done, last = 0, time.monotonic()

    def tell(further: int) -> None:
        nonlocal done, last
        done += further
        if (now := time.monotonic()) - last >= EVERY:
            last = now
            click.echo(f"{title}: {done} of {total} records", err=True)

    return tell


def _show(findings: list[Finding], seed: int, *, as_json: bool, quiet: bool) -> None:
    from assay.evidence import findings_json
    from assay.report.safe_text import visible

    if as_json:
        click.echo(dumps(findings_json(findings, seed), indent=2))
    elif not quiet:
        from rich.text import Text

        output = console()
        for finding in findings:
            output.print(Text(_headline(finding), style="bold"))
            output.print(Text(visible(finding.labelled_set.label), style="dim"))
            output.print(_table(finding))
    for finding in findings:
        for problem in finding.read.problems:
            click.echo(f"Not read: {visible(problem)}", err=True)
        if (unread := finding.read.unread) > len(finding.read.problems):
            click.echo(f"… {unread} records of {finding.file} in all.", err=True)


def _headline(finding: Finding) -> str:
    from assay.report.figures import count

    fields = finding.to_json()
    parts = [count(fields["records"], "labelled record")]
    parts += [f"{fields['positives']:,} positive"] if finding.experiment.positive else []
    parts.append(count(finding.groups, "group"))
    parts += [f"{fields['unlabelled']:,} without a label"] if fields["unlabelled"] else []
    parts += [f"{fields['unread']:,} could not be read"] if fields["unread"] else []
    return f"{finding.experiment.title} · {finding.labelled_set.name}: {', '.join(parts)}"


def _table(finding: Finding) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from assay.evidence.cards import NAMES, difference, estimate, unscored

    everyone = [*finding.measured, *finding.baselines]
    has_unscored = any(one.unscored for one in everyone)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    longest = max(len(one.name) for one in everyone)
    table.add_column("", no_wrap=True, min_width=min(NAME_WIDTH, longest))
    table.add_column("scored", justify="right", no_wrap=True)
    table.add_column(NAMES[finding.experiment.statistic], justify="right", no_wrap=True)
    for baseline in finding.baselines:
        title = baseline.name.replace("_", " ")
        table.add_column(f"−\u00a0{title}", justify="right", min_width=8)
    if has_unscored:
        table.add_column("not scored", overflow="fold")
    for one in everyone:
        compared = [finding.differences.get((one.name, other.name)) for other in finding.baselines]
        cells = [one.name, f"{one.scored:,}", estimate(one.ranking)]
        cells += ["" if gain is None else difference(gain) for gain in compared]
        cells += [unscored(one)] if has_unscored else []
        table.add_row(*map(Text, cells), style="dim" if one.kind == "baseline" else "")
    return table
