"""Puts the matrix of a grid together: figures, paired statistics against one cell, and costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from assay.core import Metric, UsageError
from assay.core.grid_matrix import CellFigures, GridMatrix
from assay.runner.answer_usage import answer_usage
from assay.runner.compare import COUNTS_ONCE, CompareOptions, compare_runs, corrected
from assay.runner.grid import Grid, GridCell
from assay.runner.score_table import OVERALL, PASS_RATE
from assay.runner.sides import StoredSide
from assay.stats.corrections import Correction
from assay.store.run_list import find_run

if TYPE_CHECKING:
    from assay.runner.execute import RunResult
    from assay.store import Store

CORRECTION: Correction = "holm"


def grid_matrix(
    store: Store,
    grid: Grid,
    results: Mapping[str, RunResult],
    known: Mapping[str, Metric] | None = None,
    seed: int = 0,
) -> GridMatrix:
    """The matrix of an experiment whose cells have these results."""
    cells = [_figures(store, cell, results[cell.name]) for cell in grid.cells]
    base = next(cell for cell in cells if cell.cell == grid.baseline)
    options = CompareOptions(correction="none", samples=0, seed=seed, known=known)
    compared = [cell if cell is base else _compared(store, base, cell, options) for cell in cells]
    return GridMatrix(grid.name, grid.baseline, tuple(_corrected(compared)), CORRECTION)


def _figures(store: Store, cell: GridCell, result: RunResult) -> CellFigures:
    assert result.run is not None
    usage = answer_usage(store, find_run(store, result.run).id, cell.variant.model)
    return CellFigures(
        cell.name,
        result.run,
        cell.parts,
        cell.definition(),
        result.is_whole,
        result.summary,
        usage,
    )


def _compared(
    store: Store, base: CellFigures, cell: CellFigures, options: CompareOptions
) -> CellFigures:
    """The cell with its changes against the baseline, not yet corrected."""
    sides = [StoredSide(store, find_run(store, one.run)) for one in (base, cell)]
    try:
        comparison = compare_runs(sides[0], sides[1], options)
    except UsageError as error:  # no sample or no metric in common: there is nothing to test
        return replace(cell, notes=(f"Not compared with {base.cell}: {error}.",))
    wanted = {*cell.summary.gating, OVERALL, PASS_RATE}
    changes = tuple(change for change in comparison.metrics if change.metric in wanted)
    # The matrix says once for all cells what a comparison says of each run.
    notes = tuple(note for note in comparison.notes if not note.endswith(COUNTS_ONCE))
    return replace(cell, changes=changes, notes=notes)


def _corrected(cells: Sequence[CellFigures]) -> list[CellFigures]:
    """The cells with p-values that are corrected over all of them together."""
    changes = iter(corrected([c for cell in cells for c in cell.changes], CORRECTION))
    return [replace(cell, changes=tuple(islice(changes, len(cell.changes)))) for cell in cells]
