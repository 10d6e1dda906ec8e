"""`assay simulate`: conversations between a simulated user and a system."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.core import UsageError
from assay.core.atomic_file import write_file
from assay.core.jsontext import dumps
from assay.core.wording import counted
from assay.targets.choose import KEY as TARGET_KEY
from assay.targets.choose import open_target
from assay.wire.retries import RetryPolicy

if TYPE_CHECKING:
    from assay.runner.scenarios import Scenario
    from assay.runner.simulation import SimulatedUser

KEY = "ASSAY_USER_KEY"
"""The environment variable whose value is the key of the endpoint that plays the user."""
UNFINISHED = 3


@click.command("simulate")
@click.argument("scenarios", type=click.Path(path_type=Path))
@click.option(
    "--target", required=True, metavar="TARGET", help='The system to talk to, as in "assay run".'
)
@click.option(
    "--user",
    default="script",
    show_default=True,
    metavar="USER",
    help="Who plays the user: script (each scenario's own lines), or a target such as "
    "openai:URL#MODEL (key in $ASSAY_USER_KEY).",
)
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The transcripts, as .jsonl that `assay run` reads.",
)
@click.option("--seed", default=0, show_default=True, help="Sent to a chat endpoint as its seed.")
@click.option(
    "--repeat",
    default=1,
    show_default=True,
    type=click.IntRange(1, 1000),
    help="Conversations per scenario, each with the next seed.",
)
@click.option(
    "--max-turns",
    default=12,
    show_default=True,
    type=click.IntRange(1, 1000),
    help="Maximum turns of the user.",
)
@click.option(
    "--concurrency",
    default=8,
    show_default=True,
    type=click.IntRange(1, 1000),
    help="Maximum concurrent calls.",
)
@click.option("--resume", is_flag=True, help="Continue where an earlier attempt stopped.")
def command(
    scenarios: Path,
    target: str,
    user: str,
    out: Path,
    seed: int,
    repeat: int,
    max_turns: int,
    concurrency: int,
    resume: bool,
) -> None:
    """Let a simulated user talk to a system, and keep every transcript.

    SCENARIOS is a .jsonl or .json file of records with goal, persona, stop, max_turns and, for a
    scripted user, script. Every turn is stored in FILE.journal before the next one begins.
    """
    from assay.runner.scenarios import fingerprint, read_scenarios
    from assay.runner.simulation import Simulation
    from assay.runner.transcript_journal import TranscriptJournal

    if out.suffix != ".jsonl":
        raise UsageError(f"the transcripts go to {str(out)!r}; expected a name that ends in .jsonl")
    if out.exists() and not resume:
        raise UsageError(f"{str(out)!r} is there already; remove it, or continue with --resume")
    people = read_scenarios(scenarios)
    system = open_target(target, environ=os.environ)
    who = _user(user, people, concurrency)
    head: Mapping[str, object] = {
        "scenarios": fingerprint(people),
        "target": system.name,
        "user": who.name,
        "seed": seed,
        "repeat": repeat,
        "max_turns": max_turns,
    }
    journal = TranscriptJournal(out.with_name(f"{out.name}.journal"), head, resume=resume)
    simulation = Simulation(
        people,
        system,
        who,
        journal,
        RetryPolicy(concurrency=concurrency),
        seed=seed,
        repeat=repeat,
        max_turns=max_turns,
        on_end=lambda key, reason: click.echo(f"{key[0]}: {reason}", err=True),
    )
    try:
        transcripts = asyncio.run(simulation.run())
    finally:
        journal.close()
    write_file(out, "".join(f"{dumps(record)}\n" for record in transcripts))
    verb = "is" if len(transcripts) == 1 else "are"
    click.echo(f"{counted(len(transcripts), 'transcript')} {verb} in {out}.")
    for problem in simulation.problems:
        click.echo(f"Not finished: {problem}", err=True)
    if simulation.problems:
        click.echo("Continue with --resume.", err=True)
        raise SystemExit(UNFINISHED)


def _user(text: str, people: Sequence[Scenario], concurrency: int) -> SimulatedUser:
    """Whoever plays the user; its key comes from a variable of its own."""
    from assay.runner.simulation import ModelUser, ScriptedUser, check_scripts

    if text == ScriptedUser.name:
        check_scripts(people)
        return ScriptedUser()
    model = open_target(text, environ={**os.environ, TARGET_KEY: os.environ.get(KEY, "")})
    seeded = getattr(model, "with_seed", None)
    return ModelUser(seeded or (lambda seed: model), RetryPolicy(concurrency=concurrency))
