"""The options of `assay run --grid`."""

from __future__ import annotations

from dataclasses import dataclass

import click

from assay.cli.bundles import bundle
from assay.core import UsageError

_OPTIONS = (
    click.option(
        "--grid",
        default=None,
        metavar="FILE.toml",
        help="Run every combination of the prompts, targets, models and parameters in this file, "
        "each a run of one experiment, and compare them.",
    ),
    click.option(
        "--watch",
        is_flag=True,
        help="With --grid: when a prompt's file changes, run the cells that use it again, until "
        "Ctrl-C.",
    ),
)


@dataclass(frozen=True)
class GridArguments:
    """The options of a grid on the command line."""

    grid: str | None
    watch: bool

    def is_chosen(self) -> bool:
        """Whether there is a grid to run."""
        if self.watch and self.grid is None:
            raise UsageError("--watch looks at the prompts of a grid; name it with --grid")
        return self.grid is not None


grid_options = bundle("gridding", GridArguments, _OPTIONS)
