"""Runs a command and prints what it used. Small: a child's peak counts its parent's memory too."""

from __future__ import annotations

import json
import resource
import subprocess
import sys


def main() -> int:
    """`launch.py keep|drop COMMAND …`; what the command prints is kept, as JSON, or dropped."""
    mode, *command = sys.argv[1:]
    target = subprocess.PIPE if mode == "keep" else subprocess.DEVNULL
    done = subprocess.run(command, stdout=target, check=False)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    unit = 1024 if sys.platform.startswith("linux") else 1024**2
    found = {
        "cpu_seconds": used.ru_utime + used.ru_stime,
        "peak_mib": used.ru_maxrss / unit,
        "output": json.loads(done.stdout) if done.stdout else None,
    }
    print(json.dumps(found))
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
