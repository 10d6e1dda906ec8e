"""Models that were fitted without some of the labelled records.

Weights of linear models are fitted on labelled sets, and a metric that has seen a record says
little with its score of it. `python -m training --folds DIR` parts the groups of all sets into
folds and writes, for each fold, the models fitted without it, to `DIR/0`, `DIR/1`, …; every record
is then scored by models that have not seen its group.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from assay.core import DataError


def fold_of(group: str, count: int) -> int:
    """The fold of a group: the same on any machine."""
    return int(hashlib.sha256(group.encode()).hexdigest(), 16) % count


@dataclass(frozen=True)
class Folds:
    """A folder of models, one folder in it for each fold."""

    folder: Path
    count: int

    def number(self, group: str) -> int:
        """The fold of a group."""
        return fold_of(group, self.count)

    def models(self, number: int) -> Path:
        """Where the models lie that were fitted without a fold."""
        return self.folder / str(number)


def read_folds(folder: Path) -> Folds:
    """The folds of a folder; raises `DataError` where it has none."""
    count = 0
    while (folder / str(count) / "sha256.json").is_file():
        count += 1
    if count < 2:
        raise DataError(
            f"{str(folder)!r} has models of {count} folds; expected two or more, "
            "as `python -m training --folds DIR` writes them"
        )
    return Folds(folder, count)
