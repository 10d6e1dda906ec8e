"""What commands have in common that score samples: options, the run itself, and what is shown."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli.bundles import bundle
from assay.cli.judging import conclude
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
    from assay.cli.asking import Asked
    from assay.cli.gating import Gates
    from assay.cli.judging import JudgeArguments
    from assay.core import Summary
    from assay.engine import Plan
    from assay.runner import Job
    from assay.runner.stream import Item
    from assay.settings import Settings
    from assay.store import Store
    from assay.store.runs import RunWriter

_OPTIONS = (
    click.option(
        "--metrics",
        "-m",
        multiple=True,
        metavar="SELECTOR,…",
        help="Metrics to score: ids, families (text), tags (@rules), all; a leading - leaves "
        "out, & keeps what is in both. Default: the profile's, else text.",
    ),
    profile_option,
    click.option(
        "--policy",
        default=None,
        metavar="NAME|FILE",
        help="The policy pack for governance metrics: rti, uk_gdpr, eu_ai_act, or a .toml file. "
        "Default: the profile's, else rti.",
    ),
    click.option(
        "--out",
        "-o",
        multiple=True,
        metavar="FILE",
        help="Output file, by extension: .jsonl .json .csv .parquet .html .md .xml "
        "(JUnit) .prom (OpenMetrics) .otlp.json (OpenTelemetry); - is standard output as JSONL. "
        "May be given several times.",
    ),
    strategies_option,
    repair_option,
    plugin_option,
    click.option(
        "--workers",
        default=None,
        type=click.IntRange(1, 256),
        help="Worker processes; the output is the same for any number. Default: 1.",
    ),
    click.option(
        "--batch-size",
        default=None,
        type=click.IntRange(1, 100_000),
        help="Samples per batch. Default: 256.",
    ),
    click.option(
        "--include-imputed/--leave-out-imputed",
        default=None,
        help="Include imputed values in the means, or not. Default: not.",
    ),
    embedder_option,
    click.option(
        "--classifier",
        default=None,
        metavar="NAME",
        help="The model that classifies texts: hf:FOLDER, none. Default: none, rules are used.",
    ),
    store_option,
    click.option(
        "--run",
        "run_name",
        default=None,
        metavar="NAME",
        help='Store the run under this name; "assay runs" lists them.',
    ),
    click.option(
        "--redact/--no-redact",
        default=None,
        help="Redact e-mail addresses, telephone, card and identity numbers in everything that is "
        "written. Default: not.",
    ),
    config_option,
    environment_option,
    json_option,
    click.option("--quiet", "-q", is_flag=True, help="Show no progress and no table."),
)


@dataclass(frozen=True)
class ScoreArguments:
    """What was said of the scoring on the command line."""

    metrics: tuple[str, ...]
    profile: str | None
    policy: str | None
    out: tuple[str, ...]
    strategies: str | None
    repair: bool
    plugin: tuple[str, ...]
    workers: int | None
    batch_size: int | None
    include_imputed: bool | None
    embedder: str | None
    classifier: str | None
    store: str | None
    run_name: str | None
    redact: bool | None
    config: str | None
    environment: str | None
    as_json: bool
    quiet: bool

    @property
    def is_silent(self) -> bool:
        """Whether standard output belongs to results, or to nobody."""
        return self.quiet or "-" in self.out

    def settings(self, judging: JudgeArguments) -> Settings:
        """The settings, with what was said here."""
        selectors = tuple(part for given in self.metrics for part in given.split(",") if part)
        return read_settings(
            self.config,
            self.environment,
            metrics=selectors or None,
            **{name: getattr(self, name) for name in _SETTINGS},
            **judging.settings,
        )

    def job(self, settings: Settings, judging: JudgeArguments) -> Job:
        """What is to be scored."""
        from assay.runner import Job

        chosen = judging.apply(with_strategies(settings.chosen_profile(), self.strategies))
        if self.repair:
            chosen = with_repair(chosen)
        return Job(settings.metrics, chosen, self.plugin, settings.backends())


_SETTINGS = (
    "profile",
    "policy",
    "workers",
    "batch_size",
    "include_imputed",
    "embedder",
    "classifier",
    "store",
    "redact",
)
"""Options that go over the settings of the same name."""


score_options = bundle("scoring", ScoreArguments, _OPTIONS)


def score(
    items: Iterator[Item],
    job: Job,
    plan: Plan,
    settings: Settings,
    gates: Gates,
    writer: RunWriter | None,
    shown: ScoreArguments,
    *,
    source: str,
    total: int | None,
    asked: Asked | None = None,
) -> int:
    """Score, write, keep and show; gives the exit code."""
    from assay.cli.progress import progress
    from assay.report import About, open_writers
    from assay.runner import run_stream

    about = About(writer.name if writer else Path(source).stem, source)
    with ExitStack() as stack:
        writers = stack.enter_context(open_writers(shown.out, about))
        watched = stack.enter_context(progress(total, quiet=shown.is_silent))
        if asked:
            items = stack.enter_context(asked.items(items, watched))
        summary = run_stream(
            items,
            job,
            plan=plan,
            sinks=[*writers, *gates.sinks],
            recorder=asked.recorder if asked else writer,
            workers=settings.workers,
            batch_size=settings.batch_size,
            include_imputed=settings.include_imputed,
            seed=settings.seed,
            redact=settings.redact,
            on_batch=watched,
        )
        summary = gates.judged(summary)
        if writer and (asked is None or asked.is_whole):
            writer.finish(summary.to_json())
        for file in writers:
            file.close(summary)
    _show(summary, writer, shown)
    code = gates.conclude(summary, source, quiet=shown.is_silent or shown.as_json)
    return asked.conclude(code, writer.name if writer else None, source) if asked else code


def keep_run(
    store: Store,
    settings: Settings,
    plan: Plan,
    name: str | None,
    *,
    resume: bool = False,
    source: str,
    total: int | None,
    **others: Any,
) -> RunWriter:
    """What keeps the run; `others` decide its outcome beside the plan and the settings."""
    from assay.runner.record import record_run

    decided = {
        "include_imputed": settings.include_imputed,
        "seed": settings.seed,
        "redact": settings.redact,
        **others,
    }
    return record_run(
        store, name, plan, resume=resume, source=source, total=total, settings=decided
    )


def _show(summary: Summary, writer: RunWriter | None, shown: ScoreArguments) -> None:
    from assay.core.jsontext import dumps

    is_talking = not (shown.quiet or shown.as_json)
    if writer and is_talking:
        click.echo(f"Stored: run {writer.name} in {writer.url}", err=True)
    if shown.as_json:
        click.echo(dumps(summary.to_json(), indent=2))
    elif not shown.is_silent:
        from rich.console import Console

        from assay.report import print_summary

        print_summary(summary, Console())
    for problem in summary.problems:
        click.echo(f"Not used: {problem}", err=True)
    if summary.unread > len(summary.problems):
        click.echo(f"… and {summary.unread - len(summary.problems)} more.", err=True)
    if is_talking:
        conclude(summary)
        for path in shown.out:
            if path != "-":
                click.echo(f"Written: {path}", err=True)
