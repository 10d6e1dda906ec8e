"""What commands have in common that score samples: their options, and what is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from assay.cli.bundles import bundle
from assay.cli.console import console
from assay.cli.judge_options import JudgeArguments, conclude
from assay.cli.options import (
    config_option,
    detail_option,
    embedder_option,
    encoder_option,
    environment_option,
    json_option,
    plugin_option,
    profile_option,
    read_bands,
    read_settings,
    read_thresholds,
    repair_option,
    store_option,
    strategies_option,
    threshold_option,
    unsure_option,
)
from assay.core.jsontext import dumps
from assay.core.result_records import Detail
from assay.settings import Settings

if TYPE_CHECKING:
    from assay.runner import Job
    from assay.runner.execute import RunResult

_OPTIONS = (
    click.option(
        "--metrics",
        "-m",
        multiple=True,
        metavar="SELECTOR,…",
        help="Metrics to score: ids, families (text), tags (@rules, @gating), all; a leading - "
        "leaves out, & keeps what is in both. Default: the profile's, else what auto chooses by "
        "the fields of the data.",
    ),
    profile_option,
    threshold_option,
    unsure_option,
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
        help="Output file, by extension: .jsonl .jsonl.gz .json .csv .parquet .html .md .xml "
        "(JUnit) .prom (OpenMetrics) .otlp.json (OpenTelemetry); - is standard output as JSONL. "
        "Repeatable.",
    ),
    detail_option,
    strategies_option,
    repair_option,
    plugin_option,
    click.option(
        "--plugin-memory",
        default=None,
        type=click.IntRange(0),
        metavar="MB",
        help="Run plugin metrics in a separate process with this much memory, so that a crash "
        "loses only their scores. Default: 0, in the run's own process.",
    ),
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
    encoder_option,
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
    """The options of scoring on the command line."""

    metrics: tuple[str, ...]
    profile: str | None
    thresholds: tuple[str, ...]
    unsure: tuple[str, ...]
    policy: str | None
    out: tuple[str, ...]
    detail: Detail
    strategies: str | None
    repair: bool
    plugin: tuple[str, ...]
    plugin_memory: int | None
    workers: int | None
    batch_size: int | None
    include_imputed: bool | None
    embedder: str | None
    encoder: str | None
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
        """Whether standard output is for results alone, or silent."""
        return self.quiet or "-" in self.out

    def settings(self, judging: JudgeArguments, **more: Any) -> Settings:
        """The settings, with what was said here and `more`."""
        selectors = tuple(part for given in self.metrics for part in given.split(",") if part)
        return read_settings(
            self.config,
            self.environment,
            metrics=selectors or None,
            thresholds=read_thresholds(self.thresholds),
            unsure=read_bands(self.unsure),
            **{name: getattr(self, name) for name in _SETTINGS},
            **judging.settings,
            **more,
        )

    def job(self, settings: Settings, judging: JudgeArguments) -> Job:
        """What is to be scored."""
        from assay.runner.job import make_job

        return make_job(
            settings,
            rubrics=judging.rubric,
            strategies=self.strategies,
            repair=self.repair,
            plugins=self.plugin,
        )


_SETTINGS = (
    "profile",
    "policy",
    "plugin_memory",
    "workers",
    "batch_size",
    "include_imputed",
    "embedder",
    "encoder",
    "classifier",
    "store",
    "redact",
)
"""Options that go over the settings of the same name."""


score_options = bundle("scoring", ScoreArguments, _OPTIONS)


def show(result: RunResult, shown: ScoreArguments) -> None:
    """Print the results of a run, and where it was written and kept."""
    summary = result.summary
    is_talking = not (shown.quiet or shown.as_json)
    if result.run and is_talking:
        click.echo(f"Stored: run {result.run} in {result.store}", err=True)
    if shown.as_json:
        click.echo(dumps(summary.to_json(), indent=2))
    elif not shown.is_silent:
        from assay.report import print_summary

        print_summary(summary, console())
    for problem in summary.problems:
        click.echo(f"Skipped: {problem}", err=True)
    if is_talking:
        conclude(summary)
        for path in shown.out:
            if path != "-":
                click.echo(f"Written: {path}", err=True)
