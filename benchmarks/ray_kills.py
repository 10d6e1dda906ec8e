"""Kills random processes of a run on Ray, and checks that nothing is lost and nothing doubled.

    python -m benchmarks.ray_kills FOLDER [--kills 20] [--seed 7]

scores generated records in small blocks by the local engine and on a Ray cluster of this machine.
After each of the first blocks that Ray finishes, one of its scoring processes is killed, drawn from
the seed. Prints what was lost, doubled or different, as JSON; exits with 1 where anything was.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from assay.engine import Tally
from assay.runner.block_run import BlockData, BlockRequest
from assay.runner.execute import Observer, RunRequest, RunResult, execute
from assay.runner.job import make_job
from assay.settings import Settings
from benchmarks.many_records import METRICS, family, write_records

RECORDS = 12_000
ROWS = 200
"""Of a block: small, so that there are many to kill."""
ACTOR = b"ray::_BlockActor"
"""How the title of a scoring process begins."""


class Killer(Observer):
    """Kills a process of ours after each of the first finished blocks."""

    def __init__(self, kills: int, seed: int) -> None:
        self.left, self.killed = kills, 0
        self._random = Random(seed)

    def scored(self, tally: Tally) -> None:
        """Kill one of those that run now."""
        actors = sorted(pid for pid in family(os.getpid()) if _title(pid).startswith(ACTOR))
        if self.left and actors:
            os.kill(self._random.choice(actors), signal.SIGKILL)
            self.left -= 1
            self.killed += 1


def _title(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:  # it ended meanwhile
        return b""


def scored(folder: Path, out: str, engine: str, observer: Observer) -> RunResult:
    """Score the records of a folder by blocks."""
    overrides = {"metrics": tuple(METRICS.split(",")), "workers": 2}
    settings = Settings.load(overrides=overrides)
    data = BlockData(str(folder / "records"), settings)
    blocks = BlockRequest(data=data, out=f"{folder / out}/", engine=engine, rows=ROWS)
    return execute(
        RunRequest(
            items=data.items(),
            job=make_job(settings),
            settings=settings,
            blocks=blocks,
            detail="values",
            observer=observer,
        )
    )


def check(folder: Path, kills: int, seed: int) -> dict[str, Any]:
    """Score both ways, and compare."""
    import pyarrow.parquet as pq

    write_records(RECORDS, folder / "records", group=ROWS)
    killer = Killer(kills, seed)
    there = scored(folder, "ray", "ray", killer)
    here = scored(folder, "local", "local", Observer())
    ids = Counter(pq.read_table(folder / "ray/samples", columns=["id"])["id"].to_pylist())
    parts = sorted(path.name for path in (folder / "local/samples").iterdir())
    differing = [
        name
        for name in parts
        if (folder / "local/samples" / name).read_bytes()
        != (folder / "ray/samples" / name).read_bytes()
    ]
    return {
        "records": RECORDS,
        "blocks": len(parts),
        "killed": killer.killed,
        "lost": RECORDS - len(ids),
        "twice": sum(count - 1 for count in ids.values()),
        "differing_files": len(differing),
        "is_summary_equal": there.summary == here.summary,
    }


def main() -> int:
    """Check, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    found = check(given.folder, given.kills, given.seed)
    print(json.dumps(found))
    is_right = found["is_summary_equal"] and not (
        found["lost"] or found["twice"] or found["differing_files"]
    )
    return 0 if is_right and found["killed"] == given.kills else 1


if __name__ == "__main__":
    sys.exit(main())
