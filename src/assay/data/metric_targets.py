"""The critical metrics with their targets, and how categories and the radar are put together."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from math import isfinite
from typing import Any

from assay.core.errors import ProfileError
from assay.data.bundled_files import read_bundled_toml

FILE = "targets.toml"
GUIDE = "chat."
"""How the metrics of the PyAI-Slayer guide begin, which no default run scores."""


@dataclass(frozen=True, slots=True)
class Ramp:
    """The values at which a score is 0 and 1."""

    zero: float
    full: float


@dataclass(frozen=True, slots=True)
class Board:
    """What the dashboard shows first."""

    targets: Mapping[str, float]
    """Critical metric → its target, on its own scale."""
    categories: Mapping[str, tuple[str, ...]]
    """Category → the metrics and figures that it is the mean of."""
    ramps: Mapping[str, Ramp]
    radar: tuple[str, ...]

    def shown(self, metrics: Iterable[str], scored: Collection[str]) -> list[str]:
        """Those of the metrics that were scored; where none was, those of a default run."""
        listed = list(metrics)
        return [id for id in listed if id in scored] or [
            id for id in listed if not id.startswith(GUIDE)
        ]


@cache
def board() -> Board:
    """The bundled one."""
    table = read_bundled_toml(FILE)
    return Board(
        targets={entry["metric"]: float(entry["target"]) for entry in table["target"]},
        categories={entry["name"]: tuple(entry["parts"]) for entry in table["category"]},
        ramps={metric: Ramp(**entry) for metric, entry in table["ramps"].items()},
        radar=tuple(table["radar"]["parts"]),
    )


def check_targets(given: Any) -> dict[str, float]:
    """Targets of a team's own, metric → number; a mistake is refused with its reason."""
    if not isinstance(given, Mapping):
        raise ProfileError(f"targets are {given!r}; expected metric = number")
    for metric, target in given.items():
        is_number = isinstance(target, int | float) and not isinstance(target, bool)
        if not is_number or not isfinite(target):
            raise ProfileError(f"the target of {metric!r} is {target!r}; expected a number")
    return {str(metric): float(target) for metric, target in given.items()}
