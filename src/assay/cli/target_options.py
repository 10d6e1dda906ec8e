"""The target on the command line: options, the calls, and how they are stopped."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from shlex import quote
from typing import TYPE_CHECKING, Any, Protocol

import click

from assay.cli.bundles import bundle
from assay.core import UsageError
from assay.targets.choose import TargetVariant, open_target
from assay.targets.protocol import Target
from assay.wire.limits import CallLimits

if TYPE_CHECKING:
    from assay.runner.answer_collector import TargetCallOptions
    from assay.runner.execute import RunResult, TargetRequest

INTERRUPTED = 130
_OPTIONS = (
    click.option(
        "--target",
        default=None,
        metavar="TARGET",
        help="Call this target first, and score its answers: openai:URL#MODEL (key in "
        "$ASSAY_TARGET_KEY), python:MODULE:FUNCTION, command:PROGRAM …, or a .toml file.",
    ),
    click.option(
        "--repeat",
        default=None,
        type=click.IntRange(1, 1000),
        help="Send every question N times, for stability and repeats. Default: 1.",
    ),
    click.option(
        "--score-repeats",
        is_flag=True,
        help="Score each of several answers to a question as a sample, for pass@k, pass^k and "
        "consistency: those of --repeat, a record's responses, records with the same question.",
    ),
    click.option(
        "--concurrency",
        default=None,
        type=click.IntRange(1, 1000),
        help="Maximum concurrent calls; starts with fewer. Default: 8.",
    ),
    click.option(
        "--rate",
        default=None,
        type=click.FloatRange(0, min_open=True),
        metavar="N",
        help="Maximum calls per second. Default: learned from the target.",
    ),
    click.option(
        "--attempts",
        default=None,
        type=click.IntRange(1, 100),
        help="Attempts for a call with a transient failure. Default: 4.",
    ),
    click.option(
        "--timeout",
        default=None,
        type=click.FloatRange(0, min_open=True),
        metavar="SECONDS",
        help="Timeout for one answer. Default: 180.",
    ),
    click.option(
        "--max-calls",
        default=None,
        type=click.IntRange(1),
        help="Maximum calls to the target in total. Default: no limit.",
    ),
    click.option(
        "--max-time",
        default=None,
        type=click.FloatRange(0, min_open=True),
        metavar="SECONDS",
        help="Maximum time for all calls. Default: no limit.",
    ),
)


@dataclass(frozen=True)
class AskArguments:
    """The options of the target on the command line."""

    target: str | None
    repeat: int | None
    score_repeats: bool
    concurrency: int | None
    rate: float | None
    attempts: int | None
    timeout: float | None
    max_calls: int | None
    max_time: float | None

    def open(self) -> Target | None:
        """The system to ask; None where none is named."""
        if self.target is None:
            own = [part.name for part in fields(self) if part.name != "score_repeats"]
            given = [name for name in own if getattr(self, name) is not None]
            if given:
                option = given[0].replace("_", "-")
                raise UsageError(
                    f"--{option} sets how a target is called; name the target with --target"
                )
            return None
        return self.open_variant(self.target)

    def open_variant(self, target: str, variant: TargetVariant | None = None) -> Target:
        """A system to ask, perhaps with another model or parameters."""
        limits = CallLimits() if self.timeout is None else CallLimits.within(self.timeout)
        return open_target(target, limits=limits, environ=os.environ, variant=variant)

    def settings(self, target: Target | None) -> dict[str, Any]:
        """What a resumed run must have in common with its beginning."""
        scored = {"score_repeats": True} if self.score_repeats else {}
        if target is None:
            return scored
        return {"target": target.name, "repeat": self.repeat or 1, **scored}

    def request(self, target: Target) -> TargetRequest:
        """The system and how it is asked."""
        from assay.runner.execute import TargetRequest

        return TargetRequest(target=target, options=self.call_options())

    def call_options(self) -> TargetCallOptions:
        """How systems are asked."""
        from assay.runner.answer_collector import TargetCallOptions

        names = {part.name for part in fields(TargetCallOptions)}
        chosen: Mapping[str, Any] = {name: getattr(self, name) for name in names}
        return TargetCallOptions(
            **{name: value for name, value in chosen.items() if value is not None}
        )


ask_options = bundle("asking", AskArguments, _OPTIONS)


def conclude_asking(result: RunResult, code: int, source: str) -> int:
    """Report why calling the target ended early, if it did; returns the exit code."""
    if result.ended_early:
        click.echo(f"Stopped calling the target early: {result.ended_early}.", err=True)
    if not result.is_whole and result.run:
        click.echo(
            f"Answers so far are stored; continue with: assay run {quote(source)} --target … "
            f"--run {quote(result.run)} --resume",
            err=True,
        )
    return INTERRUPTED if result.was_stopped else code


class Stoppable(Protocol):
    """What calls a system, or several."""

    def stop(self, reason: str) -> None:
        """Call nothing more."""


@contextmanager
def interruptible(asker: Stoppable) -> Iterator[None]:
    """The first Ctrl-C, or request to end, stops the calls; the second ends the program."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    def stop(number: int, frame: object) -> None:
        restore()
        os.write(2, b"Stopping the calls; answers so far are scored. Repeat to stop at once.\n")
        asker.stop("it was interrupted")

    for number in before:
        signal.signal(number, stop)
    try:
        yield
    finally:
        restore()
