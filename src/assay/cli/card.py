"""`assay card`: governance scorecards."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from assay.cli.console import console
from assay.cli.options import config_option, environment_option, json_option, read_settings
from assay.core import Sample, Scores, UsageError
from assay.core.jsontext import dumps
from assay.samples import read_samples

if TYPE_CHECKING:
    from assay.scoring.dimensions import WeightsMode


@click.command("card")
@click.argument("data")
@click.option("--id", "ids", multiple=True, metavar="ID", help="Only samples with these ids.")
@click.option(
    "--preset",
    default=None,
    metavar="NAME|FILE",
    help="A department's weights and policy: standard_rti, defense_ministry, public_grievance, "
    "finance_ministry, health_ministry, uk_govt_standard, uk_high_security, "
    "eu_strict_compliance, eu_critical_infrastructure, or a profile's .toml file.",
)
@click.option(
    "--weights",
    multiple=True,
    metavar="DIMENSION=WEIGHT",
    help="A dimension's weight; all others get 0. Repeatable.",
)
@click.option(
    "--merge-weights", is_flag=True, help="Dimensions without --weights keep their default weight."
)
@click.option(
    "--policy",
    default=None,
    metavar="NAME|FILE",
    help="Policy pack: rti, uk_gdpr, eu_ai_act or a file.",
)
@click.option("--include-imputed", is_flag=True, help="Include imputed values.")
@click.option("--limit", default=None, type=click.IntRange(1), help="Read only this many records.")
@config_option
@environment_option
@json_option
def command(
    data: str,
    ids: tuple[str, ...],
    preset: str | None,
    weights: tuple[str, ...],
    merge_weights: bool,
    policy: str | None,
    include_imputed: bool,
    limit: int | None,
    config: str | None,
    environment: str | None,
    as_json: bool,
) -> int:
    """Print the governance scorecard of every sample in DATA.

    A card shows the overall score with its verdict (PASS from 70, REVIEW from 50, FAIL below), the
    nine dimensions, the reasons for the three lowest, and alerts. With --json each card is one line
    with all metrics, their explanations and evidence.
    """
    from assay.runner import execute
    from assay.runner.governance import governance_profile, governance_request

    mode: WeightsMode = "merge" if merge_weights else "replace"
    profile = governance_profile(_weights(weights), mode, preset, include_imputed, policy)
    settings = read_settings(config, environment, policy=policy)
    items = read_samples(data, limit=limit, map=settings.map, needs_map=False)
    chosen = (item for item in items if not ids or getattr(item, "id", None) in ids)
    request = governance_request(chosen, profile, settings, source=data)
    printer = _Printer(request.job.profile.policy.identity, as_json=as_json)
    summary = execute(replace(request, sinks=[printer])).summary
    for problem in summary.problems:
        click.echo(f"Not read: {problem}", err=True)
    if not summary.samples:
        click.echo("No sample was found.", err=True)
    return 3 if summary.unread or summary.errors else 0


class _Printer:
    """A sink that prints the card of every sample as it comes."""

    def __init__(self, policy: str, *, as_json: bool) -> None:
        self._policy = policy
        self._as_json = as_json
        self._is_first = True

    def write(self, sample: Sample, scores: Scores) -> None:
        from assay.runner.governance import make_card

        card = make_card(sample, scores, self._policy)
        if self._as_json:
            click.echo(dumps(card.to_json()))
            return
        from assay.report.card_table import print_card

        if not self._is_first:
            click.echo()
        self._is_first = False
        print_card(card, console())


def _weights(given: tuple[str, ...]) -> dict[str, float] | None:
    """Weights by dimension from texts such as `security=0.3`."""
    weights: dict[str, float] = {}
    for text in (part for entry in given for part in entry.split(",")):
        name, _, number = text.partition("=")
        try:
            weights[name.strip()] = float(number)
        except ValueError:
            raise UsageError(f"weight {text!r}; expected DIMENSION=NUMBER") from None
    return weights or None
