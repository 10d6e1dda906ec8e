"""`assay run`: score a file of answers, or ask a system questions and score what it answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from assay.cli.asking import ask_options
from assay.cli.gating import gate_options
from assay.cli.judging import announce, judge_options
from assay.cli.scoring import keep_run, score, score_options

if TYPE_CHECKING:
    from assay.cli.asking import AskArguments
    from assay.cli.gating import GateArguments
    from assay.cli.judging import JudgeArguments
    from assay.cli.scoring import ScoreArguments
    from assay.settings import Settings


@click.command("run")
@click.argument("data")
@score_options
@ask_options
@gate_options
@judge_options
@click.option(
    "--format",
    "format",
    default=None,
    metavar="TOOL",
    help="Use the field names of this tool (deepeval, ragas, promptfoo, …).",
)
@click.option("--limit", default=None, type=click.IntRange(1), help="Read only this many records.")
@click.option(
    "--resume", is_flag=True, help="Continue the run of that name where it stopped, if it exists."
)
def command(
    data: str,
    scoring: ScoreArguments,
    asking: AskArguments,
    gating: GateArguments,
    judging: JudgeArguments,
    format: str | None,
    limit: int | None,
    resume: bool,
) -> int:
    """Score the answers in DATA: a .jsonl, .json, .csv or .parquet file, or - for standard input.

    Each record needs a response (also output, answer, …); a query, an expected answer, contexts and
    a duration enable more metrics. Options that are not given come from the settings: "assay
    settings" shows them.

    With --target, DATA contains questions: the target answers each of them, and its answers are
    stored as they arrive, and scored.
    """
    from assay.samples import count_records, read_samples

    settings = scoring.settings(judging)
    job = scoring.job(settings, judging)
    plan = job.plan()
    gates = gating.open(settings, plan)
    target = asking.open()
    _check_questions(data, is_asking=target is not None)
    items = read_samples(data, format=format, limit=limit)
    total = count_records(data, limit)
    if not (scoring.quiet or scoring.as_json):
        announce(plan, job, data, format, total, limit=limit, is_asking=target is not None)
    writer = None
    if _keeps(settings, scoring.run_name, resume, is_asking=target is not None):
        from assay.store import open_store

        writer = keep_run(
            open_store(settings.store),
            settings,
            plan,
            scoring.run_name,
            resume=resume,
            source=data,
            total=total,
            limit=limit,
            **asking.settings(target),
        )
    return score(
        items,
        job,
        plan,
        settings,
        gates,
        writer,
        scoring,
        source=data,
        total=total,
        asked=asking.start(target, writer, redact=settings.redact) if target else None,
    )


def _check_questions(data: str, *, is_asking: bool) -> None:
    """Refuse to score questions that nobody is asked."""
    from assay.core import UsageError

    if data.startswith("suite:") and not is_asking:
        raise UsageError(f"{data!r} holds questions without answers; add --target SYSTEM")


def _keeps(settings: Settings, name: str | None, resume: bool, *, is_asking: bool) -> bool:
    """Whether the run is kept in a store; one that asks a system always is, unless forbidden."""
    from assay.core import UsageError

    if resume and not name:
        raise UsageError("--resume needs the run's name; add --run NAME")
    if settings.store == "none":
        if is_asking:
            click.echo("No store: answers are not kept, and cannot be scored again.", err=True)
        return False
    return bool(is_asking or name or settings.store)
