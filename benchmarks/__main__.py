"""Run all benchmarks and write `benchmarks/results.md`: `python -m benchmarks [--quick]`."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable
from datetime import date
from pathlib import Path

from benchmarks.chat import chat
from benchmarks.dashboard import dashboard
from benchmarks.default_profile import default_profile
from benchmarks.embedding import embedding
from benchmarks.encoder import encoder
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
from benchmarks.written import written

SECTIONS: dict[str, Callable[[Sizes], Section]] = {
    "scaling": scaling,
    "overhead": overhead,
    "matching": matching,
    "family": family,
    "chat": chat,
    "written": written,
    "auto": default_profile,
    "overlap": overlap,
    "embedding": embedding,
    "encoder": encoder,
    "json": json_compare,
    "governance": governance,
    "hostile": hostile,
    "storage": storage,
    "startup": startup,
    "dashboard": dashboard,
}
RESULTS = Path(__file__).with_name("results.md")
_VERDICTS = {True: "holds", False: "does not hold", None: ""}


def run(sizes: Sizes, chosen: Iterable[str] = SECTIONS, earlier: str = "") -> str:
    """Measure the chosen sections and give the report, in Markdown.

    Sections that are not chosen are taken from an `earlier` report.
    """
    sections = _sections(earlier)
    for name in chosen:
        print(f"measuring: {name}", file=sys.stderr, flush=True)
        title, note, rows = SECTIONS[name](sizes)
        table = _table(("What", "Measured", "Goal", "Verdict"), map(_cells, rows))
        sections[title] = f"## {title}\n\n{note}\n\n{_measured()}\n\n{table}"
    return report(sections.values())


def _measured() -> str:
    """When and where a section was measured: a report may hold sections of other days."""
    return f"Measured on {date.today().isoformat()}, {machine()['Processor']}."


def report(sections: Iterable[str]) -> str:
    """The sections, with the machine above and the count of goals below."""
    head = (
        "# Benchmark results\n\n"
        "Made by `make bench`, or section by section by `python -m benchmarks --only NAME`; each "
        "says when it was measured. Speeds are CPU time in one process, both sides in turn, "
        "medians; compare the ratios, for the rates depend on the machine. The machine below is "
        "that of the last section measured.\n"
    )
    listed = list(sections)
    held = sum(text.count(f"| {_VERDICTS[True]} |") for text in listed)
    failed = sum(text.count(f"| {_VERDICTS[False]} |") for text in listed)
    count = f"{held} of {held + failed} goals hold.\n"
    return "\n".join([head, _table(("Machine", ""), machine().items()), *listed, count])


def _sections(report: str) -> dict[str, str]:
    """The sections of a report by title, as they stand there."""
    parts = re.split(r"^(?=## )", report, flags=re.MULTILINE)[1:]
    texts = [part.rstrip().removesuffix(_count(part)).rstrip() + "\n" for part in parts]
    return {text.partition("\n")[0].removeprefix("## "): text for text in texts}


def _count(section: str) -> str:
    """The line below the last section that counts the goals."""
    found = re.search(r"^\d+ of \d+ goals hold\.$", section.rstrip(), flags=re.MULTILINE)
    return found[0] if found else ""


def _cells(row: Row) -> tuple[str, ...]:
    return row.what, row.measured, row.goal, _VERDICTS[row.holds]


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes; writes no file")
    parser.add_argument(
        "--only", choices=SECTIONS, action="append", help="measure this section, keep the others"
    )
    options = parser.parse_args()
    is_part = options.only and not options.quick and RESULTS.exists()
    earlier = RESULTS.read_text(encoding="utf-8") if is_part else ""
    found = run(QUICK if options.quick else FULL, options.only or SECTIONS, earlier)
    if not options.quick:
        RESULTS.write_text(found, encoding="utf-8")
    print(found)


if __name__ == "__main__":
    main()
