"""How much work the hot paths do, in numbers that no other program on the machine can change.

Time is no guard: it depends on the machine and on what else runs there. Calls of functions and
the peak of allocated memory do not. `work.toml` beside this file states both for each path, a
sample; `python -m tests.work --update` writes it anew after a change that is meant to cost more,
or that costs much less. Calls differ between versions of Python, so one of them counts: `VERSION`.
"""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import tomllib
import tracemalloc
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

VERSION = (3, 11)
"""The version of Python whose calls are counted."""
TABLE = Path(__file__).with_name("work.toml")
SAMPLES = Path(__file__).with_name("work.jsonl")
"""Records of the exam with contexts and expected answers, in English and Arabic."""
SOURCES = str(Path(__file__).parents[1] / "src")
"""Where our own code lies."""
WARM_UP = 12
"""Samples that are scored before anything is counted, so that tables are built and files read."""

Work = dict[str, dict[str, int]]
"""Path → calls and bytes a sample."""


def counted(task: Callable[[], object]) -> int:
    """How many functions a task calls, those in C included."""
    calls = 0

    def count(_: FrameType, event: str, __: Any) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        task()
    finally:
        sys.setprofile(None)
    return calls


def steps(task: Callable[[], object]) -> int:
    """How many lines of our own code a task runs; a loop counts each time around."""
    lines = 0

    def step(_: FrameType, event: str, __: Any) -> Any:
        nonlocal lines
        lines += event == "line"
        return step

    def enter(frame: FrameType, _: str, __: Any) -> Any:
        return step if frame.f_code.co_filename.startswith(SOURCES) else None

    earlier = sys.gettrace()
    sys.settrace(enter)
    try:
        task()
    finally:
        sys.settrace(earlier)
    return lines


def peak(task: Callable[[], object]) -> int:
    """The most bytes that a task holds at once."""
    gc.collect()
    tracemalloc.start()
    try:
        task()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def paths(samples: Sequence[Any], folder: Path) -> dict[str, Callable[[], object]]:
    """The hot paths, each as a task that handles the samples."""
    from assay.backends import Backends
    from assay.engine import score_batch
    from assay.runner import Job
    from assay.runner.execute import RunRequest, execute
    from assay.runner.job import default_selection
    from assay.settings import Settings

    backends = Backends(embedder="", token_embedder="", cache=False)
    auto = default_selection(Job(backends=backends), list(samples)).plan()
    rules = Job(("@rules",), backends=backends).plan()
    request = RunRequest(
        items=samples,
        job=Job(("text",), backends=backends),
        settings=Settings.load(environ={}),
        out=(str(folder / "scores.jsonl"),),
    )
    return {
        "auto": lambda: score_batch(auto, samples),
        "rules": lambda: score_batch(rules, samples),
        "run": lambda: execute(request),
    }


def measured() -> Work:
    """The work of each path, measured here and now."""
    from assay.samples.fields import to_sample

    lines = SAMPLES.read_text(encoding="utf-8").splitlines()
    samples = [to_sample(json.loads(line), str(place)) for place, line in enumerate(lines)]
    warm, fresh = samples[:WARM_UP], samples[WARM_UP:]
    half = len(fresh) // 2
    work: Work = {}
    with TemporaryDirectory() as folder:
        for task in paths(warm, Path(folder)).values():
            task()
        calls, memory = (paths(own, Path(folder)) for own in (fresh[:half], fresh[half : 2 * half]))
        for name in calls:
            work[name] = {
                "calls": counted(calls[name]) // half,
                "bytes": peak(memory[name]) // half,
            }
    return work


def measured_apart() -> Work:
    """The same in a process of its own, where no other test has filled a cache."""
    environment = {**os.environ, "PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "tests.work"]
    root = Path(__file__).parents[1]
    done = subprocess.run(
        command, capture_output=True, check=True, cwd=root, env=environment, text=True
    )
    work: Work = json.loads(done.stdout)
    return work


def stated() -> Work:
    """What the table says."""
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


def table(work: Work) -> str:
    """The work as the table holds it."""
    head = "# Calls of functions and peak bytes a sample; written by: python -m tests.work --update"
    parts = [
        f"[{name}]\ncalls = {own['calls']}\nbytes = {own['bytes']}" for name, own in work.items()
    ]
    return "\n\n".join([head, *parts]) + "\n"


if __name__ == "__main__":
    if sys.argv[1:] == ["--update"]:
        TABLE.write_text(table(measured_apart()), encoding="utf-8")
    else:
        sys.stdout.write(json.dumps(measured()))
