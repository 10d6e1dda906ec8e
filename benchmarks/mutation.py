"""Changes the code in one place at a time and names the changes that no test sees.

    make mutate [MODULES="assay.engine.gates assay.stats.psi"] [SAMPLE=60]

mutmut makes the changes and picks the tests that reach each one; `[tool.mutmut]` in pyproject.toml
names the modules and their tests. Of a module with more changes than SAMPLE a seeded sample is
tried. Every change that survives is printed: a test is missing, or the change means the same as
the code did.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

FOLDER = Path("mutants")
"""Where mutmut keeps the changed source."""
SMALLEST = "assay.data.gating.*"
"""Changes that are tried so that mutmut writes the list of all of them."""
UNSEEN = (0, 5, 33, None)
"""Statuses of changes that no test saw: the tests passed, or there was none to run."""
SEED = 13


def main(arguments: Sequence[str] | None = None) -> int:
    """Try the sample of each module and print what survived."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "modules", nargs="*", help="modules such as assay.engine.gates; all unless named"
    )
    parser.add_argument("--sample", type=int, default=60, help="changes tried of each module")
    options = parser.parse_args(arguments)
    shutil.rmtree(FOLDER, ignore_errors=True)
    _mutmut("run", "--max-children", "1", SMALLEST)
    changes = {
        module: sample(names, options.sample)
        for module, names in _changes().items()
        if not options.modules or module in options.modules
    }
    _mutmut("run", "--max-children", "1", *(name for names in changes.values() for name in names))
    outcomes = {name: status for statuses in _statuses() for name, status in statuses.items()}
    survivors = 0
    for module, names in changes.items():
        left = [name for name in names if outcomes[name] in UNSEEN]
        survivors += len(left)
        print(
            f"{module}: {len(names) - len(left)} of {len(names)} changes seen by a test", flush=True
        )
        for name in left:
            _mutmut("show", name)
    return 1 if survivors else 0


def sample(names: Iterable[str], size: int) -> list[str]:
    """At most that many of the names, the same ones each time, in their order."""
    ordered = sorted(names)
    if len(ordered) <= size:
        return ordered
    return sorted(random.Random(SEED).sample(ordered, size))


def _changes() -> dict[str, list[str]]:
    """Module → the names of its changes."""
    result: dict[str, list[str]] = {}
    for statuses in _statuses():
        for name in statuses:
            result.setdefault(name.rpartition(".")[0], []).append(name)
    return dict(sorted(result.items()))


def _statuses() -> list[dict[str, int | None]]:
    """Of each source file, the name of each change → the exit status of its tests."""
    files = sorted(FOLDER.rglob("*.py.meta"))
    return [json.loads(file.read_text("utf-8"))["exit_code_by_key"] for file in files]


def _mutmut(*arguments: str) -> None:
    subprocess.run([str(Path(sys.executable).parent / "mutmut"), *arguments], check=True)


if __name__ == "__main__":
    sys.exit(main())
