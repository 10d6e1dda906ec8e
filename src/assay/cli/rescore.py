"""`assay rescore`: score what a stored run holds once more, without asking anybody."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from assay.cli.gating import gate_options
from assay.cli.judging import announce, judge_options
from assay.cli.scoring import keep_run, score, score_options

if TYPE_CHECKING:
    from assay.cli.gating import GateArguments
    from assay.cli.judging import JudgeArguments
    from assay.cli.scoring import ScoreArguments


@click.command("rescore")
@click.argument("run")
@score_options
@gate_options
@judge_options
def command(
    run: str, scoring: ScoreArguments, gating: GateArguments, judging: JudgeArguments
) -> int:
    """Score the stored answers of RUN again, with other metrics or another profile.

    The target is not called: the stored answers are used. The result is a new run; --run names it.
    The answers of an interrupted run can be scored too.
    """
    from assay.core import UsageError
    from assay.runner.rescore import stored_items
    from assay.store import open_store
    from assay.store.run_list import find_run

    settings = scoring.settings(judging)
    if settings.store == "none":
        raise UsageError("no store is set; name one with --store")
    store = open_store(settings.store)
    found = find_run(store, run)
    job = scoring.job(settings, judging)
    plan = job.plan()
    gates = gating.open(settings, plan)
    if not (scoring.quiet or scoring.as_json):
        announce(plan, job, None, None, found.total)
    source = f"answers of {run}"
    writer = keep_run(
        store, settings, plan, scoring.run_name, source=source, total=found.total, rescored=run
    )
    items = stored_items(store, found)
    return score(
        items,
        job,
        plan,
        settings,
        gates,
        writer,
        scoring,
        source=source,
        total=found.total,
    )
