"""A run under a limit of the system: `limited_run.py LIMIT VALUE run …`, as if `assay run …`.

Limits that the system has are set by `setrlimit`. Memory is what the program may take beyond what
it has at its start. A system that has no process, thread or temporary folder left is played
at the calls by which Python asks for them, because no limit of processes binds an administrator.
"""

import errno
import os
import resource
import sys
import tempfile
import threading
from multiprocessing import util
from pathlib import Path

NO_FOLDER = "/nonexistent/temporary"

if os.environ.get("SQLITE_TMPDIR") == NO_FOLDER:  # in workers too, which read this file again
    tempfile._candidate_tempdir_list = lambda: [NO_FOLDER]


def refused_after(real, left, error):
    """The same call, which fails once it was made that many times."""
    lock = threading.Lock()

    def call(*given, **named):
        nonlocal left
        with lock:
            left -= 1
            if left < 0:
                raise error
        return real(*given, **named)

    return call


def set_limit(name, value):
    """Have no more of it than that."""
    if name.startswith("RLIMIT_"):
        resource.setrlimit(getattr(resource, name), (value, value))
    elif name == "memory":
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + value
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    elif name == "processes":
        error = BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
        util.spawnv_passfds = refused_after(util.spawnv_passfds, value, error)
    elif name == "threads":
        error = RuntimeError("can't start new thread")
        real = threading._start_new_thread
        threading._start_new_thread = refused_after(real, value, error)


if __name__ == "__main__":
    from assay.cli import main

    limit, amount = sys.argv[1], int(sys.argv[2])
    del sys.argv[1:3]
    set_limit(limit, amount)
    main()
