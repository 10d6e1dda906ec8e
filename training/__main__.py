"""`python -m training --data DIR --evidence DIR [NAME ...]`."""

from __future__ import annotations

import argparse
import importlib
import pkgutil
from pathlib import Path

import training
from training.fit import written_to
from training.records import inner_folds, write_without

INNER = 2
"""Folds of what a model is fitted on while whole folds are left out: enough, and in less time."""


def main() -> None:
    """Fit the named models, or all."""
    trainers = {
        info.name: module
        for info in pkgutil.iter_modules(training.__path__)
        if not info.name.startswith("_")
        for module in [importlib.import_module(f"training.{info.name}")]
        if hasattr(module, "train")
    }
    parser = argparse.ArgumentParser(prog="python -m training", description=training.__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of training records")
    parser.add_argument("--evidence", type=Path, required=True, help="folder of labelled sets")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(trainers)}")
    parser.add_argument(
        "--folds",
        type=Path,
        metavar="DIR",
        help="fit the models once for each fold of the labelled sets, without its groups, and "
        "write them to DIR/0, DIR/1, … instead; `assay evidence --folds DIR` measures with them",
    )
    parser.add_argument("--count", type=int, default=3, help="of folds; default: 3")
    options = parser.parse_args()
    names = options.names or [*trainers]
    for name in names:
        if name not in trainers:
            parser.error(f"unknown model {name!r}; expected one of {', '.join(trainers)}")
    if not options.folds:
        for name in names:
            print(f"== {name}")
            trainers[name].train(options.data, options.evidence)
    inner_folds.set(INNER if options.folds else inner_folds.get())
    for number in range(options.count) if options.folds else ():
        kept = options.folds / f"sets-{number}"
        write_without(options.evidence, number, options.count, kept)
        for name in names:
            print(f"== {name}, without fold {number}", flush=True)
            with written_to(options.folds / str(number)):
                trainers[name].train(options.data, kept)


if __name__ == "__main__":
    main()
