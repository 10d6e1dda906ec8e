"""`python -m training --data DIR --evidence DIR [NAME ...]`."""

from __future__ import annotations

import argparse
import importlib
import pkgutil
from pathlib import Path

import training


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
    options = parser.parse_args()
    for name in options.names or trainers:
        if name not in trainers:
            parser.error(f"unknown model {name!r}; expected one of {', '.join(trainers)}")
        print(f"== {name}")
        trainers[name].train(options.data, options.evidence)


if __name__ == "__main__":
    main()
