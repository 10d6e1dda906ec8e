"""`assay run`: score a file of answers, or ask a system questions and score what it answers."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli.escalation_options import (
    EscalationArguments,
    announce_escalation,
    conclude_escalation,
    escalation_options,
)
from assay.cli.gate_options import GateArguments, conclude_gates, gate_options
from assay.cli.grid_options import GridArguments, grid_options
from assay.cli.invocation import command_line
from assay.cli.judge_options import JudgeArguments, announce, judge_options
from assay.cli.model_extras import checked
from assay.cli.scoring import ScoreArguments, score_options, show
from assay.cli.short_help import ShortHelpCommand
from assay.cli.target_options import AskArguments, ask_options, conclude_asking
from assay.core import UsageError
from assay.core.moment import now
from assay.report.safe_text import visible
from assay.samples import count_records, read_samples
from assay.samples.columns import ColumnReading, no_answers, parse_map
from assay.settings import Settings

if TYPE_CHECKING:
    from assay.runner.block_run import BlockRequest
    from assay.runner.escalation import EscalationRequest
    from assay.samples.reader import OnColumns

ESSENTIAL = (
    *("metrics", "profile", "map", "out", "run_name"),
    *("target", "fail_under", "baseline", "limit", "as_json"),
)
"""The options that most runs need."""


@click.command("run", cls=ShortHelpCommand, essential=ESSENTIAL)
@click.argument("data")
@score_options
@ask_options
@grid_options
@gate_options
@judge_options
@escalation_options
@click.option(
    "--format",
    "format",
    default=None,
    metavar="TOOL",
    help="Use the field names of this tool (deepeval, ragas, promptfoo, …).",
)
@click.option(
    "--map",
    "map",
    multiple=True,
    metavar="FIELD=COLUMN",
    help="The column that gives a field: response='Model Answer'. Repeatable.",
)
@click.option("--limit", default=None, type=click.IntRange(1), help="Read only this many records.")
@click.option(
    "--engine",
    default="local",
    metavar="local|ray[:ADDRESS]",
    help="Where an --out that ends with / is scored: in processes of this machine, or on a Ray "
    "cluster, by default one that is started here. Default: local.",
)
@click.option(
    "--block-rows",
    default=20_000,
    show_default=True,
    type=click.IntRange(100, 1_000_000),
    help="Rows of a block, where --out ends with /. More of them make fewer files and less work "
    "for the process that started the run; each worker needs more memory.",
)
@click.option(
    "--resume", is_flag=True, help="Continue the run of that name where it stopped, if it exists."
)
@click.option(
    "--wait",
    is_flag=True,
    help="With --resume: wait while another program writes the run. Default: an error.",
)
def command(
    data: str,
    scoring: ScoreArguments,
    asking: AskArguments,
    gridding: GridArguments,
    gating: GateArguments,
    judging: JudgeArguments,
    escalating: EscalationArguments,
    format: str | None,
    map: tuple[str, ...],
    limit: int | None,
    engine: str,
    block_rows: int,
    resume: bool,
    wait: bool,
) -> int:
    """Score the answers in DATA: a .jsonl, .json, .csv, .xlsx or .parquet file, or - (stdin).

    DATA may be a folder of .parquet files, or an address such as s3://bucket/answers where its file
    system is installed for fsspec.

    Each record needs a response (also output, answer, …); a query, an expected answer, contexts and
    a duration enable more metrics. Columns with other names are found by their words and contents,
    and what is read as what is shown; --map names them. Options that are not given come from the
    settings: "assay settings" shows them.

    An --out FOLDER/ of Parquet files goes block by block, for data of any size, in as many
    processes as --workers says or on another --engine; with --resume only blocks that are left.

    With --target, DATA contains questions: the target answers each of them, and its answers are
    stored as they arrive, and scored. With --grid, many variants of it are asked side by side.
    """
    from assay.cli.observing import TerminalObserver
    from assay.runner.execute import RecordRequest, RunRequest, execute

    _check_outputs(data, scoring.out)
    settings = scoring.settings(judging, map=parse_map(map) or None)
    job = scoring.job(settings, judging)
    gates = gating.request(settings)
    escalation = escalating.request()
    is_grid = gridding.is_chosen()
    target = None if is_grid else asking.open()
    is_asking = is_grid or target is not None
    _check_questions(data, is_asking=is_asking)
    total = count_records(data, limit)
    is_talking = not (scoring.quiet or scoring.as_json)
    read = partial(
        read_samples,
        data,
        format=format,
        map=settings.map,
        needs_map=settings.is_explicit("map"),
    )
    message = partial(
        _announce, escalation, job, data, read, total, limit=limit, is_asking=is_asking
    )
    columns = partial(
        _tell_columns,
        data,
        needs_answers=not (is_asking or job.names_metrics()),
        is_talking=is_talking,
    )
    base = RunRequest(
        items=(),
        job=job,
        settings=settings,
        source=data,
        total=total,
        detail=scoring.detail,
        gates=gates,
        score_repeats=asking.score_repeats,
        escalation=escalation,
        begun=now(),
        command=command_line(),
    )
    if is_grid:
        from assay.cli.experiment import run_experiment

        return run_experiment(
            gridding,
            base,
            scoring,
            asking,
            partial(read, limit=limit),
            {"limit": limit, **_map_of(settings), **asking.settings(None)},
            checked(job, settings, message if is_talking else None),
            resume=resume,
            wait=inf if wait else 0.0,
        )
    blocks = _blocks(data, scoring, settings, format, limit, columns, engine)
    blocks = blocks and replace(blocks, rows=block_rows, resume=resume)
    record = None
    is_kept = _keeps(
        settings, scoring.run_name, resume, is_asking=is_asking, is_by_blocks=blocks is not None
    )
    if is_kept:
        record = RecordRequest(
            store=settings.store,
            name=scoring.run_name,
            resume=resume,
            wait=inf if wait else 0.0,
            decided_by={
                "limit": limit,
                **_map_of(settings),
                **asking.settings(target),
                **({"escalate": job.backends.identity("judge")} if escalation else {}),
            },
        )
    result = execute(
        replace(
            base,
            items=blocks.data.items() if blocks else read(limit=limit, on_columns=columns),
            out=tuple(path for path in scoring.out if not blocks or path != blocks.out),
            blocks=blocks,
            record=record,
            target=asking.request(target) if target else None,
            observer=TerminalObserver(
                total,
                quiet=scoring.is_silent,
                announce=checked(job, settings, message if is_talking else None),
            ),
        )
    )
    show(result, scoring)
    if is_talking:
        conclude_escalation(result.escalated, escalation)
    is_quiet = scoring.is_silent or scoring.as_json
    code = conclude_gates(gates, result.summary, data, ci=gating.ci, quiet=is_quiet)
    return conclude_asking(result, code, data) if is_asking else code


def _blocks(
    data: str,
    scoring: ScoreArguments,
    settings: Settings,
    format: str | None,
    limit: int | None,
    on_columns: OnColumns,
    engine: str,
) -> BlockRequest | None:
    """What is scored block by block, where a folder is asked for."""
    folders = [path for path in scoring.out if path.endswith("/")]
    if not folders:
        if engine != "local":
            raise UsageError(f"--engine {engine} writes a folder; add --out FOLDER/")
        return None
    if len(folders) > 1:
        raise UsageError("a run by blocks is kept in one folder; leave out the others")
    from assay.runner.block_run import BlockData, BlockRequest

    source = BlockData(data, settings, format=format, limit=limit, on_columns=on_columns)
    return BlockRequest(data=source, out=folders[0], engine=engine)


def _announce(escalation: EscalationRequest | None, *about: Any, **known: Any) -> None:
    """Say what is known before anything is scored."""
    announce(*about, **known)
    announce_escalation(escalation, *about, **known)


def _tell_columns(
    data: str, reading: ColumnReading, *, needs_answers: bool, is_talking: bool
) -> None:
    """Say what is read as what; refuse data without answers where nobody chose metrics for it."""
    if needs_answers and not reading.has_answers:
        raise no_answers(data, reading)
    if is_talking and not reading.is_plain:
        click.echo(visible(f"{str(reading)[:1].upper()}{str(reading)[1:]}."), err=True)


def _map_of(settings: Settings) -> dict[str, Any]:
    """The map as part of what decides a run; nothing where there is none, as in older runs."""
    return {"map": dict(settings.map)} if settings.map else {}


def _check_outputs(data: str, outputs: Iterable[str]) -> None:
    """Refuse to write over what is read, under whatever name."""
    for path in outputs:
        with suppress(OSError):  # one of them is no file, or not there yet
            if Path(data).samefile(path):
                raise UsageError(f"--out {path!r} is the data itself, which would be lost")


def _check_questions(data: str, *, is_asking: bool) -> None:
    """Reject questions without answers where no target is named."""
    if data.startswith("suite:") and not is_asking:
        raise UsageError(f"{data!r} holds questions without answers; add --target SYSTEM")


def _keeps(
    settings: Settings, name: str | None, resume: bool, *, is_asking: bool, is_by_blocks: bool
) -> bool:
    """Whether the run is kept in a store; one that asks a system always is, unless forbidden."""
    is_kept = settings.store != "none" and bool(is_asking or name or settings.store)
    if resume and not name and (is_kept or not is_by_blocks):
        raise UsageError("--resume needs the run's name; add --run NAME")
    if settings.store == "none" and is_asking:
        click.echo("No store: answers are not kept, and cannot be scored again.", err=True)
    return is_kept
