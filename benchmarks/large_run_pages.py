"""How long the pages of one large stored run take, and how much memory the server holds.

    python -m benchmarks.large_run_pages STORE RUN

asks the app in this process what the run page, the list of the worst samples, filters, a search and
the histogram brush ask; prints for each question the CPU and wall seconds of the second time, and
the peak memory of the process.
"""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Callable
from time import perf_counter, process_time
from typing import Any

from assay.server.routes.runs import get_run, get_run_groups, get_run_metrics, get_run_values
from assay.store import Store, open_store
from assay.store.run_list import find_run
from assay.store.test_filter import TestFilter
from assay.store.tests import failure_groups, failure_patterns, find_test, list_tests, parse_test_id

LIMIT = 50
"""Samples of a page."""


def questions(store: Store, name: str) -> dict[str, Callable[[], Any]]:
    """What the pages ask for, by a name."""
    run = find_run(store, name)
    metric = next(iter(run.plan["metrics"]))
    listed = {
        "worst samples": TestFilter(run=run.id),
        "failed samples": TestFilter(run=run.id, status="failed"),
        "worst of a metric": TestFilter(run=run.id, metric=metric),
        "histogram brush": TestFilter(run=run.id, metric=metric, quality=(0.25, 0.5)),
        "fails because of a metric": TestFilter(run=run.id, fails=metric),
        "search": TestFilter(run=run.id, text="invoice"),
    }
    worst = list_tests(store, listed["worst samples"], LIMIT)[0][0]["test_id"]
    return {
        "run page": lambda: (
            get_run(store, name),
            get_run_metrics(store, name),
            get_run_groups(store, name),
        ),
        **{what: _page(store, chosen) for what, chosen in listed.items()},
        "one sample": lambda: find_test(store, parse_test_id(worst)),
        "kinds of failure": lambda: failure_patterns(store, TestFilter(run=run.id)),
        "groups of failures": lambda: failure_groups(store, TestFilter(run=run.id), 100),
        "threshold view": lambda: get_run_values(store, name, metric, 5000),
    }


def _page(store: Store, chosen: TestFilter) -> Callable[[], Any]:
    return lambda: list_tests(store, chosen, LIMIT)


def main() -> int:
    """Ask everything twice, and print the second time."""
    store = open_store(sys.argv[1])
    for what, ask in questions(store, sys.argv[2]).items():
        ask()
        cpu, wall = process_time(), perf_counter()
        ask()
        taken = {"cpu": round(process_time() - cpu, 2), "wall": round(perf_counter() - wall, 2)}
        print(json.dumps({"question": what, **taken}), flush=True)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"peak_mib": round(peak), "tests": find_run(store, sys.argv[2]).tests}))
    store.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
