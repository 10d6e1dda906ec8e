"""`assay metrics`: what exists, and one metric's page."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import click

from assay import registry
from assay.cli.console import console
from assay.cli.judge_options import rubric_option
from assay.cli.options import json_option, plugin_option
from assay.core import Metric, UnknownMetricError
from assay.core.jsontext import dumps
from assay.data.gating import gates
from assay.data.rubrics import rubric as read_rubric


@click.command("metrics")
@click.argument("selector", required=False, metavar="[ID|FAMILY|TAG|WORD]")
@plugin_option
@rubric_option
@json_option
def command(
    selector: str | None, plugin: tuple[str, ...], rubric: tuple[str, ...], as_json: bool
) -> None:
    """List all metrics, those of a family or tag, or those that a word finds; show one's page.

    A word is looked for in ids, summaries and the names that other tools use: "assay metrics
    halluc". The page of a metric has its rule, inputs, blind spots and evidence.
    """
    from assay.metrics.judge.rubric import rubric_metric

    known = dict(registry.metrics())
    for name in plugin:
        known |= registry.load_plugin(name)
    known |= {made.id: made for made in (rubric_metric(read_rubric(name)) for name in rubric)}
    chosen = _chosen(selector, known)
    if as_json:
        click.echo(dumps([_declared(metric) for metric in chosen], indent=2))
    elif selector and (selector in known or selector in chosen[0].aliases):
        from rich.markdown import Markdown

        from assay.report import metric_page

        console().print(Markdown(metric_page(chosen[0])))
    else:
        _print_list(chosen)


def _chosen(selector: str | None, known: Mapping[str, Metric]) -> tuple[Metric, ...]:
    """The metrics that a selector names or, where it names none, that a search finds."""
    try:
        return registry.select([selector or "all"], known)
    except UnknownMetricError:
        if matches := registry.search(selector or "", known):
            return matches
        raise


def _declared(metric: Metric) -> dict[str, Any]:
    return {
        "id": metric.id,
        "family": metric.family,
        "group": metric.group,
        "summary": metric.summary,
        "inputs": metric.inputs,
        "reads": registry.fields_read(metric),
        "range": metric.range,
        "unit": metric.unit,
        "polarity": metric.polarity,
        "threshold": metric.threshold,
        "unsure": metric.unsure,
        "exact": metric.exact,
        "gates": gates(metric),
        "version": metric.version,
        "tags": metric.tags,
        "lexicons": metric.lexicons,
        "options": dict(metric.options),
        "documentation": metric.documentation,
    }


def _print_list(metrics: tuple[Metric, ...]) -> None:
    """Print one line a metric, under its family; cut to the width of a terminal."""
    output = console()
    has_width = output.is_terminal or "COLUMNS" in os.environ
    longest = max(len(metric.id) for metric in metrics)
    groups: dict[str, list[Metric]] = {}
    for metric in metrics:
        groups.setdefault(".".join(filter(None, (metric.family, metric.group))), []).append(metric)
    for name, members in groups.items():
        click.echo(f"\n{name} ({len(members)})" if len(groups) > 1 else name)
        for metric in members:
            mark = "●" if gates(metric) else " "
            line = f"  {mark} {metric.id:<{longest}}  {metric.summary}"
            click.echo(_cut(line, output.width) if has_width else line)
    click.echo(
        "\n● decides whether a sample passes, unless a profile says otherwise; the others\n"
        "do so only when chosen by name, family or threshold.\n"
        '"assay metrics ID" shows a metric, "assay metrics WORD" searches.'
    )


def _cut(line: str, width: int) -> str:
    return line if len(line) <= width else f"{line[: width - 1]}…"
