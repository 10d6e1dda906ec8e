"""What `pip install assay-eval` draws in, without any extra."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
HEAVY = ("dask", "ddsketch", "duckdb", "fsspec", "pyarrow", "pyspark", "ray", "torch")


def name_of(requirement: str) -> str:
    match = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert match
    return match[0].lower().replace("_", "-")


def drawn_in() -> set[str]:
    """The names of all packages that the base needs, and those that these need."""
    waiting = [name_of(entry) for entry in PROJECT["project"]["dependencies"]]
    names: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in names:
            continue
        names.add(name)
        try:
            further = requires(name) or []
        except PackageNotFoundError:  # for other machines than this one
            continue
        waiting += [name_of(entry) for entry in further if "extra ==" not in entry]
    return names


@pytest.mark.parametrize("package", HEAVY)
def test_the_base_draws_in_no_engine(package: str) -> None:
    assert package not in drawn_in()


def test_engines_come_with_their_extras() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    assert {"duckdb", "ddsketch", "fsspec"} <= {name_of(entry) for entry in extras["scale"]}
    assert "ray" in {name_of(entry) for entry in extras["ray"]}
    assert not any("scale" in entry or "ray" in entry for entry in extras["all"])
