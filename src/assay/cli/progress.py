"""What a long run shows: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

import click

from assay.cli.console import console
from assay.engine import Tally

if TYPE_CHECKING:
    from assay.runner.answer_collector import AnswerCounts

EVERY = 5.0
"""Seconds between two lines where there is no terminal."""


class Progress(Protocol):
    """Called after every batch, and after every answer while a target is called.

    With several runs at a time, `reached` receives the number of records of all of them.
    """

    def __call__(self, tally: Tally) -> None: ...

    def reached(self, records: int) -> None: ...

    def asking(self, counts: AnswerCounts) -> None: ...


class Silence:
    """Shows nothing."""

    def __call__(self, tally: Tally) -> None:
        pass

    def reached(self, records: int) -> None:
        pass

    def asking(self, counts: AnswerCounts) -> None:
        pass


class Lines:
    """Prints a line every few seconds."""

    def __init__(self) -> None:
        self._start = self._last = time.monotonic()

    def __call__(self, tally: Tally) -> None:
        now = time.monotonic()
        if now - self._last >= EVERY:
            self._last = now
            rate = tally.samples / (now - self._start)
            click.echo(f"{tally.samples} samples, {rate:.0f}/s{_unread(tally)}", err=True)

    def reached(self, records: int) -> None:
        pass  # the lines of the calls say it

    def asking(self, counts: AnswerCounts) -> None:
        now = time.monotonic()
        if now - self._last >= EVERY:
            self._last = now
            click.echo(_answer_counts(counts), err=True)


class Bar:
    """Moves a bar on the terminal."""

    def __init__(self, bar: Any, task: Any) -> None:
        self._bar = bar
        self._task = task

    def __call__(self, tally: Tally) -> None:
        done = tally.samples + tally.unread
        rate = self._bar.tasks[0].speed
        self._bar.update(
            self._task,
            completed=done,
            rate=f"{rate:.0f}/s" if rate else "",
            failures=f"{tally.verdicts.failed} failed{_unread(tally)}",
        )

    def reached(self, records: int) -> None:
        rate = self._bar.tasks[0].speed
        self._bar.update(self._task, completed=records, rate=f"{rate:.0f}/s" if rate else "")

    def asking(self, counts: AnswerCounts) -> None:
        self._bar.update(self._task, failures=_answer_counts(counts))


def _unread(tally: Tally) -> str:
    return f", {tally.unread} unreadable" if tally.unread else ""


def _answer_counts(counts: AnswerCounts) -> str:
    earlier = f", {counts.kept} reused" if counts.kept else ""
    return f"{counts.begun} sent, {counts.answered} answered, {counts.failed} failed{earlier}"


@contextmanager
def progress(total: int | None, *, quiet: bool) -> Iterator[Progress]:
    """Something to call after each batch."""
    if quiet:
        yield Silence()
    elif not sys.stderr.isatty():
        yield Lines()
    else:
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

        columns = (
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            TextColumn("{task.fields[failures]}"),
        )
        with Progress(*columns, console=console(is_error=True), transient=True) as bar:
            yield Bar(bar, bar.add_task("scoring", total=total, rate="", failures=""))
