"""`assay rescore`: score the answers of a stored run again, without calling the target."""

from __future__ import annotations

from functools import partial

import click

from assay.cli.gate_options import GateArguments, conclude_gates, gate_options
from assay.cli.judge_options import JudgeArguments, announce, judge_options
from assay.cli.model_extras import checked
from assay.cli.scoring import ScoreArguments, score_options, show
from assay.core import UsageError
from assay.store import open_store


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
    from assay.cli.observing import TerminalObserver
    from assay.runner.execute import RecordRequest, RunRequest, execute
    from assay.runner.rescore import stored_items
    from assay.store.run_list import find_run

    settings = scoring.settings(judging)
    if settings.store == "none":
        raise UsageError("no store is set; name one with --store")
    store = open_store(settings.store)
    stored_run = find_run(store, run)
    job = scoring.job(settings, judging)
    gates = gating.request(settings)
    source = f"answers of {run}"
    is_talking = not (scoring.quiet or scoring.as_json)
    message = partial(announce, job, None, None, stored_run.total) if is_talking else None
    result = execute(
        RunRequest(
            items=stored_items(store, stored_run),
            job=job,
            settings=settings,
            source=source,
            total=stored_run.total,
            out=scoring.out,
            detail=scoring.detail,
            gates=gates,
            record=RecordRequest(store=store, name=scoring.run_name, decided_by={"rescored": run}),
            observer=TerminalObserver(
                stored_run.total,
                quiet=scoring.is_silent,
                announce=checked(job, settings, message),
            ),
        )
    )
    show(result, scoring)
    is_quiet = scoring.is_silent or scoring.as_json
    return conclude_gates(gates, result.summary, source, ci=gating.ci, quiet=is_quiet)
