"""`assay score`: one answer, with the verdict and its reasons."""

from __future__ import annotations

import sys

import click

from assay.cli.console import console
from assay.cli.options import (
    config_option,
    environment_option,
    json_option,
    plugin_option,
    profile_option,
    read_settings,
    read_thresholds,
    threshold_option,
)
from assay.core import UsageError
from assay.core.jsontext import dumps
from assay.samples import to_sample


@click.command("score")
@click.option("--query", "--question", default=None, metavar="TEXT", help="What was asked.")
@click.option(
    "--response",
    "--answer",
    required=True,
    metavar="TEXT",
    help="What was answered; - reads it from standard input.",
)
@click.option("--expected", default=None, metavar="TEXT", help="What should have been answered.")
@click.option(
    "--context",
    "contexts",
    multiple=True,
    metavar="TEXT",
    help="A text that the answer should be based on. Repeatable.",
)
@click.option(
    "--check",
    "checks",
    multiple=True,
    metavar="TYPE: VALUE",
    help="A condition that the answer must meet, such as 'contains: Paris'. Repeatable.",
)
@click.option(
    "--metrics",
    "-m",
    multiple=True,
    metavar="SELECTOR,…",
    help="Metrics to score. Default: chosen by the fields given.",
)
@profile_option
@threshold_option
@plugin_option
@config_option
@environment_option
@json_option
def command(
    query: str | None,
    response: str,
    expected: str | None,
    contexts: tuple[str, ...],
    checks: tuple[str, ...],
    metrics: tuple[str, ...],
    profile: str | None,
    thresholds: tuple[str, ...],
    plugin: tuple[str, ...],
    config: str | None,
    environment: str | None,
    as_json: bool,
) -> int:
    """Score one answer: the verdict, and what each metric found.

    \b
    assay score --query "Who wrote Hamlet?" --response "Marlowe." --expected "Shakespeare"
    """
    from assay.report.sample_scores import print_scores
    from assay.runner.python_api import score_sample

    text = sys.stdin.read() if response == "-" else response
    if not text.strip():
        raise UsageError("the response is empty; expected some text")
    fields = {"query": query, "response": text, "expected": expected}
    fields |= {"contexts": contexts or None, "checks": checks or None}
    selectors = [part for given in metrics for part in given.split(",") if part]
    sample, scores = score_sample(
        to_sample(fields, "sample"),
        selectors or None,
        profile,
        plugins=plugin,
        settings=read_settings(config, environment, thresholds=read_thresholds(thresholds)),
    )
    if as_json:
        click.echo(dumps(scores.to_json(), indent=2))
    else:
        print_scores(sample, scores, console())
    return 0 if any(result.value is not None for result in scores.results.values()) else 2
