"""Writing a run: `python -m benchmarks.store_write STORE [--families text,chat] [--to URL]`.

Reads the one run of a store and writes it into a new one, in batches as runs do. Prints scores per
CPU second (the best of five) and bytes per sample. The same command measures an earlier version.
"""

from __future__ import annotations

import argparse
import gc
import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from assay.core import Sample, Scores
from assay.store import open_store
from assay.store.run_list import Run, list_runs, read_run
from assay.store.run_writer import RunPlan, start_run

BATCH = 256
"""Samples of a batch, as runs have them."""
ROUNDS = 5


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.store_write", description=__doc__)
    parser.add_argument("store", help="a store with one run")
    parser.add_argument("--families", default="", help="metrics of these families alone")
    parser.add_argument("--to", default="", help="URL of an empty store; default: SQLite")
    options = parser.parse_args()
    source = open_store(options.store)
    (run,) = list_runs(source)
    families = set(filter(None, options.families.split(",")))
    kept = {id for id in run.plan["metrics"] if not families or id.split(".")[0] in families}
    scored = [
        (sample, replace(scores, results={id: r for id, r in scores.results.items() if id in kept}))
        for sample, scores in read_run(source, run)
    ]
    count = sum(len(scores.results) for _, scores in scored)
    with TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{number}.db" for number in range(ROUNDS)]
        seconds = min(_write(options.to or str(path), run, kept, scored) for path in paths)
        size = 0 if options.to else paths[0].stat().st_size / len(scored)
    print(f"{len(scored):,} samples, {count:,} scores: {count / seconds:,.0f} scores/CPU s", end="")
    print(f", {size:,.0f} bytes a sample" if size else "")


def _write(url: str, run: Run, kept: set[str], scored: list[tuple[Sample, Scores]]) -> float:
    """CPU seconds of writing the samples into a new run."""
    metrics = {id: (entry[0], entry[1]) for id, entry in run.plan["metrics"].items() if id in kept}
    store = open_store(url)
    writer = start_run(store, None, RunPlan(metrics, run.plan["settings"]))
    gc.collect()
    began = time.process_time()
    for start in range(0, len(scored), BATCH):
        samples, scores = zip(*scored[start : start + BATCH], strict=True)
        writer.record(samples, scores)
    seconds = time.process_time() - began
    store.close()
    return seconds


if __name__ == "__main__":
    main()
