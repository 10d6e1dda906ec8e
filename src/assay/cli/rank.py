"""`assay rank`: which of several systems answers best, judged in pairs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

import click

from assay.cli.judge_options import JudgeArguments, announce, conclude, judge_options
from assay.cli.model_extras import checked
from assay.cli.options import (
    config_option,
    environment_option,
    json_option,
    open_chosen_store,
    read_settings,
    store_option,
)
from assay.core import Sample, UsageError
from assay.core.atomic_file import write_file
from assay.core.jsontext import dumps

if TYPE_CHECKING:
    from assay.runner.pairwise import PairwiseJob, PairwiseReport

UNDECIDED, NOTHING = 3, 2


@click.command("rank")
@click.argument("systems", nargs=-1, metavar="[NAME=]RUN|FILE …")
@click.option(
    "--by",
    default="id",
    type=click.Choice(["id", "query"]),
    help="How answers of the systems are paired. Default: id.",
)
@click.option("--limit", default=None, type=click.IntRange(1), help="Compare this many questions.")
@click.option(
    "--out", default=None, metavar="FILE.jsonl", help="Write every comparison with its reasons."
)
@judge_options
@store_option
@config_option
@environment_option
@json_option
def command(
    systems: tuple[str, ...],
    by: str,
    limit: int | None,
    out: str | None,
    store: str | None,
    config: str | None,
    environment: str | None,
    as_json: bool,
    judging: JudgeArguments,
) -> int:
    """Rank two or more systems by a judge that compares their answers in pairs.

    Each is a file of answers or a stored run. Every pair of answers to a question is judged in both
    orders; a verdict that depends on the order is a tie, and how often that happens is shown. The
    ranking is Bradley and Terry's, with 95 % intervals over questions.

    The question is that of a rubric, helpfulness by default; --rubric names another one, bundled or
    your own file.

    \b
    assay rank old.jsonl new.jsonl --judge openai:http://127.0.0.1:8000/v1#my-model
    assay rank a=run-12 b=run-15 c=rival.csv --rubric completeness --judge …

    Exit codes: 0 all pairs have a verdict, 2 none has, 3 some have none.
    """
    from assay.cli.observing import TerminalObserver
    from assay.runner.answered_systems import read_systems
    from assay.runner.pairwise import judge_pairs, plan_pairs

    settings = read_settings(config, environment, **judging.settings)
    read = read_systems(systems, cast("Any", by), partial(open_chosen_store, store))
    pairwise = plan_pairs(read, settings, _rubric(judging.rubric), limit)
    observer = TerminalObserver(
        pairwise.total,
        quiet=as_json,
        announce=checked(
            pairwise.job,
            settings,
            partial(announce, pairwise.job, "pairs", partial(_first, pairwise), pairwise.total),
        ),
    )
    report = judge_pairs(pairwise, settings, observer)
    if out:
        lines = (dumps(pair.to_json(report.systems)) for pair in report.pairs)
        write_file(out, "".join(f"{line}\n" for line in lines))
    _show(report, as_json=as_json)
    for system in read:
        if system.unread:
            click.echo(f"{system.name}: {system.unread} records hold no answer.", err=True)
    if report.summary:
        conclude(report.summary)
    if report.undecided == len(report.pairs):
        return NOTHING
    return UNDECIDED if report.undecided else 0


def _rubric(given: tuple[str, ...]) -> str:
    if len(given) > 1:
        raise UsageError("--rubric is given several times; systems are ranked by one question")
    return given[0] if given else "helpfulness"


def _first(pairwise: PairwiseJob, limit: int) -> Iterator[Sample]:
    return islice(pairwise.samples(), limit)


def _show(report: PairwiseReport, *, as_json: bool) -> None:
    if as_json:
        click.echo(dumps(report.to_json(), indent=2))
        return
    from assay.report.rank_table import ranking_lines

    for line in ranking_lines(report.to_json()):
        click.echo(line)
