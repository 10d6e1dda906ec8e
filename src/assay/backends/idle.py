"""How many processors a model may use without taking them from others."""

from __future__ import annotations

import os
from multiprocessing import parent_process


def idle_processors() -> int:
    """The processors that nobody used in the last minute, at least 1; 1 in a worker of a run.

    Workers share the machine among themselves, and each would find the same processors idle.
    """
    if parent_process() is not None:
        return 1
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    try:
        load = os.getloadavg()[0]
    except (AttributeError, OSError):  # Windows, and systems that do not tell
        return 1
    return max(1, round((count or 1) - load))
