"""`assay calibrate`: what a metric is worth against people's labels."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from math import isfinite
from typing import TYPE_CHECKING, Any

import click

from assay.cli.judge_options import JudgeArguments, announce, conclude, judge_options
from assay.cli.options import (
    config_option,
    embedder_option,
    environment_option,
    json_option,
    open_chosen_store,
    plugin_option,
    profile_option,
    read_settings,
    store_option,
)
from assay.core import UsageError
from assay.core.jsontext import dumps
from assay.samples import count_records, read_samples
from assay.settings import Settings
from assay.stats.intervals import Estimate

if TYPE_CHECKING:
    from assay.engine import Plan
    from assay.engine.plan import PlanStep
    from assay.runner import Job
    from assay.runner.calibration_report import Calibration, LabelVerdicts
    from assay.runner.ratings import Ratings
    from assay.stats.cuts import Aim

_share = click.FloatRange(0, 1, min_open=True)


@click.command("calibrate")
@click.argument("data")
@click.option(
    "--labels",
    required=True,
    metavar="FIELD",
    help="The field with the human labels; use a dot for nested fields "
    "(meta.label). Records without one are not labelled.",
)
@click.option("--metric", "-m", "metric_id", required=True, metavar="ID", help="What to calibrate.")
@click.option(
    "--labels-from",
    default=None,
    metavar="FILE",
    help="Read the labels from this file, joined by id, instead of from DATA.",
)
@click.option(
    "--positive",
    multiple=True,
    metavar="LABEL",
    help="Which labels are positive: yes, refusal, '>=4'. Repeatable. Default: 1, true, yes.",
)
@click.option(
    "--direction",
    default=None,
    type=click.Choice(["higher", "lower"]),
    help="Which scores mean positive. Default: derived from the labels.",
)
@click.option(
    "--precision", default=None, type=_share, help="Find a threshold with this precision."
)
@click.option("--recall", default=None, type=_share, help="Find a threshold with this recall.")
@click.option(
    "--threshold",
    default=None,
    type=float,
    help="Evaluate this threshold instead of finding the best one.",
)
@click.option(
    "--all",
    "everything",
    default=None,
    metavar="DATA|RUN",
    help='The records whose rate is estimated: samples, results of "assay run --out", or a stored '
    "run. Default: DATA.",
)
@click.option(
    "--method",
    default=None,
    type=click.Choice(["strata", "rogan-gladen"]),
    help="How the rate is corrected: the labelled records are a random part of all (strata), or "
    "come from elsewhere (rogan-gladen). Default: strata if all of them are among the records.",
)
@click.option(
    "--these-only",
    is_flag=True,
    help="Estimate the rate of exactly these records, not of their source.",
)
@click.option(
    "--save", default=None, metavar="FILE.toml", help="Write a profile with the threshold."
)
@click.option("--format", "format", default=None, metavar="TOOL", help='As for "assay run".')
@click.option("--seed", default=None, type=click.IntRange(0), help="Random seed. Default: 0.")
@profile_option
@embedder_option
@judge_options
@plugin_option
@store_option
@config_option
@environment_option
@json_option
def command(
    data: str,
    labels: str,
    metric_id: str,
    labels_from: str | None,
    positive: tuple[str, ...],
    direction: Any,
    precision: float | None,
    recall: float | None,
    threshold: float | None,
    everything: str | None,
    method: Any,
    these_only: bool,
    save: str | None,
    format: str | None,
    seed: int | None,
    profile: str | None,
    embedder: str | None,
    plugin: tuple[str, ...],
    store: str | None,
    config: str | None,
    environment: str | None,
    as_json: bool,
    judging: JudgeArguments,
) -> int:
    """Compare a metric with human labels, and correct the rate that it reports.

    DATA is a file of samples, some with a label, or a stored run. Reports how well the metric
    agrees with the labels, which threshold reaches a required precision or recall, and what share
    of all records is positive, with an interval that accounts for the metric's errors.
    """
    from assay.report.figures import count
    from assay.runner.calibrate import calibrate
    from assay.runner.calibration_report import CalibrationRequest, save_profile
    from assay.runner.job import make_job
    from assay.runner.ratings import read_labels

    settings = read_settings(
        config,
        environment,
        metrics=(metric_id,),
        profile=profile,
        embedder=embedder,
        seed=seed,
        **judging.settings,
    )
    wanted = CalibrationRequest(
        positive,
        direction,
        *_aim(precision, recall, threshold),
        threshold,
        method,
        these_only,
        settings.seed,
    )
    job = make_job(settings, rubrics=judging.rubric, plugins=plugin)
    plan = job.plan()
    step = _step(plan, metric_id)
    read = partial(
        _read,
        job=job,
        plan=plan,
        settings=settings,
        metric=step.metric.id,
        store=store,
        format=format,
    )
    labelled = read(data, None if labels_from else labels)
    strangers = (
        labelled.join(read_labels(labels_from, labels, step.metric.id)) if labels_from else 0
    )
    calibration = calibrate(
        labelled,
        step.metric,
        wanted,
        threshold=step.threshold,
        everything=read(everything, None) if everything else None,
    )
    _show(calibration, as_json=as_json)
    if strangers:
        click.echo(f"Labels that name no record of {data}: {strangers}.", err=True)
    if save:
        save_profile(calibration, save)
        click.echo(f"Written: {save}", err=True)
    if calibration.unread:
        click.echo(f"{count(calibration.unread, 'record')} could not be read.", err=True)
    return 3 if calibration.unread else 0


def _aim(
    precision: float | None, recall: float | None, threshold: float | None
) -> tuple[Aim, float | None]:
    """What the threshold is chosen for, and how much of it is wanted."""
    given = [one for one in (precision, recall, threshold) if one is not None]
    if len(given) > 1:
        raise UsageError("--precision, --recall and --threshold exclude each other; give one")
    if not all(map(isfinite, given)):
        raise UsageError(f"{given[0]} is no precision, recall or threshold; give a number")
    if precision is not None:
        return "precision", precision
    return ("agreement", None) if recall is None else ("recall", recall)


def _read(
    source: str,
    label: str | None,
    *,
    job: Job,
    plan: Plan,
    settings: Settings,
    metric: str,
    store: str | None,
    format: str | None,
) -> Ratings:
    """The scores and labels of a source; what a judge will cost, and has cost, is said."""
    from assay.runner.ratings import is_samples, read_ratings

    if is_samples(source):
        announce(
            job, source, partial(read_samples, source, format=format), count_records(source), plan
        )
    ratings = read_ratings(
        source,
        job,
        metric,
        settings=settings,
        label=label,
        store=lambda: open_chosen_store(store),
        format=format,
    )
    if ratings.summary:
        conclude(ratings.summary)
    return ratings


def _step(plan: Plan, metric: str) -> PlanStep:
    """The metric with the threshold that holds in this run."""
    shown = {step.metric.id: step for step in plan.shown}
    if metric not in shown and len(shown) != 1:
        raise UsageError(f"{metric!r} names {len(shown)} metrics; expected the id of one")
    return shown.get(metric) or next(iter(shown.values()))


def _show(calibration: Calibration, *, as_json: bool) -> None:
    if as_json:
        click.echo(dumps(calibration.to_json(), indent=2))
        return
    from assay.report.safe_text import one_line

    for line in [*_about_metric(calibration), *_about_rate(calibration)]:
        indent = len(line) - len(line.lstrip())
        click.echo(" " * indent + one_line(line))
    for warning in calibration.warnings:
        click.echo(f"Note: {one_line(warning)}", err=True)


def _about_metric(calibration: Calibration) -> Iterator[str]:
    yield (
        f"{calibration.labelled:,} labels, {calibration.positives:,} of them positive "
        f"({calibration.positive}), "
        f"against {calibration.metric}:"
    )
    yield (
        f"  {calibration.direction.capitalize()} scores go with positive labels: "
        f"AUROC {_figure(calibration.auroc)}."
    )
    if calibration.spearman:
        yield f"  Rank correlation with the grades: {_figure(calibration.spearman)}."
    if calibration.weighted_kappa:
        yield f"  Agreement of grades, weighted kappa: {_figure(calibration.weighted_kappa)}."
    for verdicts in calibration.verdicts:
        yield from _about_verdicts(calibration, verdicts)


def _about_verdicts(calibration: Calibration, verdicts: LabelVerdicts) -> Iterator[str]:
    reason = {"own": "the metric's own threshold", "given": "the threshold given"}
    best = (
        "the threshold that agrees best"
        if calibration.at_least is None
        else f"the threshold for a {calibration.aim} of {calibration.at_least:g}"
    )
    yield f"  Positive if {verdicts.says_positive} ({reason.get(verdicts.origin, best)}):"
    agrees = _share_of(verdicts.agreement)
    yield f"    agrees with people on {agrees}, kappa {_figure(verdicts.kappa)};"
    yield f"    precision {_share_of(verdicts.precision)}, recall {_share_of(verdicts.recall)}."


def _about_rate(calibration: Calibration) -> Iterator[str]:
    from assay.report.figures import percent

    what = "these records" if calibration.these_only else "records like these"
    of = f"{calibration.records:,} records"
    if calibration.scored < calibration.records:
        of = f"the {calibration.scored:,} of {of} that have a score"
    yield f"The metric calls {percent(calibration.raw_rate.value)} of {of} positive."
    if calibration.corrected_rate.value is None:
        yield f"Its errors are too many to correct: the true rate of {what} is not known."
    else:
        yield (
            f"With its errors corrected, the true rate of {what} is about "
            f"{_share_of(calibration.corrected_rate)}."
        )
    if calibration.method == "strata":
        yield f"The labels alone would say {_share_of(calibration.labels_rate)}."


def _figure(estimate: Estimate) -> str:
    return _with_interval(estimate, "{:.2f}".format)


def _share_of(estimate: Estimate) -> str:
    from assay.report.figures import percent

    return _with_interval(estimate, percent)


def _with_interval(estimate: Estimate, shown: Callable[[float], str]) -> str:
    """A figure with the ends of its interval."""
    if estimate.value is None:
        return "unknown"
    ends = " to ".join(map(shown, estimate.interval or ()))
    return f"{shown(estimate.value)} (95 %: {ends})" if ends else shown(estimate.value)
