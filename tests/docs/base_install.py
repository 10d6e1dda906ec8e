"""Runs commands as on a base installation: `python -m tests.docs.base_install < commands.json`.

What does not belong to Assay's own dependencies cannot be imported. The answer is a list of exit
code and output in the order of the commands.
"""

import json
import re
import sys
import tomllib
from contextlib import redirect_stderr, redirect_stdout
from importlib.abc import MetaPathFinder
from importlib.machinery import PathFinder
from importlib.metadata import packages_distributions, requires
from io import StringIO
from pathlib import Path

PROJECT = Path(__file__).parents[2] / "pyproject.toml"
_NAME = re.compile(r"[\w.-]+")


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def base() -> set[str]:
    """The distributions that a base installation has."""
    wanted = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["dependencies"]
    found = {"assay-eval"}
    while wanted:
        requirement = wanted.pop()
        name = _normal(_NAME.match(requirement)[0])
        if name not in found and "extra ==" not in requirement:
            found.add(name)
            wanted += [r for r in requires(name) or () if "extra ==" not in r]
    return found


class _BaseFinder(MetaPathFinder):
    """Finds no module of another distribution."""

    def __init__(self, others: set[str]) -> None:
        self.others = others

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in self.others:
            return None
        return PathFinder.find_spec(name, path, target)

    def find_distributions(self, *given):
        return PathFinder.find_distributions(*given)


def _run(words: list[str]) -> tuple[int, str]:
    from assay.cli import main

    output = StringIO()
    sys.argv = words
    with redirect_stdout(output), redirect_stderr(output):
        try:
            main()
        except SystemExit as stop:
            return int(stop.code or 0), output.getvalue()
    return 0, output.getvalue()


if __name__ == "__main__":
    allowed = base()
    others = {
        module
        for module, owners in packages_distributions().items()
        if not allowed & {_normal(owner) for owner in owners}
    }
    sys.meta_path[sys.meta_path.index(PathFinder)] = _BaseFinder(others - {"assay"})
    results = [_run(words) for words in json.load(sys.stdin)]
    json.dump(results, sys.stdout)
