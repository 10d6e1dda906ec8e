"""Run all benchmarks and write `benchmarks/results.md`: `python -m benchmarks [--quick]`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from benchmarks.chat import chat
from benchmarks.embedding import embedding
from benchmarks.engine import overhead, scaling
from benchmarks.family import family
from benchmarks.governance import governance
from benchmarks.hostile import hostile
from benchmarks.json_compare import json_compare
from benchmarks.machine import machine
from benchmarks.matching import matching
from benchmarks.measure import FULL, QUICK, Row, Section, Sizes
from benchmarks.overlap import overlap
from benchmarks.startup import startup
from benchmarks.storage import storage

SECTIONS: dict[str, Callable[[Sizes], Section]] = {
    "scaling": scaling,
    "overhead": overhead,
    "matching": matching,
    "family": family,
    "chat": chat,
    "overlap": overlap,
    "embedding": embedding,
    "json": json_compare,
    "governance": governance,
    "hostile": hostile,
    "storage": storage,
    "startup": startup,
}
RESULTS = Path(__file__).with_name("results.md")
_VERDICTS = {True: "holds", False: "does not hold", None: ""}


def run(sizes: Sizes, chosen: Iterable[str] = SECTIONS) -> str:
    """Measure the chosen sections and give the report, in Markdown."""
    sections = []
    for name in chosen:
        print(f"measuring: {name}", file=sys.stderr, flush=True)
        sections.append(SECTIONS[name](sizes))
    return report(sections)


def report(sections: Iterable[Section]) -> str:
    """The sections as tables, with the machine above and the count of goals below."""
    parts = [
        "# Benchmark results\n\n"
        "Made by `make bench`. Speeds are CPU time in one process, both sides in turn, medians; "
        "compare the ratios, for the rates depend on the machine.\n",
        _table(("Machine", ""), machine().items()),
    ]
    goals: list[bool] = []
    for title, note, rows in sections:
        parts.append(f"## {title}\n\n{note}\n")
        parts.append(_table(("What", "Measured", "Goal", "Verdict"), map(_cells, rows)))
        goals += [row.holds for row in rows if row.holds is not None]
    parts.append(f"{sum(goals)} of {len(goals)} goals hold.\n")
    return "\n".join(parts)


def _cells(row: Row) -> tuple[str, ...]:
    return row.what, row.measured, row.goal, _VERDICTS[row.holds]


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes; writes no file")
    parser.add_argument(
        "--only", choices=SECTIONS, action="append", help="measure this section; writes no file"
    )
    options = parser.parse_args()
    found = run(QUICK if options.quick else FULL, options.only or SECTIONS)
    if not options.quick and not options.only:
        RESULTS.write_text(found, encoding="utf-8")
    print(found)


if __name__ == "__main__":
    main()
