"""A server under mixed traffic for a while: `python -m tests.soak [--minutes 30]`, `make soak`.

Samples what the server's process holds: memory, files, threads, temporary files. Ends with 1 where
memory grows by more than 5 MB an hour after the warm-up, or files or threads do not come back.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx2

ROOT = Path(__file__).parents[1]
MB_PER_HOUR = 5.0
WARM = 0.3
"""The share of the time that counts as warming up: caches fill, modules are imported."""
SPARE_FILES, SPARE_THREADS = 5, 2


class Held(NamedTuple):
    """What a process holds at a moment."""

    seconds: float
    megabytes: float
    files: int
    threads: int


@contextmanager
def served(folder: Path) -> Iterator[tuple[str, int]]:
    """A server of its own; gives its address and process."""
    words = [sys.executable, "-m", "assay", "serve", "--port", "0", "--store", "s.db"]
    server = subprocess.Popen(
        words,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}", "TMPDIR": str(folder / "tmp")},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert server.stderr
    try:
        found = re.search(r"http://\S+?/", server.stderr.readline())
        assert found, "the server did not start"
        yield found[0].rstrip("/"), server.pid
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait()


def held(pid: int, began: float) -> Held:
    """What the process holds now."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    kilobytes, threads = (
        int(re.search(rf"{name}:\s+(\d+)", status)[1]) for name in ("VmRSS", "Threads")
    )
    files = sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir())
    return Held(time.monotonic() - began, kilobytes / 1024, files, threads)


def turn(client: httpx2.Client, number: int) -> None:
    """What people and programs do: score, upload, evaluate, look, remove."""
    sample = {
        "query": f"Question {number}?",
        "response": f"Answer {number}, call 555-01{number:04}.",
    }
    client.post("/v1/score", json={"sample": sample, "metrics": ["text.safety"]}).raise_for_status()
    body = {"samples": [sample] * 20, "metrics": ["text.safety"], "run": f"run {number}"}
    job = client.post("/v1/jobs", json=body).raise_for_status().json()
    while client.get(f"/v1/jobs/{job['id']}").json()["status"] in ("queued", "running"):
        time.sleep(0.05)
    for path in (
        "/",
        "/v1/runs",
        "/v1/overview",
        f"/v1/runs/run {number}",
        "/v1/audit",
        "/metrics",
    ):
        client.get(path)
    client.post("/v1/score", content=b"{not json", headers={"content-type": "application/json"})
    client.get("/v1/runs", headers={"authorization": "Bearer wrong"})
    if number > 5:
        client.delete(f"/v1/runs/run {number - 5}").raise_for_status()
        uploads = client.get("/v1/uploads").json()
        for upload in uploads[5:]:
            client.delete(f"/v1/uploads/{upload['id']}")


def growth(samples: list[Held]) -> float:
    """Megabytes an hour after the warm-up."""
    warm = [one for one in samples if one.seconds >= WARM * samples[-1].seconds]
    return median_slope([(one.seconds, one.megabytes) for one in warm]) * 3600


def median_slope(points: Sequence[tuple[float, float]]) -> float:
    """How much the second figure grows with the first, by Theil and Sen; 0 for a single point."""
    slopes = [
        (later[1] - one[1]) / (later[0] - one[0])
        for place, one in enumerate(points)
        for later in points[place + 1 :]
    ]
    return statistics.median(slopes) if slopes else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30.0)
    minutes = parser.parse_args().minutes
    samples: list[Held] = []
    with tempfile.TemporaryDirectory(prefix="assay-soak-") as name:
        folder = Path(name)
        (folder / "tmp").mkdir()
        with served(folder) as (base, pid), httpx2.Client(base_url=base, timeout=60) as client:
            client.headers["x-assay-client"] = "soak"
            began, number = time.monotonic(), 0
            while time.monotonic() - began < minutes * 60:
                number += 1
                turn(client, number)
                samples.append(held(pid, began))
            left = len(list((folder / "tmp").iterdir()))
    warm = [one for one in samples if one.seconds >= WARM * samples[-1].seconds]
    rate = growth(samples)
    more_files, more_threads = (
        samples[-1][place] - min(one[place] for one in warm) for place in (2, 3)
    )
    sys.stdout.write(
        f"{number} turns in {samples[-1].seconds:.0f} s: {samples[0].megabytes:.0f} MB at first, "
        f"{warm[0].megabytes:.0f} MB warm, {samples[-1].megabytes:.0f} MB at the end, "
        f"{rate:+.1f} MB an hour; files {more_files:+}, threads {more_threads:+}, "
        f"temporary files {left}\n"
    )
    is_leak = rate > MB_PER_HOUR or more_files > SPARE_FILES or more_threads > SPARE_THREADS
    sys.exit(bool(is_leak or left))


if __name__ == "__main__":
    main()
