"""`assay run`: score a file of answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from assay.cli.options import (
    config_option,
    environment_option,
    json_option,
    plugin_option,
    read_settings,
)

if TYPE_CHECKING:
    from assay.core import Summary
    from assay.engine import Gate


@click.command("run")
@click.argument("data")
@click.option(
    "--metrics",
    "-m",
    multiple=True,
    metavar="SELECTOR,…",
    help="What to score: ids, families (text), tags (@rules), all; a leading - leaves "
    "out, & keeps what is in both. Default: the profile's, else text.",
)
@click.option(
    "--profile",
    "-p",
    default=None,
    metavar="NAME|FILE",
    help="Thresholds, options and weights: conservative, balanced, lenient, chatbot, "
    "rag, content, code, or a .toml file.",
)
@click.option(
    "--out",
    "-o",
    multiple=True,
    metavar="FILE",
    help="Where results go, by ending: .jsonl .json .csv .parquet .html .md .xml "
    "(JUnit); - is standard output as JSONL. May be given several times.",
)
@click.option(
    "--fail-under",
    multiple=True,
    metavar="GATE",
    help="Exit with 1 unless it holds: 'text.safety>=0.9', "
    "'pass_rate(text.safety)>=0.95', 'overall>=0.8'. May be given several times.",
)
@click.option(
    "--format",
    "format",
    default=None,
    metavar="TOOL",
    help="Read field names as this tool writes them (deepeval, ragas, promptfoo, …).",
)
@plugin_option
@click.option(
    "--workers",
    default=None,
    type=click.IntRange(1, 256),
    help="Processes to score with; the output is the same for any number. Default: 1.",
)
@click.option(
    "--batch-size",
    default=None,
    type=click.IntRange(1, 100_000),
    help="Samples scored at a time. Default: 256.",
)
@click.option("--limit", default=None, type=click.IntRange(1), help="Read this many records only.")
@click.option(
    "--include-imputed/--leave-out-imputed",
    default=None,
    help="Count documented substitute values in the means, or not. Default: not.",
)
@click.option(
    "--embedder",
    default=None,
    metavar="NAME",
    help="The model behind similarities: use, minilm, hf:FOLDER, none. Default: use.",
)
@click.option(
    "--classifier",
    default=None,
    metavar="NAME",
    help="The model that labels texts: hf:FOLDER, none. Default: none, rules stand in.",
)
@config_option
@environment_option
@json_option
@click.option("--quiet", "-q", is_flag=True, help="No progress and no table.")
def command(
    data: str,
    metrics: tuple[str, ...],
    profile: str | None,
    out: tuple[str, ...],
    fail_under: tuple[str, ...],
    format: str | None,
    plugin: tuple[str, ...],
    workers: int | None,
    batch_size: int | None,
    limit: int | None,
    include_imputed: bool | None,
    embedder: str | None,
    classifier: str | None,
    config: str | None,
    environment: str | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Score the answers in DATA: a .jsonl, .json, .csv or .parquet file, or - for standard input.

    Each record needs a response (also output, answer, …); a query, an expected answer, contexts and
    a duration let more metrics speak. Options that are not given come from the settings: "assay
    settings" shows them.
    """
    from assay.cli.progress import progress
    from assay.report import open_writers
    from assay.runner import Job, run_stream
    from assay.samples import count_records, read_samples

    settings = read_settings(
        config,
        environment,
        profile=profile,
        metrics=tuple(part for given in metrics for part in given.split(",") if part) or None,
        workers=workers,
        batch_size=batch_size,
        include_imputed=include_imputed,
        embedder=embedder,
        classifier=classifier,
    )
    job = Job(settings.metrics, settings.chosen_profile(), plugin, settings.backends())
    plan = job.plan()
    gates = _gates(fail_under, {step.metric.id for step in plan.shown})
    items = read_samples(data, format=format, limit=limit)
    to_stdout = "-" in out
    with (
        open_writers(out) as writers,
        progress(count_records(data, limit), quiet=quiet or to_stdout) as on_batch,
    ):
        summary = run_stream(
            items,
            job,
            plan=plan,
            sinks=writers,
            workers=settings.workers,
            batch_size=settings.batch_size,
            include_imputed=settings.include_imputed,
            seed=settings.seed,
            on_batch=on_batch,
        )
        for writer in writers:
            writer.close(summary)
    _show(summary, as_json=as_json, quiet=quiet or to_stdout)
    for path in out:
        if path != "-" and not quiet and not as_json:
            click.echo(f"Written: {path}", err=True)
    return _verdict(summary, gates)


def _gates(texts: tuple[str, ...], shown: set[str]) -> list[Gate]:
    from assay.core import UsageError
    from assay.engine import parse_gate

    gates = [parse_gate(text) for text in texts]
    for gate in gates:
        if gate.metric and gate.metric not in shown:
            raise UsageError(f"gate {gate.text!r} names {gate.metric!r}, which is not scored")
    return gates


def _show(summary: Summary, *, as_json: bool, quiet: bool) -> None:
    from assay.core.jsontext import dumps

    if as_json:
        click.echo(dumps(summary.to_json(), indent=2))
    elif not quiet:
        from rich.console import Console

        from assay.report import print_summary

        print_summary(summary, Console())
    for problem in summary.problems:
        click.echo(f"Not read: {problem}", err=True)
    if summary.unread > len(summary.problems):
        click.echo(f"… and {summary.unread - len(summary.problems)} more.", err=True)


def _verdict(summary: Summary, gates: list[Gate]) -> int:
    """The exit code, with a line for every gate that does not hold."""
    failed = [gate for gate in gates if not gate.holds(summary)]
    for gate in failed:
        value = gate.value(summary)
        found = "nothing was scored" if value is None else f"it is {value:.4f}"
        click.echo(f"Gate failed: {gate.text}; {found}", err=True)
    if summary.errors:
        click.echo(f"{summary.errors} scores failed; the results say how.", err=True)
    if failed:
        return 1
    return 3 if summary.unread or summary.errors else 0
