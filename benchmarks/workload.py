"""One streamed run in a process of its own: `python -m benchmarks.workload POOL KIND COUNT`.

Reads a pool of records and scores COUNT samples made from it in turn, either with one trivial
metric (`bare`) or with the text family (`text`). Prints the CPU seconds of the run alone.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path

from assay.core import Result, Sample, metric
from assay.engine import Plan
from assay.runner import Job
from assay.runner.stream import run_stream
from benchmarks.generate import sample


@metric(id="bench.length", inputs=("response",), range=(0.0, None), polarity="neutral")
def length(response: str) -> Result:
    """The number of characters."""
    return Result(float(len(response)), "Counted.")


def plan_of(kind: str) -> Plan:
    """The plan of the bare engine or of the text family."""
    return Job().plan([length]) if kind == "bare" else Job(("text",)).plan()


def _pool(path: Path) -> list[Sample]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [sample(json.loads(line)) for line in lines]


def _renamed(pool: list[Sample], count: int) -> Iterator[Sample]:
    for place, found in enumerate(islice(cycle(pool), count)):
        yield replace(found, id=str(place))


def main() -> None:
    path, kind, count = sys.argv[1:]
    plan = plan_of(kind)
    samples = _renamed(_pool(Path(path)), int(count))
    began = time.process_time()
    run_stream(samples, Job(), plan=plan)
    print(json.dumps(time.process_time() - began))


if __name__ == "__main__":
    main()
