"""Tries things many times by a seed and prints a table; `make chaos` and `make fuzz` use it."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

Work = TypeVar("Work")
Trials = Mapping[str, tuple[str, Work, int, int]]
"""Name → rows of the page of reliability, what is done, and how often: in the short form (0: not at
all), and in the long one."""


def run_trials(
    description: str | None,
    trials: Trials[Work],
    call: Callable[[Work, int, int, Path], int],
    expected: type[Exception],
) -> None:
    """Try all: `call` is given the work, seed, count and an empty folder, and returns its count.

    Ends the program with 1 where anything raised; an error that is not of the `expected` type is
    shown with its traceback.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--short", action="store_true", help="less than a minute, as in CI")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="a part of a name")
    parser.add_argument("--count", type=int, default=0, help="another count than the form's")
    given = parser.parse_args()
    _print(f"seed {given.seed}\n{'rows':12} {'tried':32} {'count':>9}  {'s':>5}  result")
    is_broken = False
    for name, (rows, work, few, many) in trials.items():
        if given.only not in name or (given.short and not few):
            continue
        began = time.monotonic()
        tries = given.count or (few if given.short else many)
        count, problem = 0, ""
        with tempfile.TemporaryDirectory(prefix="assay-trial-") as folder:
            try:
                count = call(work, given.seed, tries, Path(folder))
            except Exception as error:
                is_broken, problem = True, f"{type(error).__name__}: {error}"
                if not isinstance(error, expected):
                    traceback.print_exc()
        result = problem or ("holds" if count else "not tried: the machine cannot do it")
        seconds = time.monotonic() - began
        _print(f"{rows:12} {name:32} {count:9}  {seconds:5.1f}  {result}")
    sys.exit(is_broken)


def _print(text: str) -> None:
    """Show a line at once: what was tried so far counts, should the rest be interrupted."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()
