"""`assay run --grid`: the cells of a grid as runs of one experiment, and their matrix."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import click

from assay.cli.console import console
from assay.cli.gate_options import is_incomplete
from assay.cli.grid_options import GridArguments
from assay.cli.progress import Progress, progress
from assay.cli.scoring import ScoreArguments
from assay.cli.target_options import INTERRUPTED, AskArguments, interruptible
from assay.core import UsageError
from assay.core.jsontext import dumps
from assay.report.safe_text import visible
from assay.runner.answer_collector import AnswerCollector, AnswerCounts
from assay.runner.execute import RunRequest, RunResult
from assay.runner.grid import Grid, GridCell, read_grid
from assay.runner.grid_run import CellCallers, CellObserver, GridRequest, run_grid
from assay.runner.grid_watch import EVERY, grid_changes
from assay.store import open_store

if TYPE_CHECKING:
    from assay.core.grid_matrix import GridMatrix
    from assay.engine import Plan, Tally
    from assay.runner.stream import Item


def run_experiment(
    gridding: GridArguments,
    base: RunRequest,
    scoring: ScoreArguments,
    asking: AskArguments,
    items: Callable[[], Iterator[Item]],
    decided_by: Mapping[str, Any],
    announce: Callable[[Plan], None],
    *,
    resume: bool,
    wait: float,
) -> int:
    """Run the cells of a grid and print their matrix; gives the exit code."""
    assert gridding.grid is not None
    _check(base, scoring)
    read = partial(_read, Path(gridding.grid), asking.target, scoring.run_name)
    grid = read()
    request = GridRequest(
        grid=grid,
        run=base,
        items=items,
        options=asking.call_options(),
        open_target=lambda cell: asking.open_variant(cell.target, cell.variant),
        store=base.settings.store,
        resume=resume,
        wait=wait,
        decided_by=decided_by,
    )
    experiment = _Experiment(request, scoring, announce)
    code = experiment.round(grid, list(grid.cells))
    if not gridding.watch or code == INTERRUPTED:
        return code
    click.echo(f"Watching {len(grid.prompt_files)} prompts; Ctrl-C ends.", err=True)
    try:
        for changed_grid, cells in grid_changes(
            read, experiment.asked, lambda: time.sleep(EVERY), _report_problem
        ):
            code = experiment.round(changed_grid, cells)
            if code == INTERRUPTED:
                break
    except KeyboardInterrupt:
        click.echo("Stopped watching.", err=True)
    return code


def _report_problem(problem: str) -> None:
    click.echo(f"Not read: {visible(problem)}", err=True)


def _read(path: Path, target: str | None, name: str | None) -> Grid:
    grid = read_grid(path, target)
    return replace(grid, name=name) if name else grid


def _check(base: RunRequest, scoring: ScoreArguments) -> None:
    """Refuse what a grid cannot have."""
    if base.source == "-":
        raise UsageError("a grid reads its questions once for each cell; give a file instead of -")
    if scoring.out:
        raise UsageError(
            'a grid keeps its cells as runs; leave out --out, and write them with "assay show RUN '
            '--out FILE"'
        )
    if base.escalation:
        raise UsageError("a grid cannot escalate; leave out --escalate")
    if base.settings.store == "none":
        raise UsageError("a grid keeps its cells in a store; leave out --store none")


class _Experiment:
    """Rounds of asking cells; what earlier rounds gave stays in the matrix."""

    def __init__(
        self, request: GridRequest, scoring: ScoreArguments, announce: Callable[[Plan], None]
    ) -> None:
        self.asked: dict[str, str] = {}
        """Cell → the fingerprint of what was asked."""
        self._request, self._scoring, self._announce = request, scoring, announce
        self._results: dict[str, RunResult] = {}

    def round(self, grid: Grid, cells: list[GridCell]) -> int:
        """Ask some cells, and show the matrix of all; gives the exit code."""
        is_first = not self.asked
        total = self._request.run.total
        callers = CellCallers()
        with progress(total and total * len(cells), quiet=self._scoring.is_silent) as shown:
            observed = _Observed(shown, self._announce if is_first else None)
            request = replace(
                self._request,
                grid=grid,
                resume=self._request.resume or not is_first,
                observer=lambda callers: _GridObserver(callers, observed),
            )
            with interruptible(callers):
                self._results |= run_grid(request, cells, callers)
        self.asked |= {cell.name: cell.fingerprint for cell in cells}
        self._show(grid)
        results = {cell.name: self._results[cell.name] for cell in grid.cells}
        return _conclude(self._request, results)

    def _show(self, grid: Grid) -> None:
        if self._scoring.as_json:
            click.echo(dumps(self._matrix(grid).to_json(), indent=2))
        elif not self._scoring.is_silent:
            from assay.report.grid_table import print_matrix

            print_matrix(self._matrix(grid), console())
            click.echo(
                f"Stored: {len(grid.cells)} runs with the tag experiment:{grid.name} in "
                f"{self._results[grid.baseline].store}",
                err=True,
            )

    def _matrix(self, grid: Grid) -> GridMatrix:
        from assay.runner.grid_figures import grid_matrix

        run = self._request.run
        store = open_store(self._request.store)
        try:
            return grid_matrix(store, grid, self._results, run.job.known(), run.settings.seed)
        finally:
            store.close()


class _Observed:
    """How all cells together go on."""

    def __init__(self, shown: Progress, announce: Callable[[Plan], None] | None) -> None:
        self._shown, self._announce = shown, announce
        self._lock = Lock()
        self._counts: dict[int, AnswerCounts] = {}
        self._tallies: dict[int, Tally] = {}

    def planned(self, plan: Plan) -> None:
        """Say once what is known before anything is asked."""
        with self._lock:
            announce, self._announce = self._announce, None
            if announce:
                announce(plan)

    def waits(self, cell: int, counts: AnswerCounts) -> None:
        """Show how many calls all cells have made."""
        with self._lock:
            self._counts[cell] = counts
            every = self._counts.values()
            self._shown.asking(
                AnswerCounts(
                    sum(one.begun for one in every),
                    sum(one.answered for one in every),
                    sum(one.failed for one in every),
                    sum(one.kept for one in every),
                )
            )

    def scored(self, cell: int, tally: Tally) -> None:
        """Show how many samples of all cells are scored."""
        with self._lock:
            self._tallies[cell] = tally
            self._shown.reached(sum(one.samples + one.unread for one in self._tallies.values()))


class _GridObserver(CellObserver):
    """Shows the progress of one cell as a part of all."""

    def __init__(self, callers: CellCallers, observed: _Observed) -> None:
        super().__init__(callers)
        self._observed = observed

    def planned(self, plan: Plan) -> None:
        """Say what is known before anything is asked."""
        self._observed.planned(plan)

    @contextmanager
    def asking(self, asker: AnswerCollector) -> Iterator[None]:
        """Show progress of the calls."""
        asker.on_wait = partial(self._observed.waits, id(self))
        with super().asking(asker):
            yield

    def scored(self, tally: Tally) -> None:
        """Show how far the cell is."""
        self._observed.scored(id(self), tally)


def _conclude(request: GridRequest, results: Mapping[str, RunResult]) -> int:
    """The exit code, with a line for what a reader must know of a cell."""
    from assay.report.gate_lines import line, noteworthy

    gates = request.run.gates
    assert gates is not None
    for cell, result in results.items():
        for verdict in noteworthy(result.summary.gates):
            click.echo(f"{cell}: {line(verdict)}", err=True)
        for problem in result.summary.problems:
            click.echo(f"{cell}: not used: {problem}", err=True)
        if result.ended_early:
            click.echo(f"{cell}: stopped early: {visible(result.ended_early)}.", err=True)
    summaries = [result.summary for result in results.values()]
    if any(result.was_stopped for result in results.values()):
        click.echo("Answers so far are stored; --resume asks what is missing.", err=True)
        return INTERRUPTED
    if not all(verdict.passes for summary in summaries for verdict in summary.gates):
        return 1
    return 3 if any(is_incomplete(gates, summary) for summary in summaries) else 0
