"""The judge of a run on the command line: options, what it may cost, and what it took."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import click

from assay.cli.bundles import bundle
from assay.core import Sample, SampleError, Summary

if TYPE_CHECKING:
    from assay.engine import Plan
    from assay.runner.job import Job

SAMPLED = 50
"""Records that are read to guess what the judge will cost."""

rubric_option = click.option(
    "--rubric",
    multiple=True,
    metavar="FILE.toml",
    help="Your own rubric for the judge, scored as judge.NAME. Repeatable.",
)
_OPTIONS = (
    click.option(
        "--judge",
        default=None,
        metavar="openai:URL#MODEL",
        help="The language model behind judge metrics; its key is $ASSAY_JUDGE_KEY. Default: none.",
    ),
    rubric_option,
    click.option(
        "--judge-repeats",
        default=None,
        type=click.IntRange(1, 100),
        help="Verdicts per question; the mean or majority counts. Default: 1.",
    ),
    click.option(
        "--max-judge-calls",
        default=None,
        type=click.IntRange(0),
        help="Maximum calls to the judge; 0 for no limit. Default: 0.",
    ),
    click.option(
        "--max-judge-tokens",
        default=None,
        type=click.IntRange(0),
        help="Maximum tokens for the judge; 0 for no limit. Default: 0.",
    ),
    click.option(
        "--max-judge-spend",
        default=None,
        type=click.FloatRange(0),
        metavar="USD",
        help="Maximum cost of the judge; 0 for no limit. Default: 0.",
    ),
)


@dataclass(frozen=True)
class JudgeArguments:
    """The options of the judge on the command line."""

    judge: str | None
    rubric: tuple[str, ...]
    judge_repeats: int | None
    max_judge_calls: int | None
    max_judge_tokens: int | None
    max_judge_spend: float | None

    @property
    def settings(self) -> dict[str, Any]:
        """What goes over the settings."""
        given = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in given.items() if name != "rubric"}


judge_options = bundle("judging", JudgeArguments, _OPTIONS)


def announce(
    job: Job,
    data: str | None,
    read: Callable[..., Iterator[Sample | SampleError]] | None,
    total: int | None,
    plan: Plan,
    *,
    limit: int | None = None,
    is_asking: bool = False,
) -> None:
    """Say before the first call what was chosen, where texts go and what that will cost.

    `read` reads the samples once more, up to a `limit`, to guess the cost.
    """
    from assay.runner.judge_cost import estimate

    if plan.selection:
        click.echo(f"{plan.selection}.", err=True)
    if not job.backends.judge:
        return
    is_file = data not in (None, "-")  # standard input can be read only once
    most = SAMPLED if limit is None else min(limit, SAMPLED)
    records = list(read(limit=most)) if read and is_file else []
    expected_cost = estimate(plan, job.backends, records, total, is_asking=is_asking)
    if expected_cost is None:
        return
    click.echo(f"Judge: texts go to {job.backends.identity('judge').partition('+')[0]}.", err=True)
    if records and expected_cost.calls:
        tokens = expected_cost.prompt_tokens + expected_cost.completion_tokens
        cost = (
            "unknown price" if expected_cost.usd is None else f"about {expected_cost.usd:.2f} USD"
        )
        click.echo(
            f"Judge, estimated: about {expected_cost.calls:,} calls and {tokens:,} tokens, {cost}; "
            "verdicts of earlier runs are reused.",
            err=True,
        )
        if job.backends.judging.is_sampled:
            message = "This counts ten further verdicts on each question, which are asked for only"
            click.echo(f"{message} where the endpoint gives no token probabilities.", err=True)
    if expected_cost.has_more:
        message = "Judge: JSON values, claims or similarities are asked about too; their number is"
        click.echo(f"{message} not known before.", err=True)


def conclude(summary: Summary) -> None:
    """Say what the judge took."""
    if (usage := summary.judge) is None:
        return
    tokens = "tokens (estimated)" if usage["is_usage_estimated"] else "tokens"
    cost = "" if usage["usd"] is None else f", {usage['usd']:.4f} USD"
    click.echo(
        f"Judge: {usage['calls']:,} calls, {usage['cached']:,} verdicts of earlier runs, "
        f"{usage['prompt_tokens']:,} + {usage['completion_tokens']:,} {tokens}{cost}.",
        err=True,
    )
