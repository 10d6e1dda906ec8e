"""Compare with other tools: `python -m benchmarks.peers [--only TOOL]…`."""

from __future__ import annotations

import argparse
import json
import os
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.generate import records
from benchmarks.machine import machine
from benchmarks.peers.environments import ROOT, tools
from benchmarks.peers.figures import measure
from benchmarks.peers.page import page

PAGE = ROOT / "docs" / "reference" / "peers.md"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    parser.add_argument("--records", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--only", action="append", choices=[tool.name for tool in tools()], help="prints the page"
    )
    options = parser.parse_args()
    os.nice(10)
    chosen = [tool for tool in tools() if not options.only or tool.name in options.only]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "records.jsonl"
        lines = (json.dumps(record) for record in records(options.records))
        path.write_text("\n".join(lines), encoding="utf-8")
        every = measure(chosen, path, options.rounds)
    about = {name: value for name, value in machine().items() if name != "Packages"}
    day = f"{datetime.now(UTC):%Y-%m-%d}"
    text = page(every, options.records, options.rounds, about, day)
    if options.only:
        print(text)
    else:
        PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
