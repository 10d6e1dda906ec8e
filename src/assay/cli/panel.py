"""`assay panel`: what several judges together are worth."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import click

from assay.cli.judge_options import JudgeArguments, announce, conclude, judge_options
from assay.cli.model_extras import checked
from assay.cli.options import config_option, environment_option, json_option, read_settings
from assay.core.jsontext import dumps
from assay.samples import count_records, read_samples

if TYPE_CHECKING:
    from assay.runner.judge_panel import JudgeCard, PanelCard
    from assay.stats.intervals import Estimate


@click.command("panel")
@click.argument("data")
@click.option(
    "--metric",
    "-m",
    "metric_id",
    default=None,
    metavar="ID",
    help="The rubric for all judges. Default: --rubric, else judge.helpfulness.",
)
@click.option(
    "--labels",
    default=None,
    metavar="FIELD",
    help="The field with human labels, if some samples have one.",
)
@click.option(
    "--positive",
    multiple=True,
    metavar="LABEL",
    help="Which labels are positive: yes, '>=4'. Repeatable. Default: 1, true, yes.",
)
@judge_options
@config_option
@environment_option
@json_option
def command(
    data: str,
    metric_id: str | None,
    labels: str | None,
    positive: tuple[str, ...],
    config: str | None,
    environment: str | None,
    as_json: bool,
    judging: JudgeArguments,
) -> int:
    """Measure a panel of judges: agreement, calibration, and how many they amount to.

    Separate the judges with spaces. All of them judge the answers in DATA by one rubric.
    The card shows how far each two agree, the verdicts of each judge and of the panel, and with
    --labels how each agrees with people. Judges that err on the same answers are worth little more
    than one: the effective number of judges says how many independent ones the panel equals.

    \b
    assay panel answers.jsonl --judge "openai:URL#ONE openai:URL#OTHER" --labels label
    """
    from assay.cli.observing import TerminalObserver
    from assay.runner.job import make_job
    from assay.runner.judge_panel import measure_panel

    usual = () if judging.rubric and metric_id is None else (metric_id or "judge.helpfulness",)
    settings = read_settings(config, environment, metrics=usual or None, **judging.settings)
    job = make_job(settings, rubrics=judging.rubric)
    total = count_records(data)
    read = partial(read_samples, data)
    observer = TerminalObserver(
        total,
        quiet=as_json,
        announce=checked(job, settings, partial(announce, job, data, read, total)),
    )
    card = measure_panel(read(), job, settings, label=labels, positive=positive, observer=observer)
    if as_json:
        click.echo(dumps(card.to_json(), indent=2))
    else:
        for line in _lines(card):
            click.echo(line)
    conclude(card.summary)
    return 0 if card.judges[0].records else 2


def _lines(card: PanelCard) -> Iterator[str]:
    from assay.report.safe_text import one_line

    yield f"{card.metric}"
    yield f"{'':44} {'records':>8} {'mean':>7} {'passed':>7}  agrees with people"
    for judge in card.judges:
        yield one_line(judge.name, 44).ljust(44) + _figures(judge)
    for pair in card.pairs:
        yield f"Agreement of {one_line(pair.first, 60)} and {one_line(pair.second, 60)}:"
        yield f"  kappa {_estimate(pair.kappa)} on {pair.records:,} records"
    yield (
        f"Effective number of judges: {_estimate(card.effective)} of {len(card.judges) - 1}"
        + ("" if card.is_from_labels else ", at least: without labels it is taken from scores")
    )


def _figures(judge: JudgeCard) -> str:
    from assay.report.figures import percent

    mean = "–" if judge.mean is None else f"{judge.mean:.2f}"
    shown = f" {judge.records:8,} {mean:>7} {percent(judge.pass_rate):>7}"
    if judge.calibration is None:
        return shown
    verdicts = judge.calibration.verdicts[0]
    return f"{shown}  {percent(verdicts.agreement.value)}, kappa {_estimate(verdicts.kappa)}"


def _estimate(estimate: Estimate) -> str:
    if estimate.value is None:
        return "unknown"
    ends = estimate.interval
    return f"{estimate.value:.2f}" + (f" [{ends.low:.2f}, {ends.high:.2f}]" if ends else "")
