"""Health among clients that hold connections open: `python -m benchmarks.idle_connections`.

Half of the clients say nothing, a quarter sends its head and a quarter its body a byte at a time.
Each that is dropped connects again. Printed: how long health took, connections that were
dropped, and by how much the log grew.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from assay.server.config import ConnectionLimits
from assay.server.connections import within_file_limit

HEAD = b"GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: "
BODY = (
    b"POST /v1/score HTTP/1.1\r\nhost: 127.0.0.1:%d\r\n"
    b"content-type: application/json\r\ncontent-length: 100000\r\n\r\n"
)


async def hold(port: int, kind: int, pause: float, end: float) -> int:
    """One client that uses its connection badly; gives how often it was dropped."""
    dropped = 0
    while time.monotonic() < end:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(pause)
            continue
        reading = asyncio.ensure_future(reader.read(1000))
        try:
            if kind >= 2:
                writer.write(HEAD if kind == 2 else BODY % port)
            while time.monotonic() < end:
                if (await asyncio.wait([reading], timeout=1.0))[0]:
                    dropped += 1
                    break
                if kind >= 2:
                    writer.write(b"x")
        finally:
            writer.transport.abort()
            await asyncio.gather(reading, return_exceptions=True)
        await asyncio.sleep(pause)
    return dropped


async def attack(port: int, clients: int, pause: float, seconds: float) -> int:
    """Hold as many connections for so long; gives how many were dropped."""
    end = time.monotonic() + seconds
    return sum(
        await asyncio.gather(*(hold(port, number % 4, pause, end) for number in range(clients)))
    )


def health(port: int) -> float:
    """Seconds until health has answered on a new connection."""
    began = time.monotonic()
    with socket.create_connection(("127.0.0.1", port), timeout=30) as opened:
        opened.sendall(b"GET /health HTTP/1.1\r\nhost: 127.0.0.1:%d\r\n\r\n" % port)
        answer = opened.recv(1000)
    if not answer.startswith(b"HTTP/1.1 200 "):
        raise SystemExit(f"health answered {answer[:100]!r}")
    return time.monotonic() - began


def _attack(*words: Any) -> int:
    os.nice(10)  # attackers have machines of their own
    within_file_limit(ConnectionLimits())
    return asyncio.run(attack(*words))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--pause", type=float, default=2.0, help="before connecting again")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log")
        with log.open("wb") as file:
            server = subprocess.Popen(
                [sys.executable, "-m", "assay", "serve", "--port", "0"], cwd=folder, stderr=file
            )
        try:
            while not (found := re.search(r"127\.0\.0\.1:(\d+)", log.read_text("utf-8"))):
                if server.poll() is not None:
                    raise SystemExit(log.read_text("utf-8"))
                time.sleep(0.1)
            port = int(found[1])
            with ProcessPoolExecutor(1) as pool:
                words = (port, given.clients, given.pause, given.seconds)
                attacking = pool.submit(_attack, *words)
                took = []
                while not attacking.done():
                    took.append(health(port))
                    time.sleep(0.1)
                dropped = attacking.result()
        finally:
            server.terminate()
            _, _, used = os.wait4(server.pid, 0)
        took.sort()
        print(
            f"{given.clients} clients, {given.seconds:.0f} s: health {len(took)} times, "
            f"median {took[len(took) // 2] * 1000:.0f} ms, worst {took[-1] * 1000:.0f} ms; "
            f"{dropped} connections dropped; log {log.stat().st_size} bytes; "
            f"{used.ru_utime + used.ru_stime:.1f} s of the server's CPU"
        )
        if took[-1] > 1.0:
            raise SystemExit("health took more than a second")


if __name__ == "__main__":
    main()
