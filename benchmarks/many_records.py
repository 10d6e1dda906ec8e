"""Scores many generated records by blocks, and says what that took.

    python -m benchmarks.many_records 10000000 FOLDER [--store FILE] [--engine ray] [--words 40]

writes `FOLDER/records/` where it is not there yet, runs the one command that scores them into
`FOLDER/scores/`, and prints CPU seconds, records and peak memory of all its processes as JSON. With
`--words` the responses have about so many, and a third metric reads them.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import Any

from benchmarks.generate import Record, records, small_records

METRICS = "text.safety,text.conciseness"
"""A light set: two rules over the response."""
HEAVIER_METRICS = f"{METRICS},text.coherence"
KINDS, LONGER_KINDS = 500, 2000
"""Different records of the generators: of a sentence or two, and of many words."""
PR_SET_CHILD_SUBREAPER = 36
"""Of Linux, `sys/prctl.h`."""
GROUP = 20_000
"""Rows of a row group: one block of the run."""
FILE = 10 * GROUP
"""Rows of a file."""
SECONDS = 0.5
"""Between two looks at the memory."""


def write_records(
    count: int, folder: Path, seed: int = 7, group: int = GROUP, words: int | None = None
) -> None:
    """Write records as Parquet: a query and a response of a sentence or two, or of many words."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder.mkdir(parents=True)
    kinds = pa.Table.from_pylist(_kinds(seed, words))
    for first in range(0, count, FILE):
        places = range(first, min(first + FILE, count))
        rows = kinds.take(pa.array([place % len(kinds) for place in places]))
        ids = pa.array([f"r{place:09}" for place in places])
        path = folder / f"part-{first // FILE:05}.parquet"
        pq.write_table(rows.add_column(0, "id", ids), path, row_group_size=group)


def _kinds(seed: int, words: int | None) -> list[Record]:
    """The records that are repeated."""
    if words is None:
        made, fields = small_records(KINDS, seed), ["query", "response"]
    else:
        made, fields = records(LONGER_KINDS, seed, words), ["query", "response", "expected"]
    return [{name: record[name] for name in fields} for record in made]


class PeakMemory:
    """The most memory that a process and its children held together (PSS), seen now and then."""

    def __init__(self, process: int) -> None:
        self.bytes = 0
        self.largest = 0
        """The most that one of them held (VmHWM, which Linux keeps)."""
        self._process = process
        self._ended = Event()
        self._thread = Thread(target=self._watch, daemon=True)

    def __enter__(self) -> PeakMemory:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._ended.wait(SECONDS):
            processes = list(family(self._process))
            self.bytes = max(self.bytes, sum(_memory(p, "smaps_rollup", "Pss:") for p in processes))
            self.largest = max(self.largest, *(_memory(p, "status", "VmHWM:") for p in processes))


def family(process: int) -> Iterator[int]:
    """A process and all that it started, and those started, as Linux lists them."""
    yield process
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            children = task.read_text()
        except OSError:  # it ended meanwhile
            continue
        for child in children.split():
            yield from family(int(child))


def _memory(process: int, file: str, name: str) -> int:
    try:
        lines = Path(f"/proc/{process}/{file}").read_text().splitlines()
    except OSError:  # it ended meanwhile
        return 0
    sizes = (line.split()[1] for line in lines if line.startswith(name))
    return 1024 * sum(map(int, sizes))


def adopt_orphans() -> None:
    """Be the parent of processes whose own one ends, as Ray's do: their CPU time counts as well."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _wait_for_all() -> None:
    while True:
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:  # there is none left
            return


def score(folder: Path, *options: str, workers: int = 2, metrics: str = METRICS) -> dict[str, Any]:
    """Score the records of a folder by one command; what that took."""
    adopt_orphans()
    command = [
        *(sys.executable, "-m", "assay", "run", f"{folder}/records/"),
        *("--metrics", metrics, "--out", f"{folder}/scores/", "--detail", "values"),
        *("--workers", str(workers), "--quiet", *options),
    ]
    began = monotonic()
    process = subprocess.Popen(command)
    with PeakMemory(process.pid) as memory:
        status = process.wait()
    _wait_for_all()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "status": status,
        "cpu_seconds": round(used.ru_utime + used.ru_stime, 1),
        "wall_seconds": round(monotonic() - began, 1),
        "peak_mib": round(memory.bytes / 2**20),
        "largest_process_mib": round(memory.largest / 2**20),
        "bytes": sum(path.stat().st_size for path in (folder / "scores").rglob("*.*")),
    }


def main() -> int:
    """Generate, score, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--store", default="none")
    parser.add_argument("--engine", default="local")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--words", type=int)
    given = parser.parse_args()
    if not (given.folder / "records").exists():
        write_records(given.count, given.folder / "records", words=given.words)
    options = ["--store", given.store, "--engine", given.engine]
    if given.store != "none":
        options += ["--run", f"records-{given.count}", "--resume"]
    metrics = METRICS if given.words is None else HEAVIER_METRICS
    taken = score(given.folder, *options, workers=given.workers, metrics=metrics)
    print(json.dumps({"records": given.count, "engine": given.engine, **taken}))
    return int(taken["status"])


if __name__ == "__main__":
    sys.exit(main())
