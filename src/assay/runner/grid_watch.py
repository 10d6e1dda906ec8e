"""Says which cells of a grid have changed, while people edit its prompts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from assay.core import UsageError
from assay.runner.grid import Grid, GridCell

EVERY = 0.5
"""Seconds between two looks at the files."""


def grid_changes(
    read: Callable[[], Grid],
    asked: Mapping[str, str],
    pause: Callable[[], object],
    problem: Callable[[str], None],
) -> Iterator[tuple[Grid, list[GridCell]]]:
    """The grid and those of its cells that are not as they were asked, whenever there are any.

    `asked` has the fingerprint of each cell that was asked, and is looked at anew each time.
    `pause` is called before every look. Only what two looks find alike counts, so a file that is
    being written does not; why the files cannot be read is a `problem`, told once.
    """
    last: dict[str, str] = {}
    reported = ""
    while True:
        pause()
        try:
            grid = read()
        except UsageError as error:
            if str(error) != reported:
                problem(reported := str(error))
            continue
        now = {cell.name: cell.fingerprint for cell in grid.cells}
        changed = [cell for cell in grid.cells if asked.get(cell.name) != now[cell.name]]
        if changed and now == last:
            yield grid, changed
        last, reported = now, ""
