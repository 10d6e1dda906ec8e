"""How things are measured: CPU time, rounds in turn, medians, child processes; and rows to show."""

from __future__ import annotations

import gc
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple


@dataclass(frozen=True)
class Sizes:
    """How much is measured."""

    scale: tuple[int, ...]
    """Records of the engine's runs."""
    stream: tuple[int, int]
    """Records of the two runs whose peak memory is compared."""
    overhead: int
    """Records for the overhead of a call."""
    texts: int
    """Texts for the patterns."""
    family: int
    """Records for the text family against the rules one by one."""
    hostile: int
    """Characters of a hostile text."""
    rounds: int
    starts: int
    """Starts of each child process for the start-up times."""
    stored: tuple[int, int]
    """Scores of the two stores whose answers are compared."""


FULL = Sizes(
    (1_000, 10_000, 100_000),
    (20_000, 200_000),
    20_000,
    300,
    1_000,
    1_000_000,
    5,
    7,
    (100_000, 10_000_000),
)
QUICK = Sizes((1_000, 5_000), (2_000, 10_000), 2_000, 50, 200, 100_000, 3, 3, (10_000, 300_000))
TINY = Sizes((50,), (50, 100), 50, 5, 20, 2_000, 1, 1, (1_000, 3_000))
"""Enough to see that everything runs; the numbers mean nothing."""


class Row(NamedTuple):
    """One measured thing; without a goal it is shown for information."""

    what: str
    measured: str
    goal: str = ""
    holds: bool | None = None


class Section(NamedTuple):
    """Rows that belong together, with how they were measured."""

    title: str
    note: str
    rows: Sequence[Row]


def at_most(what: str, value: float, limit: float, unit: str, detail: str = "") -> Row:
    """A row whose value should not pass a limit."""
    return Row(what, f"{value:.3g} {unit}{detail}", f"at most {limit:g} {unit}", value <= limit)


def at_least(what: str, value: float, goal: float, unit: str, detail: str = "") -> Row:
    """A row whose value should reach a goal."""
    return Row(what, f"{value:.3g} {unit}{detail}", f"at least {goal:g} {unit}", value >= goal)


def all_of(what: str, count: int, total: int, unit: str) -> Row:
    """A row that should hold without exception."""
    return Row(what, f"{count:,} of {total:,} {unit}", f"all {unit}", count == total)


def medians(tasks: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """CPU seconds of each task: all are run once to warm up, then in turn; medians."""
    for task in tasks.values():
        task()
    taken: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(rounds):
        for name, task in tasks.items():
            gc.collect()
            began = time.process_time()
            task()
            taken[name].append(time.process_time() - began)
    return {name: statistics.median(seconds) for name, seconds in taken.items()}


class Child(NamedTuple):
    """What a child process used, and the JSON that it printed."""

    cpu_seconds: float
    peak_mib: float
    output: object


def child(*command: str, has_output: bool = False) -> Child:
    """Run a command by way of a small launcher, so that this process's memory does not count."""
    launcher = str(Path(__file__).with_name("launch.py"))
    mode = "keep" if has_output else "drop"
    done = subprocess.run(
        [sys.executable, launcher, mode, *command], capture_output=True, check=False, text=True
    )
    if done.returncode:
        raise RuntimeError(f"{command} failed: {done.stderr[-2000:]}")
    return Child(**json.loads(done.stdout))
