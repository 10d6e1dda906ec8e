"""`assay metrics`: what exists, and one metric's page."""

from __future__ import annotations

from typing import Any

import click

from assay import registry
from assay.cli.judge_options import rubric_option
from assay.cli.options import json_option, plugin_option
from assay.core import Metric
from assay.core.jsontext import dumps
from assay.data.gating import gates
from assay.data.rubrics import rubric as read_rubric


@click.command("metrics")
@click.argument("selector", required=False)
@plugin_option
@rubric_option
@json_option
def command(
    selector: str | None, plugin: tuple[str, ...], rubric: tuple[str, ...], as_json: bool
) -> None:
    """List all metrics or those of a family or tag; show the page of one: rule and blind spots."""
    from assay.metrics.judge.rubric import rubric_metric

    known = dict(registry.metrics())
    for name in plugin:
        known |= registry.load_plugin(name)
    known |= {made.id: made for made in (rubric_metric(read_rubric(name)) for name in rubric)}
    chosen = registry.select([selector or "all"], known)
    if as_json:
        click.echo(dumps([_declared(metric) for metric in chosen], indent=2))
    elif selector in known:
        from rich.console import Console
        from rich.markdown import Markdown

        from assay.report import metric_page

        Console().print(Markdown(metric_page(known[selector])))
    else:
        _print_table(chosen)


def _declared(metric: Metric) -> dict[str, Any]:
    return {
        "id": metric.id,
        "family": metric.family,
        "group": metric.group,
        "summary": metric.summary,
        "inputs": metric.inputs,
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


def _print_table(metrics: tuple[Metric, ...]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for heading in ("metric", "needs", "passes at", "decides", "what it says"):
        table.add_column(heading, overflow="fold", no_wrap=heading in ("metric", "passes at"))
    signs = {"higher": "≥", "lower": "≤", "neutral": ""}
    for metric in metrics:
        limit = "" if metric.threshold is None else f"{signs[metric.polarity]} {metric.threshold:g}"
        decides = "yes" if gates(metric) else "if chosen"
        table.add_row(metric.id, ", ".join(metric.inputs), limit, decides, metric.summary)
    Console().print(table)
