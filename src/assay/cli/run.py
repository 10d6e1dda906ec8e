"""`assay run`: score a file of answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from assay.cli.options import (
    config_option,
    embedder_option,
    environment_option,
    json_option,
    plugin_option,
    profile_option,
    read_settings,
    repair_option,
    store_option,
    strategies_option,
    with_repair,
    with_strategies,
)

if TYPE_CHECKING:
    from assay.core import Summary
    from assay.engine import Gate, Plan
    from assay.settings import Settings
    from assay.store.runs import RunWriter


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
@profile_option
@click.option(
    "--policy",
    default=None,
    metavar="NAME|FILE",
    help="The law that governance metrics go by: rti, uk_gdpr, eu_ai_act, or a .toml file. "
    "Default: the profile's, else rti.",
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
@strategies_option
@repair_option
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
@embedder_option
@click.option(
    "--classifier",
    default=None,
    metavar="NAME",
    help="The model that labels texts: hf:FOLDER, none. Default: none, rules stand in.",
)
@store_option
@click.option(
    "--run",
    "run_name",
    default=None,
    metavar="NAME",
    help='Keep the run in the store under this name; "assay runs" lists them.',
)
@click.option(
    "--redact/--no-redact",
    default=None,
    help="Black out e-mail addresses, telephone, card and identity numbers in all that is written. "
    "Default: not.",
)
@click.option(
    "--resume", is_flag=True, help="Go on with the run of that name where it stopped, if it began."
)
@config_option
@environment_option
@json_option
@click.option("--quiet", "-q", is_flag=True, help="No progress and no table.")
def command(
    data: str,
    metrics: tuple[str, ...],
    profile: str | None,
    policy: str | None,
    out: tuple[str, ...],
    fail_under: tuple[str, ...],
    format: str | None,
    strategies: str | None,
    repair: bool,
    plugin: tuple[str, ...],
    workers: int | None,
    batch_size: int | None,
    limit: int | None,
    include_imputed: bool | None,
    embedder: str | None,
    classifier: str | None,
    store: str | None,
    run_name: str | None,
    redact: bool | None,
    resume: bool,
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
        policy=policy,
        metrics=tuple(part for given in metrics for part in given.split(",") if part) or None,
        workers=workers,
        batch_size=batch_size,
        include_imputed=include_imputed,
        embedder=embedder,
        classifier=classifier,
        store=store,
        redact=redact,
    )
    chosen = with_strategies(settings.chosen_profile(), strategies)
    if repair:
        chosen = with_repair(chosen)
    job = Job(settings.metrics, chosen, plugin, settings.backends())
    plan = job.plan()
    gates = _gates(fail_under, {step.metric.id for step in plan.shown})
    items = read_samples(data, format=format, limit=limit)
    to_stdout = "-" in out
    total = count_records(data, limit)
    recorder = _recorder(settings, plan, run_name, resume, source=data, total=total, limit=limit)
    with (
        open_writers(out) as writers,
        progress(total, quiet=quiet or to_stdout) as on_batch,
    ):
        summary = run_stream(
            items,
            job,
            plan=plan,
            sinks=writers,
            recorder=recorder,
            workers=settings.workers,
            batch_size=settings.batch_size,
            include_imputed=settings.include_imputed,
            seed=settings.seed,
            redact=settings.redact,
            on_batch=on_batch,
        )
        if recorder:
            recorder.finish(summary.to_json())
        for writer in writers:
            writer.close(summary)
    if recorder and not quiet and not as_json:
        click.echo(f"Stored: run {recorder.name} in {recorder.url}", err=True)
    _show(summary, as_json=as_json, quiet=quiet or to_stdout)
    for path in out:
        if path != "-" and not quiet and not as_json:
            click.echo(f"Written: {path}", err=True)
    return _verdict(summary, gates)


def _recorder(
    settings: Settings,
    plan: Plan,
    name: str | None,
    resume: bool,
    *,
    source: str,
    total: int | None,
    limit: int | None,
) -> RunWriter | None:
    """What keeps the run, where it is to be kept."""
    from assay.core import UsageError

    if resume and not name:
        raise UsageError("--resume needs the run's name; add --run NAME")
    if settings.store == "none" or not (name or settings.store):
        return None
    from assay.runner.record import record_run
    from assay.store import open_store

    return record_run(
        open_store(settings.store),
        name,
        plan,
        resume=resume,
        source=source,
        total=total,
        settings={
            "include_imputed": settings.include_imputed,
            "seed": settings.seed,
            "redact": settings.redact,
            "limit": limit,
        },
    )


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
