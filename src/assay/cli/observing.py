"""What a run shows on the terminal while it goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from assay.cli.progress import Progress, Silence, progress
from assay.cli.target_options import interruptible
from assay.engine import Plan, Tally
from assay.runner.answer_collector import AnswerCollector
from assay.runner.execute import Observer


class TerminalObserver(Observer):
    """Shows progress, and lets Ctrl-C stop the calls before the run."""

    def __init__(
        self,
        total: int | None,
        *,
        quiet: bool,
        announce: Callable[[Plan], None] | None = None,
    ) -> None:
        self._total, self._quiet, self._announce = total, quiet, announce
        self._progress: Progress = Silence()
        self._is_waiting = False

    def planned(self, plan: Plan) -> None:
        """Say what is known before anything is scored."""
        if self._announce:
            self._announce(plan)

    def waiting(self, reason: str) -> None:
        """Say once why nothing happens."""
        if not self._is_waiting and not self._quiet:
            click.echo(f"Waiting: {reason.partition(';')[0]}.", err=True)
        self._is_waiting = True

    @contextmanager
    def scoring(self) -> Iterator[None]:
        """Show a bar, or lines."""
        with progress(self._total, quiet=self._quiet) as self._progress:
            yield

    @contextmanager
    def asking(self, asker: AnswerCollector) -> Iterator[None]:
        """Show progress of the calls; meanwhile Ctrl-C stops only them."""
        asker.on_wait = self._progress.asking
        with interruptible(asker):
            yield

    def scored(self, tally: Tally) -> None:
        """Show how far the run is."""
        self._progress(tally)
