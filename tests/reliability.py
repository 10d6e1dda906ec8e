"""The page of what we promise about reliability: `python -m tests.reliability [--check]`.

It is made of `tests/reliability.toml`, whose rows name the tests that hold each promise.
"""

from __future__ import annotations

import argparse
import ast
import sys
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
ROWS = Path(__file__).with_suffix(".toml")
PAGE = ROOT / "docs/background/reliability.md"
PARTS = {
    "A": "Durability, resuming, the store",
    "B": "Liveness, load, hosts",
    "C": "Integrity of scores on hostile content",
    "D": "Server, dashboard, files",
    "E": "Extensions and workers",
    "F": "Secrets, privacy, supply chain",
}
RESULTS = ("holds", "in part", "not built")
HEAD = """# Reliability

What Assay promises about reliability and security, row by row, and the tests behind each promise.
`make chaos` and `make fuzz` try more, with a seed; their short forms run in CI.

| | rows | hold | in part | not built |
|---|---|---|---|---|
"""
NOTE = """
P0 is needed for any release, P1 before the product is called ready for production, P2 hardens it.
A row that holds "in part" says what is not tested. This page is generated from
`tests/reliability.toml` by `python -m tests.reliability`; a test checks that every test it names
exists. Counts "by `make chaos`" and "by `make fuzz`" are those of the long forms.
"""


def rows() -> list[dict[str, Any]]:
    """All rows, in the order of the file."""
    return tomllib.loads(ROWS.read_text(encoding="utf-8"))["row"]


@cache
def tests_of(path: str) -> frozenset[str]:
    """The names of the tests in a file; none where there is no such file."""
    file = ROOT / path
    if not file.is_file():
        return frozenset()
    tree = ast.parse(file.read_text(encoding="utf-8"))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return frozenset(node.name for node in tree.body if isinstance(node, kinds))


def missing_tests() -> list[str]:
    """The tests that rows name and that do not exist."""
    named = (test.split("::") for row in rows() for test in row.get("tests", ()))
    return [f"{path}::{name}" for path, name in named if name not in tests_of(path)]


def page() -> str:
    """The page in Markdown."""
    entries = rows()
    counts = Counter((row["priority"], row["result"]) for row in entries)
    lines = []
    for priority in ("P0", "P1", "P2"):
        figures = [counts[priority, result] for result in RESULTS]
        lines.append(f"| {priority} | {sum(figures)} | {' | '.join(map(str, figures))} |")
    text = HEAD + "\n".join(lines) + "\n" + NOTE
    for letter, title in PARTS.items():
        text += f"\n## {letter}. {title}\n\n"
        text += "| row | | promise | result | trials | tests |\n|---|---|---|---|---|---|\n"
        text += "".join(_line(row) for row in entries if row["id"].startswith(letter))
    return text


def _line(row: dict[str, Any]) -> str:
    tests = "<br>".join(f"`{_shown(test)}`" for test in row.get("tests", ())) or "–"
    note = f". {row['note']}" if "note" in row else ""
    cells = (
        row["id"],
        row["priority"],
        row["promise"],
        f"**{row['result']}**{note}",
        row.get("trials", "–"),
        tests,
    )
    return f"| {' | '.join(cells)} |\n"


def _shown(test: str) -> str:
    """A test without what all of them share."""
    path, _, name = test.removeprefix("tests/").partition(".py::")
    return f"{path.replace('test_', '', 1)}: {name.removeprefix('test_')}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only say whether the page is stale")
    is_check = parser.parse_args().check
    if missing := missing_tests():
        sys.exit("tests that do not exist: " + ", ".join(missing))
    if not is_check:
        PAGE.write_text(page(), encoding="utf-8", newline="\n")
    elif PAGE.read_text(encoding="utf-8") != page():
        sys.exit(f"{PAGE.name} is out of date; run: python -m tests.reliability")


if __name__ == "__main__":
    main()
