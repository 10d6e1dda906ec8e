"""What every runner does: read the records, warm up, evaluate, print what it used as JSON.

Runs in the environment of the tool that is measured, so it needs the standard library alone.
"""

from __future__ import annotations

import contextlib
import io
import json
import logging
import os
import resource
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

Record = dict[str, Any]
WARM = 5
"""Records of the evaluation before the measured one, which pays for what is made once."""


def measure(evaluations: dict[str, Callable[[list[Record]], object]]) -> None:
    """`RUNNER METRIC FILE`: evaluate the records of the file with a metric of the tool."""
    metric, path = sys.argv[1:]
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    with contextlib.redirect_stdout(io.StringIO()):
        evaluations[metric](records[:WARM])
        began = time.process_time()
        evaluations[metric](records)
        seconds = time.process_time() - began
    unit = 1024 if sys.platform.startswith("linux") else 1024**2
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
    print(json.dumps({"records": len(records), "cpu_seconds": seconds, "peak_mib": peak}))
    sys.stdout.flush()
    os._exit(0)  # some tools leave threads that would wait for a network
