"""Unsure samples of a run on the command line: where they go, the cost, and what came back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from assay.cli.bundles import bundle
from assay.cli.judge_options import SAMPLED
from assay.core import Sample, SampleError, UsageError

if TYPE_CHECKING:
    from assay.engine import Plan
    from assay.runner.escalation import EscalationCounts, EscalationRequest
    from assay.runner.job import Job

_OPTIONS = (
    click.option(
        "--escalate",
        is_flag=True,
        help="Send samples whose verdict is unsure to the judge, whose verdict then counts; "
        "without a judge they wait in the --queue for people.",
    ),
    click.option(
        "--queue",
        default=None,
        metavar="FILE.jsonl",
        help="With --escalate: where unsure samples are kept with the labels of judge and people. "
        "Labels in it count before the judge. Default: unsure.jsonl.",
    ),
)


@dataclass(frozen=True)
class EscalationArguments:
    """The options of escalation on the command line."""

    escalate: bool
    queue: str | None

    def request(self) -> EscalationRequest | None:
        """What is asked for; None where nothing is escalated."""
        from assay.runner.escalation import QUEUE, EscalationRequest

        if not self.escalate:
            if self.queue:
                raise UsageError("--queue keeps what is escalated; add --escalate")
            return None
        if self.queue and not self.queue.endswith(".jsonl"):
            raise UsageError(f"--queue is {self.queue!r}; expected a .jsonl file")
        return EscalationRequest(self.queue or QUEUE)


escalation_options = bundle("escalating", EscalationArguments, _OPTIONS)
"""Gives a command the options of escalation, as one argument `escalating`."""


def announce_escalation(
    request: EscalationRequest | None,
    job: Job,
    data: str,
    read: Callable[..., Iterator[Sample | SampleError]],
    total: int | None,
    plan: Plan,
    *,
    limit: int | None = None,
    is_asking: bool = False,
) -> None:
    """Say before the first call where unsure samples go and what that may cost at most."""
    from assay.runner.judge_cost import estimate_escalation

    if request is None:
        return
    if not job.backends.judge:
        click.echo(f"No judge is configured: unsure samples go to {request.queue}.", err=True)
        return
    judge = job.backends.identity("judge").partition("+")[0]
    click.echo(f"Judge: texts of unsure samples go to {judge}.", err=True)
    most = SAMPLED if limit is None else min(limit, SAMPLED)
    records = list(read(limit=most)) if data != "-" else []
    cost = estimate_escalation(plan, job.backends, records, total, is_asking=is_asking)
    if cost is None:
        return
    tokens = cost.prompt_tokens + cost.completion_tokens
    usd = "unknown price" if cost.usd is None else f"{cost.usd:.2f} USD"
    click.echo(
        f"Judge, estimated: at most about {cost.calls:,} calls and {tokens:,} tokens, {usd}, "
        "were every sample unsure.",
        err=True,
    )


def conclude_escalation(counts: EscalationCounts | None, request: EscalationRequest | None) -> None:
    """Say what became of unsure verdicts."""
    if counts is None or request is None:
        return
    from assay.report.figures import count

    if not counts.total:
        click.echo("Escalated: nothing, no sample is unsure.", err=True)
        return
    parts = [
        f"{counts.by_judge:,} decided by the judge" if counts.by_judge else "",
        f"{counts.by_label:,} by labels of {request.queue}" if counts.by_label else "",
        f"{counts.waiting:,} to label in {request.queue}" if counts.waiting else "",
    ]
    failed = f"; the judge gave no verdict on {counts.failed:,}" if counts.failed else ""
    verdicts = count(counts.total, "unsure verdict")
    click.echo(f"Escalated: {verdicts}, {', '.join(filter(None, parts))}{failed}.", err=True)
    if counts.waiting:
        click.echo(
            'Fill "label" with pass or fail; "assay run --escalate" then follows it, and "assay '
            f'calibrate --labels label --labels-from {request.queue}" learns from it.',
            err=True,
        )
