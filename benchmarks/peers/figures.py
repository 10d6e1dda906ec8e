"""Measures a tool: start, memory, and records a CPU second through its own runner."""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.peers.environments import Installation, Tool, install, run

LAUNCH = Path(__file__).parents[1] / "launch.py"


@dataclass
class Figures:
    """What was measured of a tool; a figure that is not there was not measured."""

    tool: Tool
    version: str
    installed: Installation
    import_seconds: float | None = None
    import_mib: float | None = None
    command_seconds: float | None = None
    rates: dict[str, float] = field(default_factory=dict)
    """Metric → records a CPU second."""
    peaks: dict[str, float] = field(default_factory=dict)
    """Metric → peak memory of the process in MiB."""
    errors: dict[str, str] = field(default_factory=dict)
    """What was tried and failed → why."""


def measure(tools: Sequence[Tool], path: Path, rounds: int) -> list[Figures]:
    """All tools on the records of a file: every round measures each tool once, in turn."""
    every = []
    for tool in tools:
        print(f"installing: {tool.title}", file=sys.stderr, flush=True)
        installed = install(tool)
        version = "" if installed.error and not tool.folder.exists() else tool.version()
        every.append(Figures(tool, version, installed))
    usable = [figures for figures in every if not figures.installed.error]
    taken: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for number in range(rounds):
        for figures in usable:
            print(f"round {number + 1}: {figures.tool.title}", file=sys.stderr, flush=True)
            _one_round(figures, path, taken)
    for figures in usable:
        _summarize(figures, taken)
    return every


def _one_round(
    figures: Figures, path: Path, taken: dict[tuple[str, str], list[tuple[float, float]]]
) -> None:
    tool = figures.tool
    starts = {"import": [tool.python, "-c", f"import {tool.module}"]}
    if tool.command:
        starts["command"] = [tool.program, "--help"]
    for what, command in starts.items():
        done = run([sys.executable, str(LAUNCH), "drop", *command])
        if done.returncode:
            figures.errors[what] = done.stderr.strip().splitlines()[-1][:200]
            continue
        used = json.loads(done.stdout)
        taken.setdefault((tool.name, what), []).append((used["cpu_seconds"], used["peak_mib"]))
    for metric in tool.metrics:
        done = run([tool.python, str(tool.runner), metric, str(path)], cwd=path.parent)
        if done.returncode or not done.stdout.strip():
            lines = done.stderr.strip().splitlines() or ["no reason given"]
            figures.errors[metric] = lines[-1][:200]
            continue
        used = json.loads(done.stdout.strip().splitlines()[-1])
        rate = used["records"] / used["cpu_seconds"]
        taken.setdefault((tool.name, metric), []).append((rate, used["peak_mib"]))


def _summarize(figures: Figures, taken: dict[tuple[str, str], list[tuple[float, float]]]) -> None:
    """The medians of all rounds."""
    medians = {
        what: tuple(statistics.median(column) for column in zip(*values, strict=True))
        for (name, what), values in taken.items()
        if name == figures.tool.name
    }
    if "import" in medians:
        figures.import_seconds, figures.import_mib = medians["import"]
    if "command" in medians:
        figures.command_seconds = medians["command"][0]
    for metric in figures.tool.metrics:
        if metric in medians:
            figures.rates[metric], figures.peaks[metric] = medians[metric]
