"""`assay compare`: is run B better than run A?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

import click

from assay import registry
from assay.cli.console import console
from assay.cli.options import json_option, open_chosen_store, plugin_option, store_option
from assay.core import Metric, UsageError
from assay.core.jsontext import dumps
from assay.core.run_comparison import RunComparison


@click.command("compare")
@click.argument("runs", nargs=-1, metavar="[A] B")
@click.option(
    "--baseline", default=None, metavar="A", help="The run to compare with, instead of A before B."
)
@click.option(
    "--by",
    default="id",
    type=click.Choice(["id", "query"]),
    help="How samples are paired. Default: id.",
)
@click.option(
    "--metrics",
    "-m",
    multiple=True,
    metavar="ID|FAMILY,…",
    help="Metrics to compare. Default: all that both runs have, mean quality and pass rate.",
)
@click.option(
    "--correction",
    default="holm",
    type=click.Choice(["holm", "bh", "none"]),
    help="How p-values are corrected over all metrics: Holm, Benjamini-Hochberg, not at all. "
    "Default: holm.",
)
@click.option(
    "--tolerance",
    default=0.02,
    show_default=True,
    type=click.FloatRange(0),
    help="The largest irrelevant change, as a share of a metric's range; where that is open, of "
    "its mean in A.",
)
@click.option(
    "--fail-if-worse",
    multiple=True,
    is_flag=False,
    flag_value="all",
    metavar="[METRIC[:TOLERANCE]]",
    help="Exit with 1 when the metric (also overall, pass_rate, all) is significantly worse by "
    "more than the tolerance; TOLERANCE is on the metric's scale. Repeatable.",
)
@click.option(
    "--fail-if-unsure",
    is_flag=True,
    help="Such gates also fail when there are too few samples to rule it out.",
)
@click.option(
    "--allow-lost",
    default=0,
    show_default=True,
    type=click.IntRange(0),
    help="How many samples may go from pass to fail before that alone fails such a gate.",
)
@click.option(
    "--allow-different",
    is_flag=True,
    help="Also compare metrics whose rules differ between the runs.",
)
@click.option(
    "--samples",
    default=5,
    show_default=True,
    type=click.IntRange(0, 1000),
    help="How many of the most changed samples to show.",
)
@click.option("--seed", default=0, show_default=True, help="Random seed.")
@plugin_option
@store_option
@json_option
def command(
    runs: tuple[str, ...],
    baseline: str | None,
    by: str,
    metrics: tuple[str, ...],
    correction: str,
    tolerance: float,
    fail_if_worse: tuple[str, ...],
    fail_if_unsure: bool,
    allow_lost: int,
    allow_different: bool,
    samples: int,
    seed: int,
    plugin: tuple[str, ...],
    store: str | None,
    as_json: bool,
) -> int:
    """Compare run B with run A, sample by sample: better, worse, or undecided.

    Either is the name of a stored run, or a .jsonl file written by "assay run --out" or "assay
    runs export".
    """
    from assay.runner.compare import CompareOptions, compare_runs
    from assay.runner.compare_gates import gate_outcomes, parse_gates
    from assay.runner.sides import is_file, open_side

    names = runs if baseline is None else (baseline, *runs)
    if len(names) != 2:
        raise UsageError(
            f"found {len(names)} runs to compare; expected two: "
            "assay compare A B, or assay compare B --baseline A"
        )
    gates = parse_gates(fail_if_worse)
    opened = None if all(map(is_file, names)) else open_chosen_store(store)
    options = CompareOptions(
        by=cast("Any", by),
        metrics=tuple(part for given in metrics for part in given.split(",") if part),
        correction=cast("Any", correction),
        tolerance=tolerance,
        tolerances={name: own for name, own in gates.items() if own is not None},
        allow_different=allow_different,
        samples=samples,
        seed=seed,
        known=_known(plugin),
    )
    comparison = compare_runs(open_side(names[0], opened), open_side(names[1], opened), options)
    outcomes = gate_outcomes(comparison, gates, strict=fail_if_unsure, allow_lost=allow_lost)
    comparison = replace(comparison, gates=outcomes)
    _show(comparison, as_json=as_json)
    return _verdict(comparison)


def _known(plugins: tuple[str, ...]) -> Mapping[str, Metric]:

    known = dict(registry.metrics())
    for plugin in plugins:
        known |= registry.load_plugin(plugin)
    return known


def _show(comparison: RunComparison, *, as_json: bool) -> None:
    if as_json:
        click.echo(dumps(comparison.to_json(), indent=2))
        return
    from assay.report.compare_table import print_comparison

    print_comparison(comparison, console())


def _verdict(comparison: RunComparison) -> int:
    """The exit code, with a line for every gate that fails and one for those that are not sure."""
    from assay.report.safe_text import one_line

    for gate in comparison.gates:
        if not gate.holds:
            word = "is worse" if gate.is_sure else "may be worse"
            click.echo(f"Gate failed: {one_line(gate.metric)} {word}; {gate.explanation}", err=True)
    unsure = [one_line(gate.metric) for gate in comparison.gates if gate.holds and not gate.is_sure]
    if unsure:
        click.echo(
            f"Gates hold but are not sure, for too few samples: {', '.join(unsure)}", err=True
        )
    if comparison.unread:
        click.echo(f"{comparison.unread} records could not be read.", err=True)
    if not all(gate.holds for gate in comparison.gates):
        return 1
    return 3 if comparison.unread else 0
